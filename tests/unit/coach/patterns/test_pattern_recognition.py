"""Patterns are found in every symmetry, and the cells that they prove are correct."""

import pytest

from sapper.coach.patterns import Family, Pattern, patterns, recognise
from sapper.coach.patterns.planes import Planes
from sapper.coach.patterns.symmetry import SYMMETRIES
from sapper.coach.patterns.templates import all_patterns
from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver import analyze
from sapper.topology import TOPOLOGIES, topology
from support.pictures import moments, surrounded, turned_position


@pytest.mark.parametrize("pattern", patterns().values(), ids=patterns())
def test_a_pattern_is_found_in_each_of_its_pictures(pattern: Pattern) -> None:
    """Every picture is found in all symmetries, even with nothing else known around it."""
    for form in pattern.forms:
        position = surrounded(form)
        for symmetry in SYMMETRIES:
            planes = Planes(turned_position(position, symmetry))
            found = [template for template, _ in all_patterns().find(planes)]
            assert any(
                template.pattern is pattern and template.picture is form for template in found
            )


def test_everything_that_patterns_prove_is_true() -> None:
    """In positions from games, the exact engine also proves each cell."""
    seen = 0
    for position in moments():
        known = analyze(position)
        for found in recognise(position):
            if found.pattern.proves:
                assert known.safe >= set(found.safe)
                assert known.mined >= set(found.mined)
                seen += 1
    assert seen > 300


def test_forced_guesses_are_even_in_positions() -> None:
    """In a 50/50 from a game, the engine gives both cells the same chance."""
    for pattern in patterns().values():
        if pattern.family is Family.DEAD:
            position = surrounded(pattern.forms[0])
            (found,) = (found for found in recognise(position) if found.pattern is pattern)
            chances = {float(analyze(position).p_mine[cell]) for cell in found.guessed}
            assert max(chances) - min(chances) < 1e-9


def test_a_title_names_the_wall_and_the_reduction() -> None:
    """If known mines were subtracted, the title gives the numbers on the board."""
    position = Position.parse(".....\n.232.\n.1*1.\n.....")
    found = [found for found in recognise(position) if found.pattern.id == "1-2-1"]
    assert [occurrence.title for occurrence in found] == ["1-2-1, reduced from 2-3-2"]
    assert found[0].reduced_from == "2-3-2"
    assert found[0].mines == ((2, 2),)
    assert found[0].place == ""


def test_json_has_cells_as_lists() -> None:
    """The JSON form names the pattern and its cells."""
    (found, *_) = recognise(Position.parse("....\n1111\n0000"))
    obj = found.to_json()
    assert obj["pattern"] == "wall-1-1"
    assert obj["safe"] == [[0, 2]]
    assert obj["numbers"] == [[1, 0], [1, 1]]


@pytest.mark.parametrize("name", sorted(set(TOPOLOGIES) - {"rectangle"}))
def test_other_shapes_have_no_patterns(name: str) -> None:
    """Pictures consist of squares, so they match no other shape."""
    assert recognise(Position.unopened(topology(name, 8, 8), 10)) == ()


def test_an_impossible_number_is_an_error() -> None:
    """The error names the cell."""
    with pytest.raises(InconsistentPosition, match=r"the number at \(0, 1\) is impossible"):
        recognise(Position.parse(".5.\n111"))


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 2), (40, 3)])
def test_boards_of_any_size_are_read(size: tuple[int, int]) -> None:
    """A board may be smaller than a picture."""
    assert recognise(Position.unopened(topology("rectangle", *size), 0)) == ()


def test_few_board_widths_are_remembered() -> None:
    """Boards of many widths do not fill the memory."""
    for width in range(4, 30):
        recognise(Position.parse("." * width + "\n" + "1" * width))
    assert len(all_patterns()._masks) <= 8


def test_flags_are_ignored_and_opened_mines_are_known() -> None:
    """Flags do not count as mines, and opened mines are subtracted."""
    plain = Position.parse("....\n1111\n0000")
    flagged = Position.parse("F...\n1111\n0000")
    assert {found.title for found in recognise(plain)} == {
        found.title for found in recognise(flagged)
    }
    assert recognise(Position.parse("*...\n1111\n0000")) == ()
