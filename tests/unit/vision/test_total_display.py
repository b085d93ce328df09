"""The mine total next to a board is read with certainty or not at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from sapper import vision
from sapper.errors import BadSetting
from sapper.vision.theme import save_theme
from sapper.vision.total_display import Grey, TotalDisplay, _hits, read_total
from support.marks import slow
from support.screens import reading, screen

SHOWN = {
    "gnome-mines-23-fresh": 40,
    "kmines-29-fresh": 10,
    "sgt-mines-20-solved": 75,
    "sgt-mines-41-open": 10,
    "xbomb-50-lost": 10,
    "xdemineur-21-lost": 99,
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_total_is_read(name: str) -> None:
    """A whole window is read together with the mine total that it shows."""
    assert reading(name).mines == SHOWN[name]


def test_given_total_takes_precedence() -> None:
    """If a total is given, the one in the window is ignored."""
    image, _ = screen("sgt-mines-20-solved")
    assert vision.read(image, mines=7).mines == 7


def test_window_without_a_total_has_none() -> None:
    """After a loss, the status bar shows no mine total."""
    assert reading("sgt-mines-20-lost").mines is None


@pytest.mark.parametrize("name", SHOWN)
def test_a_total_is_never_misread(name: str) -> None:
    """A spot on the digits makes the total unknown, never a different number."""
    image, _ = screen(name)
    found = reading(name)
    how = vision.load_theme(found.theme).total
    assert how is not None
    answers = set()
    width = image.shape[1]
    for x, colour in zip(range(2, width - 5, max(7, width // 20)), cycle((0, 255)), strict=False):
        spotted = image.copy()
        spotted[:, x : x + 5] = colour
        answers.add(read_total(spotted, found.geometry, how, found.looks))
    assert answers == {SHOWN[name], None}


@pytest.mark.parametrize("colour", [0, slow(90), slow(255)])
@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.family
def test_a_total_on_a_whole_desktop_is_read_or_unknown(name: str, colour: int) -> None:
    """Neither the rest of the desktop nor a spot leads to a wrong number."""
    image, _ = screen(name)
    found = reading(name)
    how = vision.load_theme(found.theme).total
    assert how is not None
    height, width = image.shape[:2]
    desktop = np.full((height + 300, width + 500, 3), colour, dtype=np.uint8)
    desktop[100 : 100 + height, 220 : 220 + width] = image
    at = replace(found.geometry, x=found.geometry.x + 220, y=found.geometry.y + 100)
    answers = [read_total(desktop, at, how, found.looks)]
    if name.startswith(("sgt-mines", "xdemineur")):
        assert answers == [SHOWN[name]]
    for x in range(222, 215 + width, max(7, width // 6)):
        spotted = desktop.copy()
        spotted[:, x : x + 5] = 255 - colour
        answers.append(read_total(spotted, at, how, found.looks))
    assert set(answers) <= {SHOWN[name], None}


def test_digits_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a mine total, each of twelve parts of the picture was searched again."""
    image, _ = screen("sgt-mines-20-lost")
    found = reading("sgt-mines-20-lost")
    how = vision.load_theme("sgt-mines").total
    assert how is not None
    searched = []

    def hits(grey: Grey, how: TotalDisplay) -> object:
        searched.append(grey.shape)
        return _hits(grey, how)

    monkeypatch.setattr("sapper.vision.total_display._hits", hits)
    assert read_total(image, found.geometry, how, found.looks) is None
    assert len(searched) == 1


def test_flags_are_added_to_a_mines_left_counter() -> None:
    """A counter of remaining mines falls with every flag, so flags are added to it."""
    image, _ = screen("xdemineur-21-lost")
    found = reading("xdemineur-21-lost")
    how = vision.load_theme("xdemineur").total
    assert how is not None
    assert read_total(image, found.geometry, how, b"FF.X") == 102
    assert read_total(image, found.geometry, replace(how, counts_left=False), b"FF.X") == 99


def test_a_theme_keeps_its_total(tmp_path: Path) -> None:
    """A theme keeps the digits of its mine total when it is written and read back."""
    path = save_theme(vision.load_theme("sgt-mines"), tmp_path)
    image, _ = screen("sgt-mines-20-solved")
    assert vision.read(image, vision.load_theme(str(path))).mines == 75


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"side": "behind"}, "got 'behind'"),
        ({"pattern": r"\d+"}, "one group"),
        ({"glyphs": "012"}, "pictures"),
        ({"tolerance": 60.0}, "too similar"),
    ],
)
def test_ambiguous_digits_are_rejected(change: dict[str, object], rule: str) -> None:
    """No picture may be within the tolerance of two digits."""
    how = vision.load_theme("sgt-mines").total
    assert how is not None
    with pytest.raises(ValueError, match=rule):
        replace(how, **change)  # type: ignore[arg-type]


def test_an_empty_strip_has_no_total() -> None:
    """A picture that ends at the edge of the board has no total."""
    image, _ = screen("sgt-mines-41-open")
    found = reading("sgt-mines-41-open")
    how = vision.load_theme("sgt-mines").total
    assert isinstance(how, TotalDisplay)
    bottom = int(found.geometry.y + found.geometry.rows * found.geometry.pitch)
    for rows in (bottom, bottom + 3):
        assert read_total(np.ascontiguousarray(image[:rows]), found.geometry, how) is None


@pytest.mark.parametrize("pattern", ["(x)?.", "([^0-9]*)."])
def test_pattern_without_a_number_finds_none(pattern: str) -> None:
    """A group that matched nothing, or no number, caused a traceback."""
    image, _ = screen("sgt-mines-20-solved")
    found = reading("sgt-mines-20-solved")
    how = vision.load_theme("sgt-mines").total
    assert how is not None
    assert read_total(image, found.geometry, replace(how, pattern=pattern)) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[[", "Invalid initial character"),
        ("name = 3", "it has no 'sheets'"),
        ("sheets = 3", "'int' object"),
        ("[sheets]\n[play]\nnew = 3", "not iterable"),
        ("[sheets]\n[play]\nmessage = 61", "message must be from 0 to 60 seconds, got 61"),
    ],
)
def test_invalid_theme_is_rejected(tmp_path: Path, text: str, problem: str) -> None:
    """The error gives the file name and the reason."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=f"mine.toml' is not a valid theme: .*{problem}"):
        vision.load_theme(str(path))
