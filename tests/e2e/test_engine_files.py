"""The JavaScript engine in Chromium, served by a plain file server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from sapper.web.assets import STATIC
from support.marks import slow

pytestmark = pytest.mark.browser
POSITIONS = Path(__file__).parents[1] / "data/positions.jsonl"

ANALYSES = """async (positions) => {
  const { load, loadWorker } = await import("/engine/index.js");
  const engine = WORKER ? await loadWorker() : await load({ search: false });
  const found = [];
  for (const position of positions) {
    try {
      const { solutions, pMine } = await engine.analyze(position);
      found.push({ solutions: String(solutions), pMine: Array.from(pMine, (p) => p || 0) });
    } catch (problem) {
      found.push({ solutions: "0", code: problem.code });
    }
  }
  if (WORKER) engine.terminate();
  return found;
}"""
ABORTED = """async () => {
  const { loadWorker } = await import("/engine/index.js");
  const engine = await loadWorker();
  const rows = Array.from({ length: 40 }, (_, row) => (row % 2 ? ".2" : "..").repeat(20));
  const stop = new AbortController();
  const long = engine.analyze({ rows, mines: 250 }, { signal: stop.signal });
  stop.abort();
  const code = await long.catch((problem) => problem.code);
  const { winChance } = await engine.winChance({ rows: ["..", "11"], mines: 1 });
  engine.terminate();
  return [code, winChance];
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page served beside the engine's files."""
    serve = partial(_Quiet, directory=str(STATIC))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = new_context().new_page()
        opened.goto(f"http://127.0.0.1:{server.server_port}/icon.svg")
        yield opened
        server.shutdown()


@pytest.mark.parametrize("worker", [slow(False), True])
def test_known_positions_have_their_counts_and_chances(page: Page, worker: bool) -> None:
    """The page's thread and a worker both give the known counts and chances."""
    known = [json.loads(line) for line in POSITIONS.read_text("utf-8").splitlines()]
    fields = ("rows", "mines", "topology", "density")
    positions = [{key: obj[key] for key in fields if key in obj} for obj in known]
    answers = page.evaluate(ANALYSES.replace("WORKER", json.dumps(worker)), positions)
    for obj, answer in zip(known, answers, strict=True):
        if "p_mine" not in obj:
            assert answer["code"] == "inconsistent_position"
            continue
        assert answer["solutions"] == obj["solutions"]
        flat = [p or 0 for row in obj["p_mine"] for p in row]
        # The file has twelve places.
        assert answer["pMine"] == pytest.approx(flat, rel=0, abs=1.5e-12)


def test_an_aborted_call_does_not_block_the_next_one(page: Page) -> None:
    """Without shared memory, the worker is replaced; the new one loads the search automatically."""
    assert page.evaluate(ABORTED) == ["cancelled", 0.5]
