"""Operator commands announce restarts and news in open windows while the server runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.running import Server
from sapper.translation import LANGUAGES
from support.marks import slow
from support.program import sapper

_WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(autouse=True)
def _commands(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let commands in this process find the server's files, and remove announcements afterwards."""
    monkeypatch.setenv("SAPPER_HOME", server.home)
    yield
    sapper("admin", "withdraw")


def _admin(*arguments: str) -> str:
    result = sapper("admin", *arguments)
    assert result.code == 0, result.err
    return str(result.out)


@pytest.mark.slow
@needs_axe
@pytest.mark.parametrize("size", [(1280, 800), slow((390, 844))], ids=["desktop", "phone"])
def test_an_announcement_appears_in_open_and_later_windows(
    new_context: Callable[..., BrowserContext], server: Server, size: tuple[int, int]
) -> None:
    """Nothing shifts, screen readers read the text, and it can be dismissed or withdrawn."""
    context = new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_selector("body[data-status]")
    page.evaluate(_WATCH)
    before = page.evaluate("window.shifts")
    _admin("announce", "Tournament on Saturday at 18:00, everyone is welcome")
    shown = page.locator(".announcements > div")
    expect(shown).to_have_text("Tournament on Saturday at 18:00, everyone is welcome×")
    spoken = page.locator("p.spoken[role=status]")
    expect(spoken).to_have_text("Tournament on Saturday at 18:00, everyone is welcome")
    assert page.evaluate("window.shifts") == before
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect_accessible(page)
    later = context.new_page()
    later.goto(server.url)
    expect(later.locator(".announcements > div")).to_be_visible()
    page.locator(".announcements").get_by_role("button", name="Dismiss").click()
    expect(shown).to_be_hidden()
    _admin("withdraw")
    expect(later.locator(".announcements > div")).to_have_count(0)


@pytest.mark.slow
def test_a_restart_is_counted_down_until_the_server_is_back(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """A dismissed countdown reappears for the last minute and ends with the restart."""
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.clock.install()
    page.goto(server.url)
    page.wait_for_selector("body[data-status]")
    _admin("announce", "--restart", "--in", "2m", "--for", "1h")
    shown = page.locator(".announcements > div")
    expect(shown).to_contain_text("The server restarts in 2 minutes.")
    page.locator(".announcements").get_by_role("button", name="Dismiss").click()
    expect(shown).to_be_hidden()
    page.clock.fast_forward("01:15")
    expect(shown).to_be_visible()
    expect(page.locator("p.spoken[role=status]")).to_contain_text(" seconds.")
    page.clock.fast_forward("01:00")
    expect(shown).to_contain_text("The server is restarting.")
    _admin("withdraw")
    _admin("announce", "--restart")
    server.stop()
    expect(page.locator("#banner")).to_be_visible()
    expect(shown).to_be_hidden()
    server.start()
    page.reload()
    page.wait_for_selector("body[data-status]")
    assert sapper("admin", "announcements").out == "There are no announcements.\n"
    expect(shown).to_have_count(0)


@pytest.mark.slow
def test_announcements_of_restarts_fit_in_every_language(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """No text is cut off on a phone."""
    context = new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    _admin("announce", "--restart", "--in", "1h")
    for language in LANGUAGES:
        context.add_cookies([{"name": "sapper-language", "value": language, "url": server.url}])
        page.goto(server.url)
        shown = page.locator(".announcements > div")
        expect(shown).to_be_visible()
        box = shown.bounding_box()
        assert box is not None
        assert box["x"] >= 0, language
        assert box["x"] + box["width"] <= 390, language
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, language
