"""Random boards."""

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from sapper.errors import BadLevel, BadSetting
from sapper.game import Game
from sapper.generation import (
    check_seed,
    format_id,
    generate,
    new_seed,
    substream,
)
from sapper.generation.uniform import largest_neighbourhood
from sapper.rules import FirstClick
from sapper.topology import TOPOLOGIES, topology
from support.chi_square import chi_square_p

# The seeds are fixed, so the results never vary, and the bound only needs to hold once.
SMALLEST_P = 0.001


@pytest.mark.parametrize(
    ("level", "first_click", "start", "boards"),
    [
        ("3x2:2", "any", (0, 0), 15),
        ("3x2:2", "safe", (0, 0), 10),
        ("3x2:1", "opening", (0, 0), 2),
        ("4x2:2", "opening", (0, 0), 6),
        ("3x2:2", "safe", None, 15),
        ("2x2:2/torus", "any", (0, 0), 6),
    ],
)
def test_allowed_boards_are_uniform(
    level: str, first_click: str, start: tuple[int, int] | None, boards: int
) -> None:
    """All allowed boards are equally likely, and no other board occurs."""
    n = 400 * boards
    seen = Counter(
        g.board.mined for g in generate(level, n, first_click=first_click, start=start, seed=1)
    )
    assert len(seen) == boards
    assert chi_square_p(seen.values()) > SMALLEST_P


def test_density_makes_mines_independent() -> None:
    """The 16 boards of four cells have the frequencies of independent mines."""
    p, n = 0.3, 8000
    seen = Counter(g.board.mined for g in generate(f"2x2@{p}", n, first_click="any", seed=1))
    keys = sorted(seen)
    expected = [n * p ** sum(key) * (1 - p) ** (4 - sum(key)) for key in keys]
    assert len(keys) == 16
    assert chi_square_p([seen[key] for key in keys], expected) > SMALLEST_P


def test_drawn_first_cell_is_uniform() -> None:
    """If only the corners have room for an opening, they are equally likely."""
    firsts = Counter(g.start for g in generate("3x3:5", 800, first_click="opening", seed=1))
    assert set(firsts) == {(0, 0), (0, 2), (2, 0), (2, 2)}
    assert chi_square_p(firsts.values()) > SMALLEST_P


@pytest.mark.parametrize("level", ["beginner", "9x9:10/torus", "9x9:10/hexagon", "9x9@0.2"])
@pytest.mark.parametrize("first_click", list(FirstClick))
def test_promises_are_kept(level: str, first_click: FirstClick) -> None:
    """A safe start is not a mine, and an opening start is a zero."""
    for made in generate(level, 50, first_click=first_click, seed=3):
        at = made.board.topology.index(made.start)
        if first_click is not FirstClick.ANY:
            assert not made.board.mined[at]
        if first_click is FirstClick.OPENING:
            assert made.board.numbers[at] == 0


@pytest.mark.parametrize("first_click", list(FirstClick))
def test_board_is_recreated_from_its_record(first_click: FirstClick) -> None:
    """Board i of a run is board 0 of its own seed, with or without a given first cell."""
    for made in generate("beginner", 5, first_click=first_click, seed=2**64 - 3):
        assert next(generate("beginner", first_click=first_click, seed=made.seed)) == made
        again = generate("beginner", first_click=first_click, start=made.start, seed=made.seed)
        assert next(again) == made


@pytest.mark.parametrize("first_click", list(FirstClick))
@pytest.mark.parametrize("level", ["expert", "20x20@0.1", "9x9:10/torus"])
def test_a_classic_game_deals_the_generated_board(level: str, first_click: FirstClick) -> None:
    """A game with the same seed and first click has the same mines."""
    for made in generate(level, 5, first_click=first_click, seed=11):
        game = Game(level, first_click=first_click, seed=made.seed)
        game.open(made.start)
        for cell in made.board.mine_cells():
            if not game.over:
                game.open(cell)
        assert game.board == made.board


