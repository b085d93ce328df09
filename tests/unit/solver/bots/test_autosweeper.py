"""Autosweeper, level by level, including the flaw in its second level."""

import pytest

from sapper.position import Position
from sapper.rules import Level
from sapper.solver import analyze
from sapper.solver.bots import Choice, _buckets, as_choice, make_bot
from sapper.solver.bots.autosweeper import Autosweeper
from sapper.topology import Cell, topology

WRONG = Position.parse(".21\n...\n111")
"""Found by a search: the 2 has four unknown cells, and the sub-buckets of three numbers overlap."""

FOUR_AND_TWO = """
1......1
........
...42...
........
1......1
"""
TIED = {Cell(1, 5), Cell(2, 5), Cell(3, 5)}


def choose(text: str, *, sound: bool = False) -> Choice:
    """Return the bot's choice in a position."""
    return as_choice(make_bot("autosweeper", sound=sound).choose(Position.parse(text)))


def opened(choice: Choice) -> set[Cell | None]:
    """Return the cells that a choice opens."""
    return {action.cell for action in choice.actions if action.kind == "open"}


def test_corners_are_opened_in_order() -> None:
    """As in the original, the order is down the first column, then down the last."""
    shape = topology("rectangle", 5, 4)
    cells, corners = bytearray(b"." * 20), []
    for _ in range(4):
        choice = as_choice(make_bot("autosweeper").choose(Position(shape, bytes(cells))))
        assert (choice.by, choice.guess) == ("corner", True)
        [corner] = opened(choice)
        assert corner is not None
        corners.append(corner)
        cells[shape.index(corner)] = ord("1")
    assert corners == [(0, 0), (3, 0), (0, 4), (3, 4)]
    assert as_choice(make_bot("autosweeper").choose(Position(shape, bytes(cells)))).by == "level 3"


def test_levels_apply_after_a_zero() -> None:
    """The bot opens corners until one of them is a zero."""
    assert choose("01..\n01..\n01..").by != "corner"


def test_level_1_flags_and_opens() -> None:
    """The 1 in the corner marks its only neighbour, which completes the other numbers."""
    choice = choose("1.1.\n111.\n00..")
    actions = [(action.kind.value, action.cell) for action in choice.actions]
    assert actions[0] == ("flag", (0, 1))
    assert actions[1:] == [("open", cell) for cell in [(0, 3), (1, 3), (2, 2), (2, 3)]]
    assert (choice.by, choice.risk, choice.guess) == ("level 1", 0.0, False)


@pytest.mark.parametrize("sound", [False, True])
def test_level_2_subtracts_contained_bucket(sound: bool) -> None:
    """The second 1 has both unknown cells of the first and one more, which is safe."""
    choice = choose("...22\n11122\n00022", sound=sound)
    assert choice.by == "level 2"
    assert (0, 2) in opened(choice)


@pytest.mark.parametrize("sound", [False, True])
def test_level_2_finds_overlap_with_all_mines(sound: bool) -> None:
    """Source: the text of figure 3 in the documentation: two buckets overlap in the middle.

    The main, left and right buckets have one mine each, so one mine lies where left and right meet.
    """
    level2 = _buckets.sound if sound else _buckets.published
    buckets = {
        10: _buckets.Bucket((1, 2, 3), 1),
        11: _buckets.Bucket((1, 2), 1),
        12: _buckets.Bucket((2, 3), 1),
    }
    owners = {1: [10, 11], 2: [10, 11, 12], 3: [10, 12]}
    assert level2(buckets, owners, buckets) == {1, 3}


def test_level_2_is_unsound_as_published() -> None:
    """Level 2 calls three cells safe of which two are mines; the sound variant finds two."""
    published, sound = choose(str(WRONG)), choose(str(WRONG), sound=True)
    assert published.by == sound.by == "level 2"
    assert not published.guess
    assert opened(published) & analyze(WRONG).mined == {Cell(0, 0), Cell(1, 1)}
    assert opened(sound) == analyze(WRONG).safe == {Cell(1, 0), Cell(1, 2)}


def test_level_3_of_a_four_and_a_two() -> None:
    """With seven unknown cells each, the 2's own cells get 2/7, shared cells the larger 4/7."""
    choice = choose(FOUR_AND_TWO)
    assert (choice.by, choice.guess) == ("level 3", True)
    assert choice.risk == pytest.approx(2 / 7)
    assert opened(choice) <= TIED


def test_seed_breaks_ties() -> None:
    """Equal seeds give equal games, and other seeds open other cells."""
    bot, tied = Autosweeper(), Position.parse(FOUR_AND_TWO)
    taken = set()
    for seed in range(12):
        choices = []
        for _ in range(2):
            bot.begin(Level.of("8x5@0.2"), seed)
            choices.append(bot.choose(tied))
        assert choices[0] == choices[1]
        taken |= opened(choices[0])
    assert taken == TIED


def test_random_cell_is_opened_without_useful_numbers() -> None:
    """Behind a wall of marked mines, the bot opens a random cell and states no risk."""
    choice = choose("...\n...\n232\n000")
    assert (choice.by, choice.risk, choice.guess) == ("level 3", None, True)
    assert {action.cell for action in choice.actions if action.kind == "flag"} == {
        (1, 0),
        (1, 1),
        (1, 2),
    }
    assert opened(choice) < {Cell(0, 0), Cell(0, 1), Cell(0, 2)}


def test_nothing_is_opened_when_only_mines_are_left() -> None:
    """A position with only mines left is won or impossible."""
    assert choose("..\n22\n00").by == "nothing left"
