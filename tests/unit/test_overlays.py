"""Overlays: the built-in ones, registration, and errors in plugins' overlays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sapper import Position, analyze
from sapper.errors import BadSetting, OverlayFailed
from sapper.overlays import OVERLAYS, Mark, Overlay, marks_of, register
from sapper.translation import Text

WALL = Position.parse("....\n.1..\n....", mines=2)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Restore the registry after a test."""
    before = dict(OVERLAYS)
    yield
    OVERLAYS.clear()
    OVERLAYS.update(before)


def registered(marks: Any) -> type[Overlay]:
    """Register an overlay with these marks."""
    return register(type("Mine", (Overlay,), {"name": "mine", "label": "Mine", "marks": marks}))


def marks(name: str, position: Position = WALL) -> dict[int, Mark]:
    """Return the marks of an overlay."""
    return marks_of(name, position, analyze(position.without_flags()))


def test_chances_are_shown_in_percent_and_in_words() -> None:
    """Proved cells have a tint instead of a percentage."""
    found = marks("chances")
    assert (found[0].text, found[0].spoken, found[0].heat) == ("13", "12.5 % mine", 0.25)
    assert (found[3].text, found[3].heat) == ("33", pytest.approx(2 / 3))
    proved = marks("chances", Position.parse("..1\n.21\n110", mines=2))
    assert {mark.tint for mark in proved.values()} == {"safe", "danger"}


def test_chances_near_0_and_1_are_shown_as_bounds() -> None:
    """A cell that is not proved never shows 0 or 100."""
    sparse = marks("chances", Position.parse("\n".join(["." * 30] * 10), mines=1))
    assert {mark.text for mark in sparse.values()} == {"<1"}
    dense = marks("chances", Position.parse("\n".join(["." * 30] * 10), mines=299))
    assert {mark.text for mark in dense.values()} == {">99"}


def test_cells_without_a_chance_have_no_mark() -> None:
    """Without a total or a density, 50 % would be misleading; states still show "unknown"."""
    unknown = Position.parse("....\n.1..\n....")
    assert 3 not in marks("chances", unknown)
    assert marks("states", unknown)[3].tint == "unknown"


def test_risks_have_three_classes_next_to_numbers() -> None:
    """Cells that touch no number have no mark."""
    found = marks("risks")
    assert {at: mark.tint for at, mark in found.items()} == dict.fromkeys(
        (0, 1, 2, 4, 6, 8, 9, 10), "low"
    )
    assert marks("risks", Position.parse("..\n11", mines=1))[0].tint == "high"


def test_texts_of_built_in_overlays_can_be_translated() -> None:
    """Labels, summaries and spoken text are marked; a new one needs no translation yet."""
    texts = {text for cls in OVERLAYS.values() for text in (cls.label, cls.summary)}
    for position in (WALL, Position.parse("..1\n.21\n110", mines=2)):
        texts |= {mark.spoken for name in OVERLAYS for mark in marks(name, position).values()}
    assert "12.5 % mine" in texts
    assert [text for text in texts if text and not isinstance(text, Text)] == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"text": "1000"},
            "the text of a mark must be a string of at most 3 characters, got '1000'",
        ),
        ({"text": 3}, "at most 3 characters, got 3"),
        ({"spoken": None}, "the words of a mark must be a string, got None"),
        ({"tint": "red"}, "unknown tint 'red'; choose from: safe, danger, unknown, low, medium"),
        ({"heat": 1.5}, "heat must be between 0 and 1, got 1.5"),
    ],
)
def test_a_mark_that_cannot_be_drawn_is_refused(values: dict[str, Any], message: str) -> None:
    """The error states the value and the allowed values."""
    with pytest.raises(BadSetting, match=message):
        Mark(**values)


def test_an_incomplete_overlay_is_refused() -> None:
    """The error names the missing part."""
    with pytest.raises(BadSetting, match="Nameless needs an attribute name of type str, got None"):
        register(type("Nameless", (Overlay,), {"label": "x"}))
    with pytest.raises(BadSetting, match="NoLabel needs an attribute label of type str, got None"):
        register(type("NoLabel", (Overlay,), {"name": "x"}))
    with pytest.raises(BadSetting, match=r"Empty needs a method marks\(position, analysis\)"):
        register(type("Empty", (Overlay,), {"name": "x", "label": "x"}))
    for name in ("none", "marks", "chances"):
        with pytest.raises(BadSetting, match=f"there is an overlay '{name}' already"):
            register(type("Again", (Overlay,), {"name": name, "label": "x", "marks": id}))


@pytest.mark.parametrize(
    ("marks_method", "message"),
    [
        (lambda *_: 1 / 0, r"overlay mine: .*test_overlays.py:\d+ in <lambda>: ZeroDivisionError"),
        (lambda *_: None, r"overlay mine: .* in marks: returned None; expected cells and their"),
        (lambda *_: {(0, 0): "3"}, "returned '3' for a cell; expected a Mark"),
        (lambda *_: {(9, 0): Mark("1")}, "no cell \\(9, 0\\) on a board with 3 rows"),
        (lambda *_: {"a1": Mark("1")}, "a cell is \\(row, col\\), got 'a1'"),
    ],
)
def test_an_overlay_that_fails_is_named_with_its_line(marks_method: Any, message: str) -> None:
    """Returning something other than marks also counts as a failure."""
    registered(marks_method)
    with pytest.raises(OverlayFailed, match=message):
        marks("mine")


def test_marks_of_opened_cells_are_left_out() -> None:
    """Opened cells show their number."""
    registered(lambda _, position, __: dict.fromkeys(position.topology.cells(), Mark("1")))
    assert 5 not in marks("mine")
    assert len(marks("mine")) == 11


def test_an_unknown_overlay_names_the_others() -> None:
    """The error lists all overlays."""
    with pytest.raises(BadSetting, match="unknown overlay 'x'; choose from: states, chances"):
        marks("x")
