"""Keys work on keyboard layouts that are not Latin."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell, open_cell
from e2e.running import Server
from support.marks import slow

Visit = Callable[..., Page]

_REPLAY = Path(__file__).parents[1] / "data" / "replays" / "expert.avf"

_RUSSIAN = dict(zip("FHNUXZLQ", "фрнгчядй", strict=True)) | {"F": "а", "H": "р", "N": "т"}
_LAYOUTS = {
    "Russian": _RUSSIAN,
    "Greek": dict(zip("FHNUXZL", "φηνθχζλ", strict=True)),
    "Hebrew": dict(zip("FHNUXZL", "כימוסזך", strict=True)),
}
_CTRL = 2
_SHIFT = 8


def _press(page: Page, key: str, code: str, modifiers: int = 0) -> None:
    """Press a key as the browser reports it: the character of the layout, and the physical key."""
    session = page.context.new_cdp_session(page)
    event = {"key": key, "code": code, "modifiers": modifiers}
    text = {} if modifiers == _CTRL else {"text": key}
    session.send("Input.dispatchKeyEvent", event | text | {"type": "keyDown"})
    session.send("Input.dispatchKeyEvent", event | {"type": "keyUp"})
    session.detach()


@pytest.mark.parametrize("layout", ["Russian", slow("Greek"), slow("Hebrew")])
def test_letter_keys_play_on_every_layout(visit: Visit, layout: str) -> None:
    """F flags, H asks for a hint and N starts a new game, whatever letters the keys type."""
    letters = _LAYOUTS[layout]
    page = visit("#level=beginner&rules=classic")
    cell(page, 2, 3).hover()
    _press(page, letters["F"], "KeyF")
    expect(cell(page, 2, 3)).to_have_attribute("aria-label", "row 3, column 4, flag")
    _press(page, letters["H"], "KeyH")
    expect(page.locator("#card h2")).to_contain_text("is a good start")
    open_cell(page, 4, 4)
    _press(page, letters["N"], "KeyN")
    page.wait_for_selector("body[data-status=ready]")


def test_a_key_of_another_layout_can_be_chosen(visit: Visit) -> None:
    """A chosen Russian key gets its Latin name, and works with both layouts."""
    page = visit()
    page.click("summary:has-text('Controls')")
    page.get_by_role("button", name="Hint: H. Change").click()
    _press(page, "т", "KeyN")
    expect(page.locator("#key-error")).to_contain_text("N is already used for “New game”")
    _press(page, "й", "KeyQ")
    expect(page.locator("#hint kbd")).to_have_text("Q")
    for key in "йq":
        _press(page, key, "KeyQ")
        expect(page.locator("#card h2")).to_contain_text("is a good start")
        page.keyboard.press("Escape")
        expect(page.locator("#card")).to_be_hidden()


def test_letter_keys_work_on_every_page(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """Tools, shortcuts with Ctrl and with Shift, and steps work with a Russian layout."""
    page = new_context().new_page()
    page.goto(f"{server.url}analyze#size=3x2:1&position=f")
    page.wait_for_selector("[role=gridcell]")
    page.keyboard.press("1")
    cell(page, 0, 0).click()
    expect(page.locator("#text")).to_have_value("mines: 1\n1..\n...")
    _press(page, "я", "KeyZ", _CTRL)
    expect(page.locator("#text")).to_have_value("mines: 1\n...\n...")
    _press(page, "д", "KeyL")
    assert page.locator("#tools input:checked").get_attribute("value") == "look"

    page.goto(f"{server.url}replay")
    page.set_input_files("#file", _REPLAY)
    expect(page).to_have_url(re.compile("file="))
    checked = page.locator("#heat").is_checked()
    _press(page, "р", "KeyH")
    expect(page.locator("#heat")).to_be_checked(checked=not checked)
    page.goto(page.url.replace("/replay", "/review"))
    expect(page.locator("#moves button").first).to_be_visible()
    checked = page.locator("#mines-shown").is_checked()
    _press(page, "Ч", "KeyX", _SHIFT)
    expect(page.locator("#mines-shown")).to_be_checked(checked=not checked)

    page.goto(f"{server.url}learn/patterns")
    page.wait_for_selector("[role=gridcell]")
    before = page.url
    _press(page, "т", "KeyN")
    expect(page).not_to_have_url(before)