def test_boards_are_dealt_lazily() -> None:
    """A request for a million boards deals each one only when it is used."""
    assert len(list(islice(generate("expert", 1_000_000, seed=1), 3))) == 3


def test_record_is_complete() -> None:
    """The JSON record contains all fields of the board, the start, the seed and the 3BV."""
    made = next(generate("9x9:10", seed=7, start=(4, 4)))
    obj = made.to_json()
    assert obj == {
        "width": 9,
        "height": 9,
        "mines": 10,
        "rows": made.board.rows,
        "start": [4, 4],
        "seed": 7,
        "no_guess": False,
        "bbbv": made.board.bbbv,
        "id": format_id(made.board, (4, 4)),
    }


@pytest.mark.parametrize(
    ("level", "options", "reason"),
    [
        ("3x3:9", {}, "no cell of 3x3:9 can keep the promise of first click safe"),
        ("3x3:6", {"first_click": "opening"}, "no cell of 3x3:6"),
        ("3x3:9", {"start": (0, 0)}, "keeps 1 cells clear: mines must be at most 8, got 9"),
        ("3x3:1", {"first_click": "opening", "start": (1, 1)}, "keeps 9 cells clear"),
        (
            "3x3:1",
            {"first_click": "lucky"},
            "first_click must be any, safe or opening, got 'lucky'",
        ),
        ("3x3:1", {"start": (3, 0)}, r"no cell \(3, 0\)"),
        ("3x3:1", {"n": -1}, "0 or more, got -1"),
        ("3x3:1", {"seed": -1}, "got -1"),
        ("3x3:1", {"seed": 2**64}, "from 0 to"),
        ("3x3:1", {"seed": True}, "got True"),
        ("3x3:1", {"seed": "7"}, "got '7'"),
        ("3x3:1", {"n": True}, "0 or more, got True"),
        ("3x3:1", {"tries": 0}, "tries must be a whole number of 1 or more, got 0"),
        ("3x3:1", {"tries": "7"}, "tries must be a whole number of 1 or more, got '7'"),
        ("3x3:1", {"first_click": ""}, "first_click must be any, safe or opening, got ''"),
    ],
)
def test_impossible_request_is_rejected_immediately(
    level: str, options: dict[str, Any], reason: str
) -> None:
    """The call itself raises the error, which gives the reason, before any board is requested."""
    with pytest.raises(BadSetting, match=reason):
        generate(level, **options)


def test_a_bad_level_is_refused() -> None:
    """A level may also be given as text."""
    with pytest.raises(BadLevel, match="'huge'"):
        generate("huge")


def test_substreams_never_change() -> None:
    """A seed gives the same game in every version of Sapper."""
    assert substream(0, "deal") == int.from_bytes(bytes.fromhex("3860c442fbff1886"), "little")
    assert len({substream(s, p, n) for s in (0, 1) for p in "ab" for n in (0, 1)}) == 8


def test_a_board_of_a_seed_never_changes() -> None:
    """Every step from the seed to the mines is fixed."""
    made = next(generate("beginner", seed=1, start=(0, 0)))
    assert made.board.rows == [
        "000000000",
        "111110000",
        "*22*21100",
        "2*212*100",
        "111011100",
        "110000000",
        "*22321000",
        "13***1111",
        "02*4211*1",
    ]


def test_fresh_seeds_are_exact_in_javascript() -> None:
    """Fresh seeds are below 2**53, so JavaScript can represent them."""
    assert all(check_seed(new_seed()) < 2**53 for _ in range(100))


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_a_part_of_a_large_board_has_its_largest_neighbourhood(name: str) -> None:
    """The size is found without scanning a million cells before each game."""
    shape = topology(name, 64, 70)
    most = max(len(list(shape.neighbours(cell))) for cell in shape.cells())
    assert largest_neighbourhood(shape) == 1 + most
