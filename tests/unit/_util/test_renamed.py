"""Old attribute names work for one minor version, with a warning."""

import pytest

from sapper import Game, Position, outcomes


def test_an_old_name_warns_and_reads_the_new_one() -> None:
    """[#35] `safe` was a number in `Outcome`, and a collection elsewhere."""
    first = outcomes(Position.parse("..\n11", mines=1), (0, 0))[0]
    with pytest.warns(DeprecationWarning, match="Outcome.safe is deprecated; use Outcome.safe_cou"):
        assert first.safe == first.safe_count


def test_a_guess_has_its_old_name_too() -> None:
    """Likewise in `Guess`."""
    game = Game("9x9:10", first_click="any", seed=3)
    game.open((0, 0))
    [guess] = game.guesses.each
    with pytest.warns(DeprecationWarning, match="Guess.safe is deprecated"):
        assert guess.safe == guess.safe_count
