"""Themes, sizes and the overlay, as far as a machine can look."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, open_cell, position, still
from sapper.solver import analyze

Visit = Callable[..., Page]

_PAPER = "() => getComputedStyle(document.body).backgroundColor"


def test_the_theme_follows_the_system_until_it_is_chosen(visit: Visit) -> None:
    """Dark by the system, light by the button, and still light after a reload."""
    page = visit(color_scheme="dark")
    dark = page.evaluate(_PAPER)
    page.click("#theme")
    light = page.evaluate(_PAPER)
    assert dark != light
    page.reload()
    assert page.evaluate(_PAPER) == light


@pytest.mark.parametrize(
    ("width", "height"), [(1440, 900), (1024, 768), (390, 844)], ids=["wide", "small", "phone"]
)
@pytest.mark.parametrize("level", ["beginner", "expert"])
def test_nothing_is_cut_off(visit: Visit, width: int, height: int, level: str) -> None:
    """The page itself never scrolls, and the board fits it or pans within its frame."""
    page = visit(viewport={"width": width, "height": height})
    choose(page, level)
    still(page)
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


def test_plus_and_minus_change_the_cells(visit: Visit) -> None:
    """The size is whole pixels, and 0 fits the window again."""
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


def test_the_overlay_shows_the_exact_chances(visit: Visit) -> None:
    """Every cell's number is the analysis's, proved cells are marked apart, hover says it all."""
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
                element.to_have_text(str(round(100 * float(found.p_mine[at]))))
        # The overlay follows the game.
        at = min(found.safe)
        open_cell(page, at.row, at.col)
    cell(page, *position(page, 10).unopened_cells()[-1]).hover()
    expect(page.locator("#tip")).to_contain_text("arrangements")
    page.click("#overlay >> text=States")
    expect(page.locator(".cell.heat")).to_have_count(0)


def test_the_modern_look_is_there(visit: Visit) -> None:
    """The look is chosen in the panel and stays."""
    page = visit()
    page.click("summary:has-text('View')")
    page.select_option("#look", "modern")
    border = "() => getComputedStyle(document.querySelector('.cell')).borderTopWidth"
    assert page.evaluate(border) == "0px"
    page.reload()
    page.wait_for_selector(".cell")
    assert page.evaluate(border) == "0px"
