from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

import sapper
from sapper.dealer import RULES
from sapper.env import InformationState, MinesweeperEnv
from sapper.env.spaces import position_of
from sapper.errors import BadSetting, IllegalAction, InconsistentPosition
from sapper.position import Position
from sapper.rules import Level

# Leave out `no-guess`, which deals only its own boards.
RESTORED = [name for name in RULES if name != "no-guess"]
# The mine may be in any of the eight other cells.
OPEN = "...\n.1.\n..."


def at(text: str, level: str = "3x3:1", rules: str = "classic", **settings: Any) -> MinesweeperEnv:
    """Return an environment set to this position."""
    env = MinesweeperEnv(level, rules, **settings)
    env.restore(InformationState(position_on(text, level)), seed=1)
    return env


def position_on(text: str, level: str) -> Position:
    """Return a position on a level."""
    parsed = Level.parse(level)
    return Position(parsed.shape(), Position.parse(text).cells, parsed.mines, parsed.density)


def played(env: MinesweeperEnv, seed: int, games: int = 3) -> list[Any]:
    """Return the observations and rewards after random actions."""
    rng, told = np.random.default_rng(seed), list[Any]()
    while games:
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        cells, *rest = env.step(action)
        told.append((action, cells.tolist(), *rest[:3]))
        if rest[1] or rest[2]:
            env.reset()
            games -= 1
    return told


@pytest.mark.parametrize("rules", RESTORED)
def test_clone_reveals_nothing_about_the_mines(rules: str) -> None:
    """If only the hidden mines differ, equal seeds give clones that play the same."""
    one, other = (at(OPEN, rules=rules) for _ in range(2))
    boards = set()
    for seed in range(12):
        other.restore(other.state, seed=seed)
        assert pickle.dumps(one.state) == pickle.dumps(other.state)
        clones = [env.clone(seed=5) for env in (one, other)]
        assert clones[0].state == clones[1].state == one.state
        assert played(clones[0], seed) == played(clones[1], seed)
        twin = other.clone(seed=seed)
        twin.step(0)
        boards.add(twin.action_masks().tobytes())
        assert other.state == one.state
    if rules in ("classic", "windows-xp"):
        assert len(boards) > 1


def test_clone_mines_match_the_analysis() -> None:
    """In clones, opening a cell hits a mine as often as the analysis predicts."""
    env = at("....\n.2..\n....", "4x3:4", flags=False)
    p_mine = sapper.analyze(env.position).p_mine.ravel()
    for cell in (0, 3):
        lost = sum(env.clone(seed=seed).step(cell)[2] for seed in range(600))
        assert lost / 600 == pytest.approx(p_mine[cell], abs=0.07)


def test_outcomes_match_clones() -> None:
    """The chances add up to 1 and match the results in clones."""
    env = at("....\n.2..\n....", "4x3:4", flags=False)
    for action in (0, 3):
        found = env.outcomes(action)
        assert sum(one.chance for one in found) == pytest.approx(1)
        shown: Counter[int] = Counter()
        for seed in range(600):
            shown[int(env.clone(seed=seed).step(action)[0].flat[action])] += 1
        for one in found:
            code = 11 if one.number is None else one.number
            assert shown[code] / 600 == pytest.approx(one.chance, abs=0.07)


@pytest.mark.parametrize("first_click", ["any", "safe", "opening"])
@pytest.mark.parametrize("level", ["4x4:3", "4x3@0.3"])
def test_first_click_outcomes_keep_the_promise(level: str, first_click: str) -> None:
    """The outcomes match the results in new games."""
    env = MinesweeperEnv(level, first_click=first_click, flags=False)
    env.reset(seed=1)
    found = {one.number: one.chance for one in env.outcomes(1)}
    shown: Counter[int | None] = Counter()
    for _ in range(800):
        number = int(env.step(1)[0].flat[1])
        # A game won with one click on a board full of mines also shows the number.
        shown[None if number == 11 else number] += 1
        env.reset()
    assert sum(found.values()) == pytest.approx(1)
    for number in found.keys() | shown.keys():
        assert shown[number] / 800 == pytest.approx(found.get(number, 0), abs=0.06)


