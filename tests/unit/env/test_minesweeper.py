from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sapper
from sapper.dealer import RULES
from sapper.env import (
    IDS,
    REWARDS,
    CellCode,
    FlagFree,
    MineChances,
    MinesweeperEnv,
    MinesweeperVectorEnv,
    OneHot,
    Rewards,
)
from sapper.env.rule_games import RuleGame
from sapper.env.spaces import observed, position_of
from sapper.errors import BadLevel, BadSetting, IllegalAction, WrongType
from support.marks import sampled

SMALL = "4x3:3"
BAD_ACTIONS = [-1, 162, 1.5, "0", 2**70, None, True, False, np.True_, np.array([1]), np.array(1.0)]
BAD_SEEDS = [-1, 1.5, True, "7", 2**64, np.float64(1), np.int64(-1)]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"level": "5x5@0.2"},
    {"level": "6x6:6/torus", "first_click": "opening"},
    {"level": "6x6:6/hexagon"},
    {"level": "5x4:16", "first_click": "any"},
    {"rules": "kaboom", "level": "5x5:5"},
    {"rules": "windows-xp"},
    {"win": "either"},
    {"flags": False},
]


def play(env: MinesweeperEnv, seed: int, games: int = 1) -> list[tuple[Any, ...]]:
    """Return everything that an agent receives when it plays random valid actions."""
    rng, told = np.random.default_rng(seed), []
    observation, info = env.reset(seed=seed)
    told.append((observation, info))
    while games:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        step = env.step(action)
        told.append((action, *step))
        info = step[-1]
        if step[2] or step[3]:
            games -= 1
            told.append(env.reset())
            info = told[-1][1]
    return told


def same(one: Any, other: Any) -> bool:
    """Whether two records are equal, including their arrays."""
    return bool(gymnasium.utils.env_checker.data_equivalence(one, other, exact=True))


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("rules", RULES)
def test_environment_passes_check_env(name: str, rules: str) -> None:
    """`check_env` passes for every id and rule set without a warning."""
    check_env(gymnasium.make(name, rules=rules).unwrapped)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_rendering_passes_check_env(mode: str) -> None:
    """`check_env` also calls `render`."""
    check_env(gymnasium.make("sapper/Beginner-v0", render_mode=mode).unwrapped)


@pytest.mark.parametrize("settings", SETTINGS)
def test_equal_seeds_give_equal_games(settings: dict[str, Any]) -> None:
    """The same seed and actions give the same games; another seed gives different ones."""
    settings = {"level": SMALL, **settings}
    first = play(MinesweeperEnv(**settings), 3, games=5)
    assert same(first, play(MinesweeperEnv(**settings), 3, games=5))
    assert not same(first, play(MinesweeperEnv(**settings), 4, games=5))


def test_a_first_reset_without_a_seed_is_random() -> None:
    """Two environments without a seed deal different boards."""
    boards = set()
    for _ in range(4):
        env = MinesweeperEnv("9x9:10", first_click="any")
        env.reset()
        for action in range(81):
            if env.step(action)[2]:
                break
        boards.add(env.board)
    assert len(boards) == 4


