"""The pointer path in the replay of one of Sapper's games."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from sapper.board import Board
from sapper.errors import BadReplay, IllegalAction
from sapper.game import Game
from sapper.game.pointer_path import pack
from sapper.position import Position
from sapper.replay import (
    Playback,
    Replay,
    analyze_replay,
    from_json,
    game_after,
    measure_play,
    parse,
    serialize,
    to_json,
)
from sapper.solver import hint
from sapper.topology import topology

SHAPE = topology("rectangle", 5, 3)


class Time:
    """A clock that tests can set."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def play(*moves: tuple[float, str, tuple[int, int], list[int]]) -> Game:
    """Return a game with timed actions, each preceded by a pointer path."""
    time = Time()
    game = Game.from_board(Board.parse("1*2*1\n11211\n00000"), time=time)
    for at_s, kind, cell, path in moves:
        time.now_s = at_s
        if kind == "undo":
            game.undo()
        else:
            getattr(game, kind)(cell)
        if path:
            game.note_pointer(pack(path, SHAPE))
    return game


def test_path_is_between_the_actions() -> None:
    """Each move has a time; a click is at the pointer or, without a path, in the cell's centre."""
    game = play(
        (0.0, "open", (2, 0), [0, 3, 40]),
        # The first point is from before the previous action.
        (1.0, "flag", (0, 1), [2000, 0, 0, 1900, 20, 20, 60, 4, -10]),
        (1.5, "open", (0, 1), []),
        (2.0, "open", (0, 0), [100, 70, 40]),
        (2.5, "open", (0, 2), [100, 36, 4]),
        (3.0, "open", (0, 4), [20, 66, 3]),
    )
    assert game.status == "won"
    replay = Replay.from_game(game)
    assert (replay.cell_px, replay.has_pointer) == (16, True)
    assert [(ms, str(kind), x, y) for ms, kind, x, y in replay.events] == [
        (0, "mv", 3, 40), (0, "open", 3, 40),
        (900, "mv", 20, 20), (960, "mv", 24, 10), (1000, "flag", 24, 10),
        (1500, "open", 24, 8),
        (1900, "mv", 70, 40), (2000, "open", 8, 8),
        (2400, "mv", 36, 4), (2500, "open", 36, 4),
        (2980, "mv", 66, 3), (3000, "open", 66, 3),
    ]  # fmt: skip
    played = Playback(replay)
    assert (played.position().rows, played.status) == (["1F2.1", "11211", "00000"], "won")
    bare = Playback(replay.without_pointer())
    assert [step.cell for step in bare.steps] == [step.cell for step in played.steps]
    assert from_json(to_json(replay)) == replay
    raw = parse(serialize(replay, "rawvf", lossy=True))
    assert raw.has_pointer
    assert measure_play(Playback(raw)).path_px == measure_play(played).path_px


def test_path_length_is_measured() -> None:
    """The path starts at the first opened cell; lengths are in pixels, for 16-pixel cells."""
    game = play((0.0, "open", (2, 0), [0, 8, 40]), (1.0, "open", (0, 1), [100, 8, 10, 50, 16, -6]))
    played = Playback(Replay.from_game(game))
    assert measure_play(played).path_px == pytest.approx(30 + (16**2 + 6**2) ** 0.5)


def test_undone_click_keeps_its_path() -> None:
    """The path of an undone click is kept, because the pointer did move."""
    game = play(
        (0.0, "open", (2, 0), []),
        (1.0, "open", (0, 0), [10, 8, 10]),
        (2.0, "undo", (0, 0), [10, 8, 8]),
        (3.0, "open", (0, 3), [10, 60, 8]),
    )
    events = [(ms, str(kind)) for ms, kind, _, _ in Replay.from_game(game).events]
    assert events == [(0, "open"), (990, "mv"), (1990, "mv"), (2990, "mv"), (3000, "open")]


def test_density_game_has_a_replay_without_a_total() -> None:
    """The replay's positions include the density, so guesses have the same risks as in the game."""
    found = 0
    for seed in range(12):
        game = Game("8x6@0.2", seed=seed, first_click="safe")
        game.open((3, 3))
        while not game.over:
            game.open(hint(game.position).cell)
        replay = Replay.from_game(game)
        again = from_json(to_json(replay))
        assert again == replay
        assert to_json(replay)["density"] == 0.2
        assert "position" not in to_json(replay)
        assert again.own == ()
        assert Playback(again).position_after(1).density == 0.2
        risks = [guess["risk"] for guess in analyze_replay(again).to_json()["guesses"]]
        assert risks == pytest.approx([guess.p_mine for guess in game.guesses.each])
        found += len(risks)
        if len(Playback(again).steps) > 1:
            assert str(game_after(Playback(again), 1).level) == "8x6@0.2"
    assert found > 10


def test_invalid_density_is_rejected() -> None:
    """The message names the JSON key."""
    game = Game("4x3@0.1", seed=1)
    while not game.over:
        game.open(game.position.unopened_cells()[0])
    with pytest.raises(BadReplay, match=r"'density': density must be between 0 and 1, got 2"):
        from_json({**to_json(Replay.from_game(game)), "density": 2})


@pytest.mark.parametrize("rules", ["classic", "kaboom", "fair", "kind"])
def test_replay_without_a_total_ends_like_its_game(rules: str) -> None:
    """If mines are placed during play, a click after the last safe cell can lose (issue 33)."""
    position = Position(topology("cylinder", 5, 1), b"F.1..")
    ends = set()
    for seed in range(20):
        rng = Random(seed)
        game = Game.from_position(position, rules=rules, seed=seed)
        while not game.over:
            act = rng.choice([game.open, game.open, game.flag, game.chord])
            with suppress(IllegalAction):
                act((0, rng.randrange(5)))
        replay = Replay.from_game(game)
        for copy in (replay, from_json(to_json(replay))):
            assert Playback(copy).status == game.status
        ends.add(str(game.status))
    assert ends == {"won", "lost"}
