"""Reading boards from stored screenshots, which are named after program and pitch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sapper import vision
from sapper.errors import BadSetting
from sapper.vision import reading
from sapper.vision.learning import learn_theme
from support.marks import sampled
from support.program import sapper
from support.screens import SCREENS, contradictions, screen
from support.screens import reading as read_screen

NAMES = sorted(path.stem for path in SCREENS.glob("*.png"))


def _stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("name", sampled(NAMES, 2))
def test_every_cell_is_read(name: str) -> None:
    """The board, the theme and the cells are found automatically and match what people see."""
    _, looks = screen(name)
    found = read_screen(name)
    assert found.theme == name.rsplit("-", 2)[0]
    assert round(found.geometry.pitch) == int(name.split("-")[-2])
    assert found.looks.decode() == "".join(looks)
    assert not found.unreadable


@pytest.mark.parametrize("path", sorted((SCREENS / "mostly-open").glob("*.png")), ids=_stem)
@pytest.mark.parametrize("theme", ["xdemineur", None])
def test_a_board_that_is_mostly_open_is_read(path: Path, theme: str | None) -> None:
    """Faint outlines neither shift the board nor add a line."""
    found = vision.read(vision.load(path), theme)
    assert found.looks.decode() == path.with_suffix(".txt").read_text("ascii").replace("\n", "")
    assert (found.unreadable, found.theme, found.mines) == ((), "xdemineur", 10)


@pytest.mark.parametrize(
    "name", [n for n in NAMES if n in ("xbomb-20-lost", "sgt-mines-20-solved")]
)
def test_the_numbers_agree_with_the_mines(name: str) -> None:
    """In screenshots that show every mine, each number counts the mines around it."""
    assert contradictions(read_screen(name).position) == []


@pytest.mark.parametrize("margin", [1, 7, 40])
def test_the_board_is_found_wherever_it_is(margin: int) -> None:
    """Additional content around the board only changes its location."""
    image, looks = screen("xdemineur-21-lost")
    wider = np.pad(image, ((margin, 2 * margin), (2 * margin, margin), (0, 0)))
    assert vision.read(wider).looks.decode() == "".join(looks)


def test_a_known_board_is_read_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Theme and geometry of an earlier reading are reused."""
    image, looks = screen("xdemineur-21-lost")
    first = read_screen("xdemineur-21-lost")
    for search in ("find_geometry", "themes", "read_total"):
        monkeypatch.delattr(reading, search)
    assert vision.read(image, first.theme, first.geometry).looks.decode() == "".join(looks)


def test_unknown_cell_is_rejected() -> None:
    """A smeared cell is reported instead of guessed; the others are read."""
    image, _ = screen("sgt-mines-20-lost")
    first = read_screen("sgt-mines-20-lost")
    smeared = image.copy()
    x, y = first.geometry.centre(4, 5)
    smeared[y - 6 : y + 6, x - 6 : x + 6] = (90, 160, 70)
    found = vision.read(smeared, first.theme, first.geometry)
    assert found.unreadable == ((4, 5),)
    with pytest.raises(vision.Unreadable, match=r"1 of 256 cells .*\(4, 5\)"):
        _ = found.position


@pytest.mark.parametrize("kind", ["flat", "noise", "stripes"])
def test_picture_without_a_board_is_reported(kind: str) -> None:
    """The error says that there is no board."""
    rng = np.random.default_rng(1)
    image = np.full((200, 300, 3), 200, dtype=np.uint8)
    if kind == "noise":
        image = rng.integers(0, 255, image.shape, dtype=np.uint8)
    elif kind == "stripes":
        image[:, ::20] = 0
    with pytest.raises((vision.NoBoard, vision.Unreadable)):
        vision.read(image)


def test_a_theme_is_learned_from_one_screenshot(tmp_path: Path) -> None:
    """A screenshot and its text give a theme that can read other screenshots."""
    image, looks = screen("xbomb-20-lost")
    made = learn_theme(image, "\n".join(looks), str(tmp_path / "mine.toml"))
    found = vision.read(image, vision.load_theme(str(made)))
    assert found.looks.decode() == "".join(looks)
    assert vision.load_theme(str(made)).name == "mine"


def test_mismatched_text_is_rejected(tmp_path: Path) -> None:
    """The text must match the size of the board and contain only known looks."""
    image, looks = screen("xbomb-20-lost")
    path = str(tmp_path / "mine.toml")
    with pytest.raises(BadSetting, match="16 rows of 30"):
        learn_theme(image, "...", path)
    with pytest.raises(BadSetting, match="unknown look '9'"):
        learn_theme(image, "\n".join(looks).replace("1", "9"), path)


def test_read_output_is_analyze_input() -> None:
    """``sapper read`` prints a position's text form, or JSON with the geometry."""
    path = str(SCREENS / "sgt-mines-41-open.png")
    plain = sapper("read", path)
    assert plain.code == 0
    assert plain.out.splitlines() == ["mines: 10", *screen("sgt-mines-41-open")[1]]
    [answer] = sapper("read", path, "--mines", "12", "--json").json
    assert answer["position"]["mines"] == 12
    assert answer["geometry"]["columns"] == 9
    assert len(answer["confidence"]) == 9


def test_read_command_reports_errors() -> None:
    """Missing files, invalid pictures and unknown themes each print one line."""
    for arguments in (
        ["gone.png"],
        [__file__],
        [str(SCREENS / "xbomb-20-lost.png"), "--theme", "x"],
        [
            str(SCREENS / "xbomb-20-lost.png"),
            "--theme",
            "x.toml",
            "--learn",
            str(SCREENS / "xbomb-20-lost.png"),
        ],
    ):
        done = sapper("read", *arguments)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