@pytest.mark.parametrize("settings", sampled(SETTINGS, 3))
def test_mask_matches_effective_actions(settings: dict[str, Any]) -> None:
    """In random games, an action is masked if and only if it has no effect."""
    settings = {"level": SMALL, **settings}
    checked = 0
    for seed in range(3):
        env, history = MinesweeperEnv(**settings), list[int]()
        rng = np.random.default_rng(seed)
        observation, info = env.reset(seed=seed)
        over = False
        while not over and len(history) < 12:
            for action, valid in enumerate(info["action_mask"]):
                other = MinesweeperEnv(**settings)
                other.reset(seed=seed)
                for before in history:
                    other.step(before)
                changed = not np.array_equal(other.step(action)[0], observation)
                assert changed == bool(valid)
                checked += 1
            history.append(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            observation, _, over, _, info = env.step(history[-1])
        if over:
            assert not info["action_mask"].any()
    assert checked > 30


@pytest.mark.parametrize("settings", SETTINGS[:4])
def test_native_games_match_game(settings: dict[str, Any]) -> None:
    """A `Game` on the same board gives the same observations, masks and rewards."""
    settings = {"level": "6x5:6", **settings}
    rewards = Rewards(1, -2, 3, 5, 7, 11, 13)
    wins = 0
    for seed in range(40):
        env = MinesweeperEnv(**settings, rewards=rewards)
        _, start = play(env, seed)[0]
        assert start["action_mask"].all()
        told = play(env, seed)[1:-1]
        env.reset(seed=seed)
        for action, *_ in told:
            env.step(action)
        twin = RuleGame(env.settings, True, 4 * env.level.shape().size, rewards)
        twin.game = sapper.Game.from_board(env.board)
        for action, observation, reward, terminated, truncated, info in told:
            cells, *step, twin_info = twin.step(action)
            assert np.array_equal(cells, observation)
            assert np.array_equal(twin_info["action_mask"], info["action_mask"])
            assert twin_info.get("won") == info.get("won")
            assert step == [pytest.approx(reward), terminated, truncated]
        wins += told[-1][-1]["won"]
    assert wins < 40


@pytest.mark.parametrize("settings", SETTINGS)
def test_observation_contains_only_the_position(settings: dict[str, Any]) -> None:
    """An observation shows numbers, flags and unopened cells, but not the mines."""
    env = MinesweeperEnv(**{"level": "9x9:10", **settings})
    observation, info = env.reset(seed=1)
    over = False
    rng = np.random.default_rng(0)
    while not over:
        with pytest.raises(IllegalAction, match="hidden"):
            _ = env.board
        assert set(info) == {"action_mask"}
        assert CellCode.EXPLODED not in observation
        unopened = (observation >= CellCode.UNOPENED).ravel()
        cells = len(unopened)
        assert not info["action_mask"][:cells][~unopened].any()
        assert np.array_equal(info["action_mask"][:cells], observation.ravel() == CellCode.UNOPENED)
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, _, over, truncated, info = env.step(action)
        over = over or truncated
    assert "won" in info


def test_lost_game_shows_only_the_opened_mine() -> None:
    """The last observation of a lost game shows one opened mine; the others stay hidden."""
    env = MinesweeperEnv("9x9:60", first_click="any")
    for seed in range(20):
        env.reset(seed=seed)
        observation, _, over, _, info = env.step(40)
        if over:
            assert not info["won"]
            assert np.count_nonzero(observation == CellCode.EXPLODED) == 1
            assert np.count_nonzero(observation == CellCode.UNOPENED) == 80
            assert env.board.is_mine((4, 4))
            break
    else:
        pytest.fail("no game was lost")


def test_win_flags_mines_and_gives_the_reward() -> None:
    """A game won from its known board ends with all flags set and a return of 1."""
    for rewards in ("outcome", "progress"):
        env = MinesweeperEnv("9x9:10", rewards=rewards)
        env.reset(seed=5)
        total, over = env.step(40)[1], False
        while not over:
            safe = sapper.analyze(env.position).safe
            cell = min(safe) if safe else min(env.position.unopened_cells())
            observation, reward, over, _, info = env.step(cell.row * 9 + cell.col)
            total += reward
        assert info["won"]
        assert np.count_nonzero(observation == CellCode.FLAGGED) == 10
        assert total == pytest.approx(1)


def test_invalid_action_only_gives_its_reward() -> None:
    """Opening an open or flagged cell costs `invalid` and changes nothing."""
    env = MinesweeperEnv("9x9:10", rewards={"invalid": -3, "flag": -1})
    before, _ = env.reset(seed=1)
    assert env.step(81)[1] == -1
    observation, reward, terminated, truncated, _ = env.step(0)
    assert reward == -3
    assert not terminated
    assert not truncated
    assert observation[0, 0] == CellCode.FLAGGED
    assert np.array_equal(observation.ravel()[1:], before.ravel()[1:])


@pytest.mark.parametrize("rules", ["classic", "fair"])
def test_games_are_truncated(rules: str) -> None:
    """Games end after `max_steps`, by default four steps per cell."""
    for most, told in ((3, 3), (None, 64)):
        env = MinesweeperEnv("4x4:4", rules, max_steps=most)
        env.reset(seed=1)
        steps = [env.step(16) for _ in range(told)]
        assert [step[3] for step in steps] == [False] * (told - 1) + [True]
        assert steps[-1][-1]["won"] is False
        with pytest.raises(IllegalAction, match="reset"):
            env.step(0)


def test_presets_have_names() -> None:
    """Every preset of `Rewards` can be chosen by name."""
    for name in REWARDS:
        assert isinstance(MinesweeperEnv(rewards=name).rewards, Rewards)
    assert MinesweeperEnv(rewards="outcome").rewards == Rewards(win=1.0)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"level": "9x9"}, BadLevel, "invalid level '9x9'"),
        ({"rules": "chess"}, BadSetting, "unknown rules 'chess'"),
        ({"rewards": "money"}, BadSetting, "unknown rewards 'money'; choose from: outcome"),
        ({"rewards": {"gain": 1}}, BadSetting, "unknown reward 'gain'; choose from: win"),
        ({"rewards": {"win": "1"}}, BadSetting, "reward win must be a number, got '1'"),
        ({"rewards": {"win": float("nan")}}, BadSetting, "reward win must be a number, got nan"),
        ({"rewards": 3}, WrongType, "expected rewards by name, got 3"),
        ({"max_steps": 0}, BadSetting, "max_steps must be a whole number from 1 to 4294967295"),
        ({"max_steps": -1, "rules": "fair"}, BadSetting, "max_steps must be a whole number"),
        ({"render_mode": "human"}, BadSetting, "render_mode must be ansi or rgb_array"),
        ({"level": "2x2:4"}, BadSetting, "mines must be at most 3, got 4"),
    ],
)
def test_bad_settings_are_rejected(settings: Any, error: type[Exception], message: str) -> None:
    """The error names the setting, the value and the allowed range."""
    with pytest.raises(error, match=message):
        MinesweeperEnv(**settings)


