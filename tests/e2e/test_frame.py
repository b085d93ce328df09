"""The frame of every page: navigation, settings, help and the skip link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.running import Server
from sapper.web import STATIC
from sapper.web.assets import page_names
from support.marks import slow

PAGES = sorted(page_names(STATIC))
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

Visit = Callable[..., Page]

_SOME_PAGES = pytest.mark.parametrize(
    "name", [name if name in ("index", "history") else slow(name) for name in PAGES]
)


@pytest.fixture
def visit(new_context: Callable[..., BrowserContext], server: Server) -> Visit:
    """Open a page by its name; any error on it fails the test."""

    def make(name: str, **options: object) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(server.url + ("" if name == "index" else name))
        return page

    return make


@_SOME_PAGES
def test_every_page_has_help_and_settings(visit: Visit, name: str) -> None:
    """Help and settings each have a button, and "?" opens the help."""
    page = visit(name)
    help_text = page.locator("#help-box, [data-kind=help]").filter(visible=True)
    page.click("#help")
    expect(help_text).to_be_visible()
    page.keyboard.press("Escape")
    expect(help_text).to_be_hidden()
    page.keyboard.press("?")
    expect(help_text).to_be_visible()
    page.keyboard.press("Escape")
    page.click("#settings")
    expect(page.locator("#language")).to_be_visible()
    page.select_option("#look", "modern")
    assert page.evaluate("document.documentElement.dataset.look") == "modern"
    page.select_option("#animation", "off")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.look") == "modern"
    assert page.evaluate("document.documentElement.dataset.animation") == "off"


@pytest.mark.slow
def test_the_theme_is_among_the_settings(visit: Visit) -> None:
    """The themes are light, dark and the system's."""
    page = visit("history", color_scheme="light")
    dark = "document.documentElement.dataset.dark"
    page.click("#settings")
    page.select_option("#scheme", "dark")
    assert page.evaluate(dark) == "true"
    page.select_option("#scheme", "")
    assert page.evaluate(dark) == "false"


@pytest.mark.slow
def test_keys_in_the_settings_do_nothing_on_the_page(visit: Visit) -> None:
    """An arrow key in a list in the settings does not move the replay behind it."""
    page = visit("replay")
    page.set_input_files(
        "#file", Path(__file__).parents[1] / "data/replays/beginner_wrong_time.avf"
    )
    place = page.locator("#place")
    expect(place).not_to_be_empty()
    before = place.inner_text()
    page.click("#settings")
    page.focus("#look")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert place.inner_text() == before
    expect(page.locator("#settings-box")).to_be_visible()


@_SOME_PAGES
def test_every_page_has_a_title_a_heading_and_a_skip_link(visit: Visit, name: str) -> None:
    """The title and the only heading name the game, and the first Tab stop skips to the content."""
    page = visit(name)
    assert "Minesweeper" in page.title()
    assert "Minesweeper" in page.locator("h1").inner_text()
    expect(page.get_by_role("navigation").get_by_role("link", name="Replay")).to_be_visible()
    # On Learn, Tab would start from the board, which gets the focus as soon as there is a puzzle.
    first = "document.querySelector('a[href], button, input, select, [tabindex=\"0\"]').id"
    assert page.evaluate(first) == "skip"
    page.focus("#skip")
    address = page.url
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    # The URL stays, but the page may add its position shortly after it is shown.
    assert page.url.partition("#")[0] == address.partition("#")[0]
    assert not page.url.endswith("#main")


@pytest.mark.parametrize(
    "name",
    [name if name in ("index", "history") else slow(name) for name in PAGES if name != "lab"],
)
def test_all_pages_fit_into_the_header_of_a_phone(visit: Visit, name: str) -> None:
    """In English, all links fit without scrolling; only the Lab page itself links to the lab."""
    page = visit(name, **PHONE)
    links = page.locator(".rooms a").filter(visible=True).all()
    assert len(links) >= 7
    for link in links:
        box = link.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        right = page.locator(".rooms").bounding_box()
        assert right is not None
        assert box["x"] + box["width"] <= right["x"] + right["width"] + 0.5


@pytest.mark.parametrize("language", ["es", slow("ru")])
def test_page_links_fade_where_they_continue(visit: Visit, language: str) -> None:
    """In languages with longer words, a phone's links scroll, and fade where they are cut off."""
    page = visit("index", **PHONE | {"locale": language})
    rooms = page.locator(".rooms")
    expect(rooms).to_have_attribute("data-more", "right")
    rooms.evaluate("row => row.scrollTo(row.scrollWidth, 0)")
    expect(rooms).to_have_attribute("data-more", "left")
    assert rooms.evaluate("row => getComputedStyle(row).maskImage").startswith("linear-gradient")
