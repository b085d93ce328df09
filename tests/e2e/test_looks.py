"""Themes, sizes and the overlay, as far as a test can check them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, open_cell, position, still
from e2e.static_site import on_both, on_both_slowly
from sapper.solver import analyze
from support.marks import slow

Visit = Callable[..., Page]

_PAPER = "() => getComputedStyle(document.body).backgroundColor"


def test_the_theme_follows_the_system_until_it_is_chosen(visit: Visit) -> None:
    """The system theme is dark; the button selects light, which survives a reload."""
    page = visit(color_scheme="dark")
    dark = page.evaluate(_PAPER)
    page.click("#theme")
    light = page.evaluate(_PAPER)
    assert dark != light
    page.reload()
    assert page.evaluate(_PAPER) == light


@pytest.mark.parametrize(
    ("width", "height"), [(1440, 900), slow(1024, 768), (390, 844)], ids=["wide", "small", "phone"]
)
def test_nothing_is_cut_off(visit: Visit, width: int, height: int) -> None:
    """The page never scrolls, and the board fits in its frame or pans."""
    page = visit(viewport={"width": width, "height": height})
    for level in ("beginner", "expert"):
        choose(page, level)
        still(page)
        check_that_nothing_is_cut_off(page, width, height)


def check_that_nothing_is_cut_off(page: Page, width: int, height: int) -> None:
    """Measure the page and its board."""
    for selector in (".console", "#status", "#new", "#mines", "#time"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    size = page.locator(".cell").first.bounding_box()
    assert size is not None
    assert size["width"] == size["height"] == int(size["width"])
    assert 16 <= size["width"] <= 48
    if width > 760:
        assert page.evaluate(
            "() => { const w = document.querySelector('#well');"
            " return w.scrollWidth <= w.clientWidth; }"
        )
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('body *')]
            .filter(e => e.offsetParent && [...e.childNodes].some(
                n => n.nodeType === 3 && n.textContent.trim()))
            .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
    )
    assert smallest >= 12


@pytest.mark.slow
def test_plus_and_minus_change_the_cells(visit: Visit) -> None:
    """Cell sizes are whole pixels, and 0 fits the board to the window again."""
    page = visit()
    choose(page, "expert")
    width = "() => document.querySelector('.cell').getBoundingClientRect().width"
    fitted = page.evaluate(width)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(width) == fitted - 4
    page.keyboard.press("+")
    assert page.evaluate(width) == fitted - 2
    page.keyboard.press("0")
    assert page.evaluate(width) == fitted


@on_both
def test_the_overlay_shows_the_exact_chances(visit: Visit) -> None:
    """Numbers match the analysis, proved cells are marked, and tooltips give the details."""
    page = visit()
    open_cell(page, 4, 4)
    page.click("text=Assisted")
    page.wait_for_selector(".cell.heat, .cell.state")
    for _ in range(2):
        found = analyze(position(page, 10))
        for at in found.position.unopened_cells():
            element = expect(cell(page, *at))
            if at in found.safe:
                element.to_have_class(re.compile("state safe"))
            elif at in found.mined:
                element.to_have_class(re.compile("state danger"))
            else:
                shown = str(int(100 * float(found.p_mine[at]) + 0.5))
                element.to_have_attribute("data-text", shown)
        # The overlay follows the game.
        at = min(found.safe)
        open_cell(page, at.row, at.col)
    cell(page, *position(page, 10).unopened_cells()[-1]).hover()
    expect(page.locator("#tip")).to_contain_text("arrangements")
    page.click("#overlay >> text=States")
    expect(page.locator(".cell.heat")).to_have_count(0)


@on_both_slowly
def test_modern_look_is_available(visit: Visit) -> None:
    """The look can be chosen in the panel and is remembered."""
    page = visit()
    page.click("summary:has-text('View')")
    page.select_option("#look", "modern")
    border = "() => getComputedStyle(document.querySelector('.cell')).borderTopWidth"
    assert page.evaluate(border) == "0px"
    page.reload()
    page.wait_for_selector(".cell")
    assert page.evaluate(border) == "0px"


# Returns the colour as shown on the screen, because mixed colours use other colour spaces.
_COLOUR = """([selector, property]) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = getComputedStyle(document.querySelector(selector))[property];
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""

_ONE_MINE = "#rules=classic&size=3x3:1&position=c111000"


def choose_look(page: Page, look: str) -> None:
    """Choose a look in the panel."""
    page.evaluate("() => { document.querySelector('.view').open = true; }")
    page.select_option("#look", look)


def colour(page: Page, selector: str, named: str = "backgroundColor") -> list[int]:
    """Return a colour of an element, as red, green and blue."""
    return page.evaluate(_COLOUR, [selector, named])  # type: ignore[no-any-return]


