"""Guesses found by search."""

from __future__ import annotations

import pytest

from sapper import Position, analyze, optimal
from sapper.errors import SapperError
from sapper.game import Game
from sapper.solver.search import guesses
from sapper.solver.search.guesses import CHAMPION, GRANDMASTER, SWIFT, Effort, Searcher
from sapper.topology import Rectangle

EFFORTS = pytest.mark.parametrize("effort", [SWIFT, CHAMPION, GRANDMASTER], ids=str)

# No cell is safe here, so a guess is needed.
GUESS = """\
1.......
2.......
.3......
........
........
........
........
........"""


def guessing(mines: int | None = 12) -> Position:
    """A position without a safe cell."""
    return Position.parse(GUESS, mines=mines)


@EFFORTS
def test_same_position_gets_the_same_guess(effort: Effort) -> None:
    """A guess does not depend on earlier queries or on the searcher."""
    searcher = Searcher(effort)
    first = searcher.guess(guessing())
    searcher.guess(Position.parse("....\n.2..\n....\n....", mines=4))
    assert searcher.guess(guessing()) == first
    assert Searcher(effort).guess(guessing()) == first


@EFFORTS
def test_risks_match_the_analysis(effort: Effort) -> None:
    """Each candidate has its exact chance of a mine."""
    p_mine = analyze(guessing()).p_mine.ravel()
    picks = Searcher(effort).guess(guessing()).picks
    assert picks
    for pick in picks:
        assert pick.risk == pytest.approx(p_mine[pick.index], abs=1e-6)


@EFFORTS
def test_win_chance_does_not_exceed_safety(effort: Effort) -> None:
    """A win chance is at most the chance to survive the guess."""
    for pick in Searcher(effort).guess(guessing()).picks:
        assert 0 <= pick.win_chance <= 1 - pick.risk + 1e-6


def test_few_solutions_are_played_perfectly() -> None:
    """Near the end, the guess follows perfect play and has an exact win chance."""
    position = Position.parse("....\n.2..\n....\n....", mines=3)
    best = optimal(position)
    guess = Searcher(CHAMPION).guess(position)
    picks = guess.picks
    assert guess.exact
    assert picks[0].index in best.best_indices
    assert picks[0].win_chance == pytest.approx(best.win_chance)


@pytest.mark.parametrize("mines", [12, None])
def test_flags_do_not_change_the_guess(mines: int | None) -> None:
    """Flags count as the player's opinion, with or without a mine total."""
    flagged = GUESS.replace("1.......", "1F......")
    searcher = Searcher(SWIFT)
    plain = searcher.guess(guessing(mines))
    assert plain.picks
    assert searcher.guess(Position.parse(flagged, mines=mines)) == plain


def test_torus_can_be_searched() -> None:
    """The search also works on boards without edges."""
    game = Game("10x10:25/torus", first_click="safe", seed=5)
    game.open((4, 4))
    picks = Searcher(SWIFT).guess(game.position).picks
    assert picks
    assert not isinstance(game.position.topology, Rectangle)


def test_damaged_network_raises_sapper_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the file and the remedy."""
    monkeypatch.setattr(guesses, "_network", lambda: b"not a network")
    with pytest.raises(SapperError, match=r"win_chance\.net is damaged or from another version"):
        Searcher(SWIFT)
