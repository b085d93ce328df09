"""Properties of every game, whatever is clicked."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sapper.board import Board
from sapper.errors import BadSave
from sapper.game import Game
from sapper.game.events import Event, Opened, Undone
from sapper.position import Position
from sapper.rules import Chord, FirstClick, Level, Win
from sapper.solver import analyze, sample
from sapper.topology import TOPOLOGIES, Cell
from support.examples import examples

SIDES = st.integers(1, 6)
SEEDS = st.integers(0, 2**64 - 1)


@st.composite
def levels(draw: st.DrawFn, room: int = 1) -> Level:
    """A small level with at least `room` safe cells, given by total or density."""
    width, height = draw(SIDES), draw(SIDES)
    shape = draw(st.sampled_from([*TOPOLOGIES]))
    if width * height <= room or draw(st.integers(0, 4)) == 0:
        return Level(width, height, density=draw(st.floats(0, 0.9)), topology=shape)
    return Level(width, height, draw(st.integers(0, width * height - room)), topology=shape)


def roundtrip(game: Game) -> Game:
    """Return the game after a round trip through JSON."""
    return Game.from_json(json.loads(json.dumps(game.to_json())))


Seen = tuple[Position, frozenset[Cell], str, int | None]


def seen(game: Game) -> Seen:
    """Return everything that undo must restore."""
    return game.position, game.questions, game.status, game.mines_left


class Play(RuleBasedStateMachine):
    """Random play with any options, on a rectangle or a torus."""

    @initialize(
        level=levels(),
        rules=st.sampled_from(["classic", "windows-xp", "fair", "kaboom", "kind"]),
        first_click=st.sampled_from([FirstClick.ANY, FirstClick.SAFE]),
        win=st.sampled_from(Win),
        chord=st.sampled_from(Chord),
        seed=SEEDS,
    )
    def begin(
        self, level: Level, rules: str, first_click: FirstClick, win: Win, chord: Chord, seed: int
    ) -> None:
        if rules in ("fair", "kaboom", "kind") and level.density is not None:
            level = replace(level, density=0.5)
        self.lazy = rules in ("kaboom", "kind")
        self.fixed = rules in ("classic", "windows-xp")
        self.game = Game(
            level,
            rules,
            first_click=first_click if rules in ("classic", "fair") else None,
            win=win,
            chord=chord,
            seed=seed,
        )
        self.before: list[Seen] = []
        self.shown: dict[Cell, int] = {}
        self.game.subscribe(self.hear)

    def hear(self, event: Event) -> None:
        """Track the board from events alone, as a screen would."""
        if isinstance(event, Opened):
            assert not self.shown.keys() & event.cells.keys()
            self.shown.update(event.cells)
        elif isinstance(event, Undone):
            for cell in event.cells:
                self.shown.pop(cell, None)

    def act(self, do: str, data: st.DataObject) -> None:
        """Act on a cell; check that something has changed if the result says so."""
        cells = list(self.game.level.shape().cells())
        cell = data.draw(st.sampled_from(cells))
        old, clicks = seen(self.game), self.game.counts.clicks
        done = getattr(self.game, do)(cell)
        assert done == (seen(self.game) != old)
        assert self.game.counts.clicks == clicks + 1
        if done:
            self.before.append(old)
        if do in ("open", "chord"):
            flags = [c for c in cells if old[0][c] == "F"]
            assert all(self.game.position[c] == "F" for c in flags)

    @precondition(lambda self: not self.game.over)
    @rule(do=st.sampled_from(["open", "open", "chord", "flag", "question"]), data=st.data())
    def click(self, do: str, data: st.DataObject) -> None:
        self.act(do, data)

    @precondition(lambda self: self.game.status == "playing")
    @rule(data=st.data())
    def flag_true_mines_and_chord(self, data: st.DataObject) -> None:
        """Flag the mines around a number and chord it, because random clicks seldom do."""
        board = self.board()
        numbers = [c for c in board.topology.cells() if self.game.position.number(c)]
        if not numbers:
            return
        cell = data.draw(st.sampled_from(numbers))
        for near in board.topology.neighbours(cell):
            flagged = self.game.position[near] == "F"
            if not self.game.over and flagged != board.is_mine(near):
                old = seen(self.game)
                if self.game.flag(near):
                    self.before.append(old)
        if not self.game.over:
            old = seen(self.game)
            if self.game.chord(cell):
                self.before.append(old)
            # Under rules that judge guesses, a correct flag on a guessed cell does not excuse the
            # guess.
            assert self.game.status != "lost" or not self.fixed

    @rule()
    def undo(self) -> None:
        """Undo restores the state before the last effective action."""
        assert self.game.undo() == bool(self.before)
        if self.before:
            assert seen(self.game) == self.before.pop()

    @rule()
    def save_and_load(self) -> None:
        """A loaded game equals the original; the test continues with the loaded one."""
        loaded = roundtrip(self.game)
        assert seen(loaded) == seen(self.game)
        assert (loaded.settings, loaded.counts) == (self.game.settings, self.game.counts)
        assert loaded.log == self.game.log
        self.game = loaded
        loaded.subscribe(self.hear)

    @rule(same=st.booleans())
    def restart(self, same: bool) -> None:
        self.game.restart(same=same)
        self.before, self.shown = [], {}
        assert self.game.status == "ready"

    def board(self) -> Board:
        """Return the mines from the dealer's internals.

        If there is no layout, this is the final board of the game, or some board that fits.
        """
        if self.game.over:
            return self.game.board
        if self.lazy:
            return sample(self.game.position, n=1, seed=0)[0]
        board = self.game._round._dealer._board  # type: ignore[attr-defined]
        assert isinstance(board, Board)
        return board

    @invariant()
    def every_shown_number_is_true(self) -> None:
        position = self.game.position
        numbers = {c: n for c in position.topology.cells() if (n := position.number(c)) is not None}
        assert numbers == self.shown
        if numbers:
            board = self.board()
            for cell, number in numbers.items():
                assert number == board.numbers[board.topology.index(cell)]
                assert not board.is_mine(cell)

    @invariant()
    def the_status_fits_the_position(self) -> None:
        game, position = self.game, self.game.position
        cells, win = position.cells, game.settings.win
        assert (b"*" in cells) == (game.status == "lost")
        begun = bool(self.shown)
        if game.status in ("ready", "playing"):
            assert begun == (game.status == "playing")
        if game.status in ("playing", "won"):
            board = self.board()
            cleared = len(self.shown) == len(cells) - board.mines
            flagged = [char == ord("F") for char in cells] == [bool(m) for m in board.mined]
            if self.lazy:
                # If the layout is not fixed, only proofs count.
                known = analyze(position)
                cleared = len(known.mined) == len(cells) - len(self.shown)
                flagged = flagged and len(known.safe) + len(known.mined) == len(
                    position.unopened_cells()
                )
            won = (cleared and win != "flags") or (flagged and win != "open")
            assert won == (game.status == "won")
        if game.status == "won":
            assert all(cells[i] == ord("F") for i, mine in enumerate(self.board().mined) if mine)

    @invariant()
    def a_death_can_be_explained(self) -> None:
        if self.game.status == "lost":
            why = self.game.post_mortem()
            assert self.game.position[why.cell] == "*"
            assert why.board.is_mine(why.cell)
            assert why.clear_board is None or not why.clear_board.is_mine(why.cell)

    @invariant()
    def the_counters_are_right(self) -> None:
        game, cells = self.game, self.game.position.cells
        if game.level.mines is not None:
            assert game.mines_left == game.level.mines - cells.count(b"F")
        assert game.position.mines == game.level.mines
        assert all(game.position[cell] == "." for cell in game.questions)

    @invariant()
    def a_fresh_game_of_the_same_seed_plays_alike(self) -> None:
        if self.game._round.given is None and len(self.game.log) < 10:
            twin = Game.begin(self.game.settings)
            for action in self.game.log:
                twin.play(action)
            assert seen(twin) == seen(self.game)
            assert twin.guesses == self.game.guesses


TestPlay = Play.TestCase
TestPlay.settings = examples(150, stateful_step_count=30)


@given(levels(room=9), st.sampled_from(["classic", "fair", "kaboom", "kind"]), SEEDS, st.data())
def test_an_opening_start_opens_a_zero(
    level: Level, rules: str, seed: int, data: st.DataObject
) -> None:
    """The first click opens a zero, wherever it is."""
    if rules != "classic" and level.density is not None:
        level = replace(level, density=0.5)
    cell = data.draw(st.sampled_from(list(level.shape().cells())))
    game = Game(level, rules, first_click="opening", seed=seed)
    game.open(cell)
    assert game.position.number(cell) == 0


@given(
    levels(),
    st.sampled_from(["classic", "windows-xp", "fair", "kaboom", "kind"]),
    SEEDS,
    st.data(),
)
def test_safe_start_never_loses(level: Level, rules: str, seed: int, data: st.DataObject) -> None:
    """The first click is safe, wherever it is, and earlier marks do not change anything."""
    if rules in ("fair", "kaboom", "kind") and level.density is not None:
        level = replace(level, density=0.5)
    cells = list(level.shape().cells())
    game = Game(level, rules, first_click="safe", seed=seed)
    for marked in data.draw(st.lists(st.sampled_from(cells), max_size=3)):
        game.question(marked)
    cell = data.draw(st.sampled_from(cells))
    game.open(cell)
    if rules != "windows-xp" or level.density is None:
        assert game.status != "lost"


def test_only_windows_xp_allows_boards_full_of_mines() -> None:
    """Windows XP's safe start has one exception: a board without safe cells."""
    games = [Game("2x1@0.9", "windows-xp", seed=seed) for seed in range(50)]
    for game in games:
        game.open((0, 0))
    assert all(game.status != "lost" or game.board.mines == 2 for game in games)