@pytest.mark.parametrize("rules", ["classic", "kind"])
@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_bad_actions_are_rejected(rules: str, action: Any) -> None:
    """An unknown action is an error and has no effect; True used to count as 1."""
    env = MinesweeperEnv("9x9:10", rules)
    before, _ = env.reset(seed=1)
    with pytest.raises(BadSetting, match="an action must be an integer from 0 to 161, got "):
        env.step(action)
    assert env.position == position_of(before, env.level)
    assert not env.step(0)[3]


@pytest.mark.parametrize("action", [3, np.int64(3), np.uint8(3), np.array(3)])
def test_integer_types_are_accepted_as_actions(action: Any) -> None:
    """Numpy integers are accepted, and so are zero-dimensional arrays, which policies return."""
    env = MinesweeperEnv("9x9:10")
    env.reset(seed=1)
    assert env.step(action)[0][0, 3] != CellCode.UNOPENED


@pytest.mark.parametrize("seed", BAD_SEEDS)
def test_bad_seeds_are_rejected(seed: Any) -> None:
    """All bad seeds raise the same error; 1.5 raised a plain TypeError."""
    env = MinesweeperEnv("9x9:10")
    with pytest.raises(BadSetting, match=r"seed must be an integer from 0 to 2\*\*64 - 1, got"):
        env.reset(seed=seed)
    env.reset(seed=np.int64(2**62))  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [MinesweeperEnv, MinesweeperVectorEnv])
def test_unknown_reset_options_are_rejected(make: Any) -> None:
    """Misspelt options used to be ignored."""
    env = make(level="4x4:3")
    env.reset(seed=1, options={})
    with pytest.raises(BadSetting, match="unknown reset option 'mask'; "):
        env.reset(options={"mask": [True]})
    with pytest.raises(WrongType, match="expected reset options by name, got 3"):
        env.reset(options=3)


@pytest.mark.parametrize("rules", ["classic", "kind"])
def test_action_masks_are_the_mask_as_booleans(rules: str) -> None:
    """`MaskablePPO` finds the method through the wrappers; a finished game allows no action."""
    env = gymnasium.make("sapper/Minesweeper-v0", level=SMALL, rules=rules, max_steps=3)
    masks = env.get_wrapper_attr("action_masks")
    with pytest.raises(IllegalAction, match="reset"):
        masks()
    _, info = env.reset(seed=1)
    for action in (12, 13, 14):
        assert masks().dtype == np.bool_
        assert np.array_equal(masks(), info["action_mask"])
        _, _, _, truncated, info = env.step(action)
    assert truncated
    assert not masks().any()


def test_id_with_module_needs_no_import() -> None:
    """`make` imports the module before the colon, which registers the environments."""
    script = "import gymnasium; print(gymnasium.make('sapper.env:sapper/Beginner-v0').spec.id)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout == "sapper/Beginner-v0\n", ended.stderr


COPIES = [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("rules", RULES)
def test_copies_continue_the_same_games(rules: str, copied: Any) -> None:
    """A copy made in mid-game plays the same, independently, for several games."""
    env = MinesweeperEnv("5x4:4", rules, rewards="dense")
    twins = [copied(env) for _ in range(2)]
    assert all(same(twin.reset(seed=3), env.reset(seed=3)) for twin in twins)
    env.step(22)
    _, *told = env.step(7)
    twin = copied(env)
    assert np.array_equal(twin.action_masks(), env.action_masks())
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60):
        if told[1] or told[2]:
            ends += 1
            assert same(twin.reset(), env.reset())
        action = int(rng.integers(40))
        step = env.step(action)
        told = list(step[1:])
        assert same(twin.step(action), step)
    assert ends > 1


def test_wrapped_environments_can_be_pickled() -> None:
    """Environments wrapped by `make` can also be pickled."""
    env = MineChances(OneHot(FlagFree(gymnasium.make("sapper/Beginner-v0"))))
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    assert same(twin.step(40), env.step(40))


def test_a_step_needs_a_reset() -> None:
    """A step before the first reset is an error, because no game has begun."""
    env = MinesweeperEnv("9x9:10")
    with pytest.raises(IllegalAction, match="reset"):
        env.step(0)
    with pytest.raises(IllegalAction, match="reset"):
        _ = env.position


def test_observations_are_positions() -> None:
    """Positions and observations can be converted into each other."""
    position = sapper.Position.parse("012\n34F\n.*8", mines=3)
    cells = observed(position)
    assert cells.tolist() == [[0, 1, 2], [3, 4, 10], [9, 11, 8]]
    assert position_of(cells, sapper.Level(3, 3, 3)) == position