def test_outcomes_lead_to_states() -> None:
    """Each number leads to a state that can be restored; a zero's neighbours are still unopened."""
    env = at(OPEN)
    state = env.state
    for one in env.outcomes(0):
        if one.number is not None:
            after = state.after(0, one.number)
            assert after.steps == state.steps + 1
            cells, info = env.restore(after, seed=2)
            assert cells[0, 0] == one.number
            assert info["action_mask"][:9].sum() == 7
            assert env.state == after
    for action, number in ((4, 1), (0, 9), (9, 1), (True, 1)):
        with pytest.raises(BadSetting):
            state.after(action, number)


@pytest.mark.parametrize("rules", RESTORED)
def test_restored_games_continue_by_their_rules(rules: str) -> None:
    """Flags and steps are kept, and the next games follow from the seed."""
    env = MinesweeperEnv("5x4:5", rules, max_steps=50, rewards="dense")
    env.reset(seed=3)
    env.step(22)
    env.step(7)
    state = pickle.loads(pickle.dumps(env.state))
    twins = [MinesweeperEnv("5x4:5", rules, max_steps=50, rewards="dense") for _ in range(2)]
    for twin in twins:
        cells, info = twin.restore(state, seed=8)
        assert np.array_equal(cells, env._cells)
        assert np.array_equal(info["action_mask"], env.action_masks())
    assert played(twins[0], 1) == played(twins[1], 1)


def test_restored_steps_count() -> None:
    """A restored game is truncated at the same step as the original."""
    env = MinesweeperEnv("4x4:3", max_steps=3)
    env.reset(seed=1)
    env.step(16)
    twin = env.clone(seed=1)
    assert not twin.step(17)[3]
    assert twin.step(18)[3]


def test_a_clone_before_the_first_click_keeps_its_promise() -> None:
    """The first click deals the board and is safe in every clone."""
    env = MinesweeperEnv("3x3:8")
    env.reset(seed=1)
    env.step(17)
    for seed in range(20):
        clone = env.clone(seed=seed)
        assert clone.step(seed % 8)[4]["won"]


def test_restored_density_game_is_not_over() -> None:
    """At least one safe cell is left: boards on which the game would be over are excluded."""
    env = at("1..", "3x1@0.9")
    assert all(env.clone(seed=seed).step(2)[4]["won"] for seed in range(20))
    with pytest.raises(BadSetting, match="the game is won in this state"):
        at("1.", "2x1@0.9")


def test_games_with_custom_dealing_cannot_be_restored() -> None:
    """The environment is unchanged after the refusal."""
    env = MinesweeperEnv("9x9:10", "no-guess")
    env.reset(seed=1)
    before = env.step(40)[0]
    with pytest.raises(BadSetting, match="no-guess deal their own boards"):
        env.clone()
    with pytest.raises(BadSetting, match="no-guess deal their own boards"):
        env.restore(env.state)
    assert env.position == position_of(before, env.level)
    assert env.action_masks().any()


def test_invalid_states_are_rejected() -> None:
    """States of other levels and finished games are refused."""
    env = MinesweeperEnv("3x3:1")
    with pytest.raises(IllegalAction, match="reset"):
        _ = env.state
    for text, level, message in [
        ("1.", "2x1:1", "not of a game on 3x3:1"),
        ("...\n.1.\n...", "3x3:2", "not of a game on 3x3:1"),
        ("...\n.*.\n...", "3x3:1", "the game is lost in this state"),
        (".10\n110\n000", "3x3:1", "the game is won in this state"),
    ]:
        with pytest.raises(BadSetting, match=message):
            env.restore(InformationState(position_on(text, level)))
    with pytest.raises(BadSetting, match="state must be an InformationState, got 3"):
        env.restore(3)  # type: ignore[arg-type]
    with pytest.raises(InconsistentPosition):
        at("...\n.8.\n...")
    env = at(OPEN)
    with pytest.raises(BadSetting, match="seed must be"):
        env.restore(env.state, seed=-1)
    for action in (4, 9, 1.5):
        with pytest.raises(BadSetting):
            env.outcomes(action)  # type: ignore[arg-type]
    while not env._over:
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    for ended in (lambda: env.state, env.clone, lambda: env.outcomes(0)):
        with pytest.raises(IllegalAction, match="over"):
            ended()
