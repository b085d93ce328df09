"""Old attribute names still work for one minor version, with a warning."""

from types import ModuleType

import pytest

import sapper.coach.trainer
import sapper.generation
import sapper.lab
import sapper.replay
import sapper.simulation
from sapper import Game, Position, outcomes, simulate
from sapper.simulation import BotRunner


def test_old_attribute_warns_and_reads_the_new_one() -> None:
    """[#35] `safe` was a number in `Outcome` but a collection elsewhere."""
    first = outcomes(Position.parse("..\n11", mines=1), (0, 0))[0]
    with pytest.warns(DeprecationWarning, match="Outcome.safe is deprecated; use Outcome.safe_cou"):
        assert first.safe == first.safe_count


def test_old_attribute_of_guess_warns() -> None:
    """The old name in `Guess` also warns and returns the new attribute."""
    game = Game("9x9:10", first_click="any", seed=3)
    game.open((0, 0))
    [guess] = game.guesses.each
    with pytest.warns(DeprecationWarning, match="Guess.safe is deprecated"):
        assert guess.safe == guess.safe_count


def test_old_argument_warns_and_sets_the_new_one() -> None:
    """[#35] `options` meant the bot's options in `simulate`, but the rule set's in `Game`."""
    new = simulate("groups", "5x5:4", n=5, seed=1, bot_options={"last_turns": False})
    with pytest.warns(DeprecationWarning, match="simulate.options=. is deprecated; use bot_opt"):
        old = simulate("groups", "5x5:4", n=5, seed=1, options={"last_turns": False})
    assert old == new
    with pytest.warns(DeprecationWarning, match="Simulation.options is deprecated"):
        assert old.options == {"last_turns": False}


def test_old_attribute_can_still_be_set() -> None:
    """Setting the old name of an attribute warns and sets the new one."""
    runner = BotRunner(object())
    with pytest.warns(DeprecationWarning, match="BotRunner.told is deprecated; use BotRunner.on_c"):
        runner.told = print
    assert runner.on_choice is print


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        (sapper.coach.trainer, "Outcome", "TrainingResult"),
        (sapper.generation, "Step", "NoGuessStep"),
        (sapper.lab, "Verdict", "SprtVerdict"),
        (sapper.replay, "Choice", "ReplayChoice"),
        (sapper.replay, "Step", "ReplayStep"),
        (sapper.simulation, "Step", "SimulationStep"),
    ],
)
def test_old_names_of_classes_warn(module: ModuleType, old: str, new: str) -> None:
    """[#35] Several modules had a `Step`, a `Choice`, an `Outcome` and a `Verdict`."""
    with pytest.warns(
        DeprecationWarning, match=rf"{old} is deprecated; use {module.__name__}.{new}"
    ):
        assert getattr(module, old) is getattr(module, new)
    assert not hasattr(module, "Missing")
