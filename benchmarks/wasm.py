"""Measure the JavaScript engine in Node and Chromium, compared with the native engine.

``python benchmarks/wasm.py [-n 1000] [--chromium] [--jsminesweeper DIR] [--json]``. The engines
analyse each natural Expert position in turn; the fastest of five consecutive runs counts. DIR is a
copy of https://github.com/DavidNHill/JSMinesweeper, whose probability engine then takes its turn in
Node. Needs Node and, for ``--chromium``, Playwright and a Chromium.
"""

from __future__ import annotations

import argparse
import gzip
import http.server
import json
import shutil
import statistics
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import sapper
from positions import natural
from report import emit, quantiles, timed
from sapper.web.assets import STATIC

RUNS = 5
ENGINE = STATIC / "engine"
RUNNER = Path(__file__).with_name("wasm_runner.mjs")
PAGE = """async (position) => {
  const { load } = await import("/engine/index.js");
  const start = performance.now();
  window.engine ??= await load({ search: false });
  const loaded = (performance.now() - start) / 1000;
  const { rows, ...board } = position;
  const packed = { ...board, cells: new TextEncoder().encode(rows.join("")) };
  // A page's clock has a resolution of 0.1 ms.
  const times = (work) => {
    let least = Infinity;
    for (let batch = 0; batch < 5; batch += 1) {
      const begun = performance.now();
      for (let run = 0; run < 20; run += 1) work();
      least = Math.min(least, (performance.now() - begun) / 20_000);
    }
    return least;
  };
  const chances = times(() => window.engine.analyze(packed, { solutions: false }));
  const counted = times(() => window.engine.analyze(packed));
  return { loaded, chances, counted, solutions: String(window.engine.analyze(position).solutions) };
}"""

WARM = 200
"""The positions analysed before the first measurement, while browsers optimize the code."""

Ask = Callable[[dict[str, Any]], dict[str, Any]]


def main() -> None:
    """Measure all engines in alternation, and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", type=int, default=1000, help="positions (default: 1000)")
    parser.add_argument("--chromium", action="store_true", help="measure in Chromium as well")
    parser.add_argument("--jsminesweeper", metavar="DIR", help="a copy of JSMinesweeper")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with ExitStack() as stack:
        engines: dict[str, Ask] = {"Node": stack.enter_context(node(options.jsminesweeper))}
        if options.chromium:
            engines["Chromium"] = stack.enter_context(chromium())
        emit([*sizes(), *rows(options.n, engines)], options.json)


def sizes() -> Iterator[dict[str, object]]:
    """Return the size of what a page loads, plain and compressed, without and with the search."""
    for build, more in (("exact", []), ("search", ["win_chance.net"])):
        parts = {
            "WebAssembly": [f"sapper_{build}_bg.wasm", *more],
            "JavaScript": ["index.js", "shared.js", f"{build}.js"],
            "more for a worker": ["remote.js", "worker.js"],
        }
        for name, files in parts.items():
            contents = [(ENGINE / file).read_bytes() for file in files]
            yield {
                "files": f"{build}: {name}",
                "kB": round(sum(map(len, contents)) / 1000, 1),
                "gzip_kB": round(sum(len(gzip.compress(data, 9)) for data in contents) / 1000, 1),
                "brotli_kB": round(sum(map(brotli, contents)) / 1000, 1),
            }


def brotli(data: bytes) -> int:
    """Return the size of data compressed by Node's brotli."""
    program = "process.stdout.write(`${zlib.brotliCompressSync(fs.readFileSync(0)).length}`)"
    node = shutil.which("node")
    assert node, "Node is not installed"
    return int(
        subprocess.run([node, "-e", program], input=data, capture_output=True, check=True).stdout
    )


def rows(n: int, engines: dict[str, Ask]) -> Iterator[dict[str, object]]:
    """Measure the engines on each position."""
    times: dict[str, list[float]] = {}
    for name, ask in engines.items():
        yield {"engine": name, "loaded_s": ask(natural(30, 16, 99, n).to_json())["loaded"]}
    for seed in range(n, n + min(n, WARM)):
        for ask in engines.values():
            ask(natural(30, 16, 99, seed).to_json())
    for seed in range(n):
        position = natural(30, 16, 99, seed)
        obj = position.to_json()
        known = str(count(position))
        note = times.setdefault("native, chances", [])
        note.append(fastest(partial(read, position)))
        times.setdefault("native, with solutions", []).append(fastest(partial(count, position)))
        for name, ask in engines.items():
            found = ask(obj)
            assert found["solutions"] == known, f"{name} differs on position {seed}"
            assert found.get("same", True), f"JSMinesweeper differs on position {seed}"
            times.setdefault(f"{name}, chances", []).append(found["chances"])
            times.setdefault(f"{name}, with solutions", []).append(found["counted"])
            if "other" in found:
                times.setdefault("JSMinesweeper in Node", []).append(found["other"])
    for name, seconds in times.items():
        yield {"engine": name, **quantiles(seconds)}
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name in engines:
        yield {
            "engine": name,
            "native_ratio": medians[f"{name}, chances"] / medians["native, chances"],
            "native_ratio_with_solutions": medians[f"{name}, with solutions"]
            / medians["native, with solutions"],
        }
    if theirs := medians.get("JSMinesweeper in Node"):
        yield {"engine": "Node", "times_as_fast": theirs / medians["Node, with solutions"]}


def read(position: sapper.Position) -> object:
    """Analyse a position and read the results."""
    found = sapper.analyze(position)
    return found.p_mine, found.safe_indices, found.mined_indices


def count(position: sapper.Position) -> int | None:
    """Analyse a position and count its solutions."""
    return sapper.analyze(position).solutions


def fastest(step: Callable[[], object]) -> float:
    """Return the minimum seconds of several consecutive runs."""
    return min(timed(step)[0] for _ in range(RUNS))


@contextmanager
def node(other: str | None) -> Iterator[Ask]:
    """Run the engine in Node."""
    program = shutil.which("node")
    assert program, "Node is not installed"
    more = [] if other is None else ["--jsminesweeper", other]
    with subprocess.Popen(
        [program, str(RUNNER), *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        given, taken = running.stdin, running.stdout
        assert given is not None
        assert taken is not None

        def ask(position: dict[str, Any]) -> dict[str, Any]:
            print(json.dumps(position), file=given, flush=True)
            answer: dict[str, Any] = json.loads(taken.readline())
            return answer

        yield ask
        given.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def chromium() -> Iterator[Ask]:
    """Run the engine in a page that a plain file server serves."""
    from playwright.sync_api import sync_playwright

    from sapper.vision.browser.launch import installed_browser

    serve = partial(Quiet, directory=str(STATIC))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=installed_browser(), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/icon.svg")
            yield lambda position: page.evaluate(PAGE, position)
            browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
