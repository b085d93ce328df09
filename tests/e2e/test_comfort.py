"""Chord styles, swapped buttons, keys, sounds, animation and the language of the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.hand import cell, counted, name, open_cell, quiet, round_trip, status
from e2e.running import Server
from e2e.static_site import on_both, on_both_slowly
from sapper.translation import catalogue
from support.marks import slow

Visit = Callable[..., Page]

# The centre of the top row is a mine; opening both corners wins.
_ONE_MINE = "#rules=classic&size=3x3:1&position=c111000"

_VISIBLE_TEXTS = """() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const skipped = node.parentElement.closest(
            'script, style, noscript, kbd, code, pre, [translate="no"]');
        const text = node.textContent.trim().replaceAll(/\\s+/g, ' ');
        if (!skipped && /[a-zA-Z]{2}/.test(text)) found.add(text);
    }
    for (const element of document.querySelectorAll('[title], [aria-label]')) {
        if (element.closest('[translate="no"]')) continue;
        for (const name of ['title', 'aria-label']) {
            const text = element.getAttribute(name);
            if (text && /[a-zA-Z]{2}/.test(text)) found.add(text);
        }
    }
    return [...found];
}"""

_PAGES = ("", "analyze", "learn", "review", "history", "replay")

# Strings that are the same in every language, such as names and units.
_SAME = re.compile(
    r"Sapper|[\d.,  ]+ (px|s|ms)( .*)?|.*3BV.*|Home|End|Page (Up|Down)|[a-z]+(-[a-z]+)*"
)


def _settings(page: Page, name: str) -> None:
    page.click(f"summary:has-text('{name}')")


@on_both_slowly
def test_changed_key_works_and_taken_key_is_rejected(visit: Visit) -> None:
    """A new key works, and is listed on the page and in the help, until keys are reset."""
    page = visit()
    _settings(page, "Controls")
    page.get_by_role("button", name="Hint: H. Change").click()
    page.keyboard.press("n")
    expect(page.locator("#key-error")).to_contain_text("N is already used for “New game”")
    page.keyboard.press("j")
    expect(page.locator("#key-error")).to_be_hidden()
    expect(page.locator("#hint kbd")).to_have_text("J")
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    page.keyboard.press("h")
    round_trip(page)
    expect(page.locator("#card")).to_be_hidden()
    page.keyboard.press("j")
    expect(page.locator("#card h2")).to_contain_text("is a good start")
    page.keyboard.press("?")
    expect(page.locator("#card dt", has_text="J")).to_have_count(1)
    _settings(page, "Controls")
    page.click("#reset-keys")
    expect(page.locator("#hint kbd")).to_have_text("H")


@pytest.mark.slow
@on_both
def test_swapped_buttons_flag_with_the_left_and_open_with_the_right(visit: Visit) -> None:
    """Swapped buttons are remembered and shown in the line of keys."""
    page = visit()
    _settings(page, "Controls")
    page.check("#swap")
    expect(page.locator("#keys")).to_contain_text("Right click opens · left click flags")
    cell(page, 4, 4).click()
    expect(cell(page, 4, 4)).to_have_attribute("aria-label", "row 5, column 5, flag")
    cell(page, 0, 0).click(button="right")
    page.wait_for_selector("body[data-status=playing], body[data-status=won]")
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    assert page.locator("#swap").is_checked()


@on_both_slowly
def test_chording_follows_the_setting(visit: Visit) -> None:
    """Depending on the setting, a double click chords or does nothing."""
    page = visit("#rules=classic&size=3x1:1&position=a1a")
    page.wait_for_selector("body[data-status=playing]")
    _settings(page, "Controls")
    told = page.locator("#status").inner_text()
    for style in ("off", "double", "middle", "buttons"):
        page.select_option("#chording", style)
        cell(page, 0, 1).click()
        round_trip(page)
        expect(page.locator("#status")).to_have_text(told)
    page.select_option("#chording", "double")
    cell(page, 0, 1).dblclick()
    expect(page.locator("#status")).to_contain_text("To chord, first flag as many cells")


@on_both_slowly
def test_sounds_are_off_until_they_are_switched_on(visit: Visit) -> None:
    """The audio device is not opened until sounds are switched on."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    page.evaluate(
        "() => { window.made = 0; window.AudioContext = class extends AudioContext"
        " { constructor() { super(); window.made += 1; } }; }"
    )
    cell(page, 0, 0).click(button="right")
    round_trip(page)
    assert page.evaluate("window.made") == 0
    _settings(page, "Language and sound")
    page.check("#sound")
    assert page.evaluate("window.made") == 1


