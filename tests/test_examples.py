"""The scripts in examples/ do what the docs say."""

import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import sapper
from sapper._util.python_file import run_file

EXAMPLE = Path(__file__).parents[1] / "examples" / "train_agent.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, as a module."""
    return run_file(EXAMPLE, "example")


def test_the_trained_agent_plays_as_a_bot() -> None:
    """It wins most Beginner games, while a bot that opens in row order wins hardly any."""
    found = sapper.simulate(f"{EXAMPLE}:TrainedAgent", "beginner", start=(4, 4), n=100, seed=1)
    assert found.wins > 60


def test_the_features_say_what_a_player_would(script: ModuleType) -> None:
    """A 1 whose last cell is a mine proves that cell, and leaves the other neighbours safe."""
    cells = np.array([[[9, 1, 9], [1, 1, 9]]], dtype=np.int8)
    # The 1 at (1, 0) has only (0, 0) left, so the other two know their mine.
    features = script.features(cells)[0]
    known = features[..., -1]
    assert known.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert features[0, 2, 0] == 2
    assert features[0, 2, -2] == 5


@pytest.mark.slow
def test_training_beats_random_moves(script: ModuleType, tmp_path: Path) -> None:
    """A few generations on a handful of games already win more than random moves do."""
    script.GAMES, script.TEST_GAMES = 8, 32
    weights, curve = script.train(10, seed=1)
    assert [generation for generation, _ in curve] == [0, 5, 10]
    assert max(rate for _, rate in curve[1:]) > curve[0][1]
    assert len(weights) == script.SIZE == len(json.loads(script.WEIGHTS.read_text("utf-8")))
    script.plot(curve, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 1000