def contrast(one: list[int], other: list[int]) -> float:
    """Return the contrast of two colours, from 1 to 21, as defined by WCAG 2."""

    def light(rgb: list[int]) -> float:
        linear = [
            x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4
            for x in (value / 255 for value in rgb)
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.slow
def test_classic_has_a_dark_version(visit: Visit) -> None:
    """Cells and numbers follow the theme; bevels and red displays stay as they are."""
    page = visit(_ONE_MINE, color_scheme="dark")
    page.wait_for_selector("body[data-status=playing]")
    white = [255, 255, 255]
    assert contrast(colour(page, ".cell.closed"), white) > 7
    assert contrast(colour(page, ".cell.open"), white) > 7
    edge = [colour(page, ".cell.closed", f"border{side}Color") for side in ("Top", "Bottom")]
    assert contrast(*edge) > 2
    assert colour(page, ".lit", "fill") == [255, 26, 26]
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html:not([data-dark='true'])")
    assert colour(page, ".cell.closed") == [192, 192, 192]


@pytest.mark.slow
def test_the_modern_look_has_plain_figures(visit: Visit) -> None:
    """The counters use tabular digits in the text colour instead of red segments."""
    page = visit()
    choose_look(page, "modern")
    for display, text in (("#mines", "10"), ("#time", "0")):
        figures = page.locator(f"{display} span")
        expect(figures).to_have_text(text)
        expect(figures).to_be_visible()
        expect(page.locator(f"{display} svg")).to_be_hidden()
        numeric = figures.evaluate("e => getComputedStyle(e).fontVariantNumeric")
        assert numeric == "tabular-nums"
        assert colour(page, f"{display} span", "color") == colour(page, "body", "color")


@pytest.mark.slow
def test_no_bright_pixels_between_closed_cells(visit: Visit) -> None:
    """In the light modern look, no bright pixels show between the rounded corners."""
    page = visit(color_scheme="light")
    choose_look(page, "modern")
    picture = page.locator("#grid").screenshot()
    pixels: Any = Image.open(io.BytesIO(picture)).convert("RGB")
    # Leave out the margin, where the corners of the outer cells touch the frame.
    inner = pixels.crop((4, 4, pixels.width - 4, pixels.height - 4))
    assert max(min(rgb) for _, rgb in inner.getcolors(1 << 20)) < 200


@pytest.mark.parametrize("scheme", ["light", slow("dark")])
def test_the_cursor_can_be_seen_on_every_cell(visit: Visit, scheme: str) -> None:
    """The ring's two colours contrast with each other, and each cell contrasts with one of them."""
    page = visit(_ONE_MINE, color_scheme=scheme)
    page.wait_for_selector("body[data-status=playing]")
    for look, key in product(("classic", "modern", "contrast"), ("Home", "PageDown")):
        choose_look(page, look)
        page.locator("#grid [tabindex='0']").focus()
        page.keyboard.press(key)
        ring = colour(page, ".cell:focus", "outlineColor")
        shadow = page.locator(".cell:focus").evaluate("e => getComputedStyle(e).boxShadow")
        edge = [int(value) for value in re.findall(r"\d+", shadow)[:3]]
        under = colour(page, ".cell:focus")
        assert contrast(ring, edge) >= 3
        assert max(contrast(ring, under), contrast(edge, under)) >= 3


@pytest.mark.parametrize("scheme", ["light", slow("dark")])
def test_cells_that_no_number_touches_are_faded(visit: Visit, scheme: str) -> None:
    """Faded cells have a faint tint and a legible number; the best one is ringed."""
    page = visit("#rules=classic&size=5x5:5&position=l1l", color_scheme=scheme)
    page.wait_for_selector("body[data-status=playing]")
    corner = "[data-row='0'][data-col='0']"
    bare = colour(page, corner)
    page.click("#mode >> text=Assisted")
    page.wait_for_selector(f"{corner}.far")
    faded, text = colour(page, corner), colour(page, corner, "color")
    assert contrast(faded, text) >= 3
    page.locator(corner).evaluate("e => e.classList.remove('far')")
    full = colour(page, corner)
    distance = [sum(abs(a - b) for a, b in zip(one, bare, strict=True)) for one in (faded, full)]
    assert 0 < distance[0] < distance[1] / 2
    best = page.locator(".cell.best").evaluate("e => getComputedStyle(e).boxShadow")
    assert "inset" in best


@pytest.mark.slow
def test_win_animation_respects_reduced_motion(visit: Visit) -> None:
    """The normal animation, a wave of light, takes less than a second."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    open_cell(page, 0, 0)
    cell(page, 0, 2).click()
    page.wait_for_selector("body[data-status=won]")
    expect(page.locator(".celebration .ring")).to_have_count(1)
    expect(page.locator(".celebration")).to_have_count(0)
    moving = "e => [getComputedStyle(e).animationName, getComputedStyle(e).animationDuration]"
    board = page.locator("#console")
    assert board.evaluate(moving) == ["won", "0.8s"]
    page.emulate_media(reduced_motion="reduce")
    assert board.evaluate(moving)[0] == "none"
    assert page.locator("#result dd").first.evaluate(moving)[0] == "none"
    expect(page.locator("#result")).to_be_visible()
