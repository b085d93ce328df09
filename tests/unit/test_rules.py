"""Levels and their text form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import BadLevel, BadSetting
from sapper.game import Game
from sapper.generation import generate
from sapper.rules import BEGINNER, EXPERT, INTERMEDIATE, LEVELS, Level, level_name
from sapper.topology import TOPOLOGIES


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """Any level of up to a million cells."""
    width, height = draw(st.integers(1, 1000)), draw(st.integers(1, 1000))
    shape = draw(st.sampled_from(sorted(TOPOLOGIES)))
    if draw(st.booleans()):
        return Level(width, height, draw(st.integers(0, width * height)), topology=shape)
    density = draw(st.floats(0, 1, allow_subnormal=True))
    return Level(width, height, density=density, topology=shape)


@given(levels())
def test_text_round_trips(level: Level) -> None:
    """The printed text of a level gives the same level."""
    assert Level.parse(str(level)) == level


@pytest.mark.parametrize(
    ("name", "size"),
    [("beginner", (9, 9, 10)), ("intermediate", (16, 16, 40)), ("expert", (30, 16, 99))],
)
def test_presets_have_the_usual_sizes(name: str, size: tuple[int, int, int]) -> None:
    """Beginner, Intermediate and Expert have their standard sizes."""
    level = Level.parse(name)
    assert (level.width, level.height, level.mines) == size
    assert str(level) == name
    assert {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}[name] == level


def test_preset_is_recognised_by_its_size() -> None:
    """30x16:99 is Expert and is printed as such."""
    assert Level.parse("30x16:99") == EXPERT
    assert str(Level(30, 16, 99)) == "expert"
    assert str(Level(30, 16, 99, topology="torus")) == "expert/torus"


def test_arbiter_beginner_has_its_own_name() -> None:
    """Arbiter's Beginner has a name, but its text form is still its size [#34]."""
    level = Level.parse("beginner (8x8)")
    assert level == Level(8, 8, 10)
    assert str(level) == "8x8:10"
    assert level_name(level) == level_name("8x8:10") == "beginner (8x8)"
    assert [level_name(name) for name in LEVELS] == list(LEVELS)


def test_a_density_has_no_total() -> None:
    """Autosweeper's levels give each cell a chance, and the player does not know the total."""
    level = Level.parse("20x20@0.07")
    assert (level.mines, level.density) == (None, 0.07)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Expert",
        " expert",
        "hard",
        "9x9",
        "9x9:",
        "9x9@",
        "9x9:-1",
        "9x9:1.5",
        "9:9x10",
        "0x9:0",
        "9x0:0",
        "9x9:82",
        "9x9@1.5",
        "9x9@-0.1",
        "9x9@nan",
        "9x9@1e5",
        "9x9@.",
        "9x9:10/",
        "9x9:10/cube",
        "9x9:10/torus/torus",
        "٩x٩:10",
        "9999999999x1:1",
        "10000x10000:5",
        "9x9:10\n",
    ],
)
def test_bad_levels_are_rejected_and_repeated(text: str) -> None:
    """All invalid levels raise the same kind of error, which repeats the input."""
    with pytest.raises(BadLevel) as caught:
        Level.parse(text)
    assert repr(text) in str(caught.value)


def test_bad_level_error_shows_valid_forms() -> None:
    """The message lists the presets and shows both forms."""
    with pytest.raises(BadLevel) as caught:
        Level.parse("hard")
    assert all(form in str(caught.value) for form in (*LEVELS, "30x16:99", "20x20@0.15"))


def test_mines_and_density_exclude_each_other() -> None:
    """A level has a mine total or a density, never both."""
    with pytest.raises(BadLevel, match="a mine total or a density, not both"):
        Level(9, 9, 10, 0.1)


def test_unknown_mine_total_round_trips() -> None:
    """A level without a mine total has a text form, but cannot be dealt."""
    level = Level(9, 9)
    assert not level.known
    assert Level.parse("9x9:?") == level == Level.parse(str(level))
    for deal in (Game, generate):
        with pytest.raises(BadSetting, match=r"9x9:\? says nothing about its mines"):
            deal(level)


@given(st.text())
def test_any_text_is_read_or_rejected(text: str) -> None:
    """Any text gives a level or the documented error."""
    try:
        level = Level.parse(text)
    except BadLevel:
        return
    assert Level.parse(str(level)) == level