@pytest.mark.slow
@on_both
def test_animation_off_stops_all_motion(visit: Visit) -> None:
    """Wins are not animated, whatever the system setting."""
    page = visit(_ONE_MINE)
    _settings(page, "Language and sound")
    page.select_option("#animation", "off")
    assert page.locator("#panel button").first.evaluate(
        "e => getComputedStyle(e).transitionProperty + getComputedStyle(e).transitionDuration"
    ) in ("none0s", "all0s")


@pytest.mark.slow
def test_a_game_in_czech(visit: Visit) -> None:
    """The language menu changes the language of cells, hints and numbers."""
    page = visit(locale="cs-CZ")
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    assert page.locator("html").get_attribute("lang") == "cs"
    expect(page.locator("#undo")).to_contain_text("Zpět")
    expect(cell(page, 4, 4)).to_have_attribute("aria-label", "řádek 5, sloupec 5, neodkryté")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("řádek 5, sloupec 5", ignore_case=True)
    expect(page.locator("#card .place, #status .place").first).to_be_visible()
    cell(page, 4, 4).click()
    page.wait_for_selector("body[data-status=playing], body[data-status=won]")
    # The page asks first, because the game will no longer count.
    page.keyboard.press("h")
    page.keyboard.press("h")
    round_trip(page)
    expect(page.locator("#card h2")).to_contain_text("sloupec")
    _settings(page, "Jazyk a zvuk")
    with page.expect_navigation():
        page.select_option("#language", "en")
    page.wait_for_selector("[role=gridcell]")
    assert page.locator("html").get_attribute("lang") == "en"
    assert name(page, 4, 4) != "unopened"
    assert status(page) != "ready"
    assert not problems


@pytest.mark.slow
@pytest.mark.parametrize("language", ["cs", "zh-Hans"])
def test_no_text_of_a_translated_page_is_english(
    new_context: Callable[..., BrowserContext], server: Server, language: str
) -> None:
    """Except for names, every text and label differs between the two languages."""
    both: list[dict[str, set[str]]] = []
    for locale in ("en-US", language):
        page = counted(new_context(locale=locale)).new_page()
        texts = {}
        for path in _PAGES:
            page.goto(server.url + path)
            if path == "":
                page.wait_for_selector("[role=gridcell]")
                open_cell(page, 4, 4)
                page.keyboard.press("h")
                page.wait_for_selector("#card:not([hidden])")
            quiet(page)
            page.evaluate("() => document.querySelectorAll('details').forEach(e => e.open = true)")
            texts[path] = set(page.evaluate(_VISIBLE_TEXTS))
        both.append(texts)
    english, translated = both
    # Some words are the same in both languages.
    words = catalogue(language).messages
    for path in _PAGES:
        assert len(english[path]) > 20
        same = {text for text in english[path] & translated[path] if words.get(text) != (text,)}
        assert sorted(text for text in same if not _SAME.fullmatch(text)) == [], path


@needs_axe
@pytest.mark.parametrize("language", ["de", *map(slow, ["es", "ru", "zh-CN"])])
def test_settings_fit_on_a_phone_and_are_accessible(visit: Visit, language: str) -> None:
    """With all settings open, nothing is wider than the screen, and axe-core finds nothing."""
    page = visit(
        locale=language, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page.tap("#sheet")
    page.evaluate("() => document.querySelectorAll('#panel details').forEach(e => e.open = true)")
    wide = page.evaluate(
        "() => [...document.querySelectorAll('#panel *, .thumbs *')].filter(e => e.offsetParent"
        " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 90))"
    )
    assert not wide
    page.wait_for_function(
        "() => document.getAnimations().every(one => one.playState !== 'running')"
    )
    expect_accessible(page, "#panel")
