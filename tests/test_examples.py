"""The scripts in examples/ do what the docs say."""

import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import sapper
import sapper.env
from sapper._util.python_file import run_file
from sapper.stats import wilson

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "train_agent.py"
CURVE = ROOT / "examples" / "maskable_ppo_curve.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, as a module."""
    return run_file(EXAMPLE, "example")


def test_the_trained_agent_plays_as_a_bot() -> None:
    """The agent wins most Beginner games; a bot that opens cells in order wins hardly any."""
    found = sapper.simulate(f"{EXAMPLE}:TrainedAgent", "beginner", start=(4, 4), n=100, seed=1)
    assert found.wins > 60


def test_features_match_human_deductions(script: ModuleType) -> None:
    """A 1 with one cell left proves a mine there, so other 1s next to the mine need no more."""
    cells = np.array([[[9, 1, 9], [1, 1, 9]]], dtype=np.int8)
    # The 1 at (1, 0) has only (0, 0) left, which is also the mine next to the other two numbers.
    features = script.features(cells)[0]
    known = features[..., -1]
    assert known.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert features[0, 2, 0] == 2
    assert features[0, 2, -2] == 5


@pytest.mark.slow
def test_training_beats_random_moves(script: ModuleType, tmp_path: Path) -> None:
    """After a few generations on a handful of games, the agent beats random moves."""
    script.GAMES, script.TEST_GAMES = 8, 32
    weights, curve = script.train(10, seed=1)
    assert [generation for generation, _ in curve] == [0, 5, 10]
    assert max(rate for _, rate in curve[1:]) > curve[0][1]
    assert len(weights) == script.SIZE == len(json.loads(script.WEIGHTS.read_text("utf-8")))
    script.plot(curve, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 1000


def test_baselines_play_the_same_boards_as_the_agent(tmp_path: Path) -> None:
    """The least risky moves win most boards, random moves none; both are plotted with the agent."""
    curve = run_file(CURVE, "curve")
    curve.BOARDS = 40
    wins = {
        "random moves": curve.wins_of(curve.random_moves()),
        "least risk": curve.wins_of_bot("exact"),
    }
    assert wins["random moves"] == 0
    assert wins["least risk"] > 25
    curve.plot({"agent": [(0, 0), (64, 5)], **wins}, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 1000


def test_chooser_plays_the_same_boards_as_bots() -> None:
    """The same cells win the same games, in a batch or one game at a time."""
    curve = run_file(CURVE, "curve")
    curve.BOARDS = 40
    first: list[np.ndarray] = []

    def in_order(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        first.append(observations)
        return masks.argmax(axis=1)

    curve.wins_of(in_order)
    env = sapper.env.MinesweeperEnv("beginner", flags=False)
    assert len(first) > 1
    for game, planes in enumerate(first[1][:5]):
        env.reset(seed=curve.SEED + game)
        assert np.array_equal(env.step(0)[0], planes.argmax(axis=0))


def test_documented_figures_match_the_saved_run() -> None:
    """The wins and intervals in docs/rl-libraries.md match the saved run."""
    curve = run_file(CURVE, "curve")
    found = json.loads(curve.RESULT.read_text("utf-8"))
    page = (ROOT / "docs" / "rl-libraries.md").read_text("utf-8")
    steps, wins = found["agent"][-1]
    assert f"{steps:,} steps" in page
    for won in (wins, found["least risk"], found["random moves"]):
        low, high = (100 * end for end in wilson(won, curve.BOARDS))
        row = f"| {won:,} | {won / curve.BOARDS:.1%} [{low:.1f}, {high:.1f}] |"
        assert row.replace("%", " %") in page
