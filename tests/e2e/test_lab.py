"""The Lab page in a browser during a run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.running import Server
from support.gated_bot import GatedBot

_RUN = (
    # Units are small enough that some finish before the first gate.
    "from sapper import lab; from sapper.lab import scheduler; import sys; scheduler.SHARD = 50;"
    "lab.run(sys.argv[1], 'intermediate', first_click='safe', n=int(sys.argv[2]), out=sys.argv[3])"
)


@pytest.mark.slow
def test_running_run_is_shown(new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    """A run appears without a reload, grows, and ends with three plots and a table."""
    page = new_context().new_page()
    # Use a separate server: the shared one would keep the run, and its Lab page would no longer be
    # empty.
    with Server(tmp_path / "home") as own:
        page.goto(own.url)
        page.click("text=Lab")
        expect(page.locator("#empty")).to_be_visible()
        env = {**os.environ, "SAPPER_HOME": own.home}
        bot = GatedBot(tmp_path, range(200, 400), range(400, 601))
        command = [sys.executable, "-c", _RUN, bot.name, "600", str(tmp_path / "run")]
        with subprocess.Popen(command, env=env) as playing:
            expect(page.locator("#runs progress")).to_be_visible()
            expect(page.locator("#pace")).to_contain_text(" left")
            first = page.locator("#pace").inner_text()
            bot.open(0)
            expect(page.locator("#pace")).not_to_have_text(first)
            bot.open(1)
            assert playing.wait(300) == 0
        expect(page.locator("#pace")).to_have_text(re.compile("^600 of 600 games"))
        expect(page.locator("svg.plot")).to_have_count(3)
        expect(page.locator("table")).to_contain_text("reduction")
        expect(page.locator("#fine")).to_contain_text("Digest")


@pytest.mark.slow
def test_page_reports_a_lost_server(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """The page catches up when the server is back."""
    page = new_context().new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "lab")
        expect(page.locator("#empty")).to_be_visible()
        own.stop()
        expect(page.locator("#banner")).to_contain_text("not running")
        own.start()
        expect(page.locator("#banner")).to_be_hidden()


def test_without_its_extra_the_page_explains_the_lab(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """A default installation shows the pip command and a translated picture, but no banner."""
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "pyarrow.py").write_text("raise ModuleNotFoundError('not installed')\n")
    own = Server(tmp_path / "home")
    own.start(PYTHONPATH=os.pathsep.join([str(missing), os.environ.get("PYTHONPATH", "")]))
    try:
        page = new_context().new_page()
        page.goto(own.url + "lab")
        expect(page.locator("#empty")).to_be_visible()
        expect(page.locator("#not-installed pre")).to_have_text("pip install '.[lab]'")
        expect(page.locator("#no-runs")).to_be_hidden()
        expect(page.locator("#banner")).to_be_hidden()
        picture = page.locator("#empty img:visible")
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.naturalWidth > 0", arg=picture.element_handle())
    finally:
        own.__exit__()