@given(levels(), SEEDS, st.data())
def test_a_flood_opens_exactly_the_opening(level: Level, seed: int, data: st.DataObject) -> None:
    """The opened cells are exactly those reached by the rule that a zero opens its neighbours."""
    cells = list(level.shape().cells())
    flags = data.draw(st.sets(st.sampled_from(cells), max_size=4))
    game = Game(level, seed=seed)
    for flagged in flags:
        game.flag(flagged)
    first = data.draw(st.sampled_from(cells))
    assume(first not in flags)
    assert game.open(first)
    position = game.position
    opened = {c for c in cells if position.number(c) is not None}
    reached = {first}
    while grown := {
        near
        for cell in reached
        if position.number(cell) == 0
        for near in position.topology.neighbours(cell)
        if near not in flags and near not in reached
    }:
        reached |= grown
    assert opened == reached


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.floats()
    | st.sampled_from(["open", "undo", "expert", "9x9:10", "flags", "torus", "F", "..", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def paths(obj: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every path inside a JSON value."""
    inner: Any = ()
    if isinstance(obj, dict):
        inner = obj.items()
    elif isinstance(obj, list):
        inner = enumerate(obj)
    return [at, *(path for key, value in inner for path in paths(value, (*at, key)))]


def saved_games() -> list[Any]:
    """Saved games of various kinds."""
    game = Game("4x4:3", first_click="opening", seed=3)
    game.flag((0, 1))
    game.open((3, 3))
    game.question((0, 0))
    game.undo()
    fixed = Game.from_board(Board.parse("*200\n*200\n1100"))
    fixed.open((2, 0))
    fixed.open((0, 0))
    position = Position.parse("....\n.2..\nF...", mines=2)
    gone_on = Game.begin(fixed.settings, position, fixed.board)
    gone_on.open((2, 0))
    judged = Game("5x4:6", "kaboom", seed=2, judge="local")
    fair = Game("5x4:6", "fair", seed=2)
    for one in (judged, fair):
        one.open((0, 0))
        one.open((3, 3))
    by_density = Game("9x9@0.1", "windows-xp", seed=1)
    return [one.to_json() for one in (game, fixed, gone_on, judged, fair, by_density)]


SAVED = saved_games()


@examples(400)
@given(st.sampled_from(SAVED), st.data())
def test_damaged_save_is_loaded_or_rejected(saved: Any, data: st.DataObject) -> None:
    """If a value is changed or a key is missing, loading gives a valid game or raises `BadSave`."""
    damaged = copy.deepcopy(saved)
    *way, last = data.draw(st.sampled_from([path for path in paths(saved) if path]))
    target = damaged
    for key in way:
        target = target[key]
    if data.draw(st.booleans()):
        target[last] = data.draw(JSON)
    else:
        del target[last]
    problem: BadSave | None = None
    try:
        game = Game.from_json(damaged)
        assert seen(roundtrip(game)) == seen(game)
    except BadSave as refused:
        problem = refused
    if problem is not None:
        assert len(str(problem)) < 400
        assert problem.to_json()["code"] == "bad_save"


@given(JSON)
def test_invalid_save_is_rejected(obj: Any) -> None:
    """Any JSON value that is not a saved game raises `BadSave`."""
    with pytest.raises(BadSave, match="must be"):
        Game.from_json(obj)
