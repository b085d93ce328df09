"""Games: the ways to start one, and their saved form. It is the only object with state."""

from __future__ import annotations

import time as _time
from typing import Any, Self, Unpack

from sapper import dealer as dealers
from sapper._util.arguments import expect
from sapper.board import Board, check_board
from sapper.errors import BadSave, BadSetting, SapperError
from sapper.game import save
from sapper.game.clock import TimeSource
from sapper.game.playing import PlayableGame
from sapper.game.pointer_path import POINT_BYTES
from sapper.position import NUMBERS, Position, check_position
from sapper.rules import BoardOptions, FirstClick, GameOptions, Level, Settings

__all__ = ["Game"]


class Game(PlayableGame):
    """A game of Minesweeper.

    A click has no effect if it opens an open or flagged cell, flags an open cell, or chords a
    number whose flags do not match. It still counts as a click, and the method returns False. Flags
    thus protect their cells; question marks do not.

    Every method that takes a cell raises `BadCell` if there is no such cell, and
    `IllegalAction` after the game has ended.

    Args:
        level: A `Level` or its text: ``beginner``, ``30x16:99``, ``20x20@0.15``, ...
        rules: The name of a rule set, one of `sapper.dealer.RULES`.
        time: Time source of the clocks, in seconds.
        options: ``first_click``, ``win``, ``chord``, ``undo``, ``seed``, and the options of the
            rule set; see `sapper.rules.GameOptions`.

    Attributes:
        clock: The player's and the solver's clocks.

    >>> game = Game("9x9:10", first_click="opening", seed=7)
    >>> game.open((4, 4))
    True
    >>> game.status, game.position.number((4, 4))
    (<Status.PLAYING: 'playing'>, 0)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid.
    """

    def __init__(
        self,
        level: Level | str = "expert",
        rules: str = "classic",
        *,
        time: TimeSource = _time.monotonic,
        **options: Unpack[GameOptions],
    ) -> None:
        made = dealers.settings(level, rules, **options)
        self._set_up(made, None, None, time)

    @classmethod
    def from_position(
        cls,
        position: Position,
        rules: str = "classic",
        *,
        time: TimeSource = _time.monotonic,
        **options: Unpack[GameOptions],
    ) -> Self:
        """Continue from any position: the mines are drawn from all arrangements that fit it.

        All arrangements are equally likely, unless a density gives them weights. Without a mine
        total or density, any number of mines fits.

        Raises:
            BadPosition: If a mine is open, because that game is over.
            BadSetting: If the settings are invalid.
            InconsistentPosition: If no arrangement fits.
        """
        check_position(position)
        shape, mines, density = position.topology, position.mines, position.density
        if mines is None and density is None:
            # A density of 1/2 makes all arrangements equally likely, whatever their total.
            density = 0.5
        level = Level(shape.width, shape.height, mines, density, shape.name)
        begun = any(map(position.cells.count, NUMBERS))
        promised = options.get("first_click") is not None
        if begun and not promised and FirstClick.ANY in _first_clicks(rules):
            # The first click has been made, so its promise no longer needs room.
            options["first_click"] = FirstClick.ANY
        made = dealers.settings(level, rules, **options)
        return cls.begin(made, position, time=time)

    @classmethod
    def from_board(
        cls,
        board: Board,
        rules: str = "classic",
        *,
        time: TimeSource = _time.monotonic,
        **options: Unpack[BoardOptions],
    ) -> Self:
        """Play a given board as it is, without a first-click promise.

        Raises:
            BadSetting: If the rules place their own mines, or the settings are invalid.
        """
        check_board(board)
        if "first_click" in options:
            raise BadSetting("a given board keeps no first-click promise: omit first_click")
        shape = board.topology
        level = Level(shape.width, shape.height, board.mines, None, shape.name)
        first_click = FirstClick.ANY if FirstClick.ANY in _first_clicks(rules) else None
        made = dealers.settings(level, rules, first_click=first_click, **options)
        return cls.begin(made, None, board, time=time)

    @classmethod
    def begin(
        cls,
        settings: Settings,
        position: Position | None = None,
        board: Board | None = None,
        *,
        time: TimeSource = _time.monotonic,
    ) -> Self:
        """Create a game from settings, with an optional position or board.

        Raises:
            BadPosition: If a mine is open, because that game is over.
            BadSetting: If the position or board does not match the level, or they differ.
            InconsistentPosition: If no arrangement fits.
        """
        expect(settings, Settings, "Settings")
        if position is not None:
            check_position(position)
        if board is not None:
            check_board(board)
        game = cls.__new__(cls)
        game._set_up(settings, position, board, time)
        return game

    def to_json(self) -> dict[str, Any]:
        """Return the whole game as JSON, for `from_json`; it includes the secret seed."""
        begun = self._round
        return save.to_json(
            self._settings, begun.origin, begun.given, self.clock, self._log, self._paths
        )

    @classmethod
    def from_json(cls, obj: Any, *, time: TimeSource = _time.monotonic) -> Self:
        """Load a game saved by `to_json`; the time since then does not count.

        Raises:
            BadSave: If the object is not a valid saved game; the message says why.
        """
        saved = save.from_json(obj)
        try:
            game = cls.begin(saved.settings, saved.position, saved.board, time=time)
        except SapperError as problem:
            raise BadSave(f"invalid saved game: {problem}") from problem
        for at, action in enumerate(saved.actions, start=1):
            try:
                game.play(action)
            except SapperError as problem:
                raise BadSave(f"invalid action {at}: {problem}") from problem
        if saved.running and not game.clock.player.running:
            raise BadSave(f"the game is {game.status}, so its clock cannot be running")
        game._log, game._paths = list(saved.actions), saved.paths
        game._points = sum(map(len, saved.paths.values())) // POINT_BYTES
        game.clock.player.set(saved.player_s, running=saved.running)
        game.clock.solver.set(saved.solver_s)
        return game


def _first_clicks(rules: str) -> tuple[FirstClick, ...]:
    known = dealers.RULES.get(rules) if isinstance(rules, str) else None
    return known.first_clicks if known else ()
