"""Saved games: what a game is played by, and every action since it began.

Games are deterministic, so that their actions are the shortest complete account of them, and
one that cannot contradict itself. Loading does the actions again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from sapper import dealer as dealers
from sapper._grid import shown
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.errors import BadSave, SapperError
from sapper.game.clock import TimeSource
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.topology import Cell

if TYPE_CHECKING:
    from sapper.game import Game

__all__ = ["FORMAT", "from_json", "to_json"]

FORMAT = "sapper-game/2"

# A thousand years; it keeps infinities, NaN and overflows out.
_FOREVER_S = 3.2e10

_Game = TypeVar("_Game", bound="Game")
_Kind = TypeVar("_Kind")
_Json = dict[str, Any]


def to_json(game: Game) -> _Json:
    """The JSON form of a game; see `Game.to_json`."""
    settings, clock = game.settings, game.clock
    obj: _Json = {
        "format": FORMAT,
        "level": str(settings.level),
        "rules": settings.rules,
        "first_click": str(settings.first_click),
        "win": str(settings.win),
        "chord": str(settings.chord),
        "undo": settings.undo,
        "options": dict(settings.options),
        "seed": settings.seed,
    }
    begun = game._round
    if begun.origin is not None:
        obj["position"] = begun.origin.to_json()
    if begun.given is not None:
        obj["board"] = begun.given.to_json()
    obj["clock"] = {
        "player_s": clock.player_s,
        "running": clock.player.running,
        "solver_s": clock.solver_s,
    }
    obj["actions"] = [[str(a.kind), *(a.cell or ()), a.at_s] for a in game.log]
    return obj


def from_json(cls: type[_Game], obj: Any, time: TimeSource) -> _Game:
    """Load a game; see `Game.from_json`."""
    if not isinstance(obj, dict) or obj.get("format") != FORMAT:
        said = obj.get("format") if isinstance(obj, dict) else obj
        raise BadSave(f"a saved game has the format {FORMAT!r}, not {shown(said)}")
    try:
        return _load(cls, obj, time)
    except BadSave:
        raise
    except SapperError as problem:
        raise BadSave(f"the saved game cannot be: {problem}") from problem


def _load(cls: type[_Game], obj: _Json, time: TimeSource) -> _Game:
    position, board = obj.get("position"), obj.get("board")
    actions = [_action(entry, at) for at, entry in enumerate(_need(obj, "actions", list), start=1)]
    clock = _need(obj, "clock", dict)
    player_s, solver_s = _seconds(clock.get("player_s")), _seconds(clock.get("solver_s"))
    running = _need(clock, "running", bool)
    game = cls.begin(
        _settings(obj),
        None if position is None else Position.from_json(position),
        None if board is None else Board.from_json(board),
        time=time,
    )
    for at, action in enumerate(actions, start=1):
        try:
            game.play(action)
        except SapperError as problem:
            raise BadSave(f"action {at} cannot be: {problem}") from problem
    if running and not game.clock.player.running:
        raise BadSave(f"the game is {game.status}, so its clock cannot be running")
    game._log = actions
    game.clock.player.set(player_s, running=running)
    game.clock.solver.set(solver_s)
    return game


def _settings(obj: _Json) -> Settings:
    rules, options = _need(obj, "rules", str), _need(obj, "options", dict)
    known = (
        {option.name for option in dealers.RULES[rules].options} if rules in dealers.RULES else ()
    )
    for name in options:
        if name not in known:
            raise BadSave(f"rules {shown(rules)} have no option {shown(name)}")
    return dealers.settings(
        Level.parse(_need(obj, "level", str)),
        rules,
        first_click=_need(obj, "first_click", str),
        win=_need(obj, "win", str),
        chord=_need(obj, "chord", str),
        undo=_need(obj, "undo", bool),
        seed=_need(obj, "seed", int),
        **options,
    )


def _need(obj: _Json, key: str, kind: type[_Kind]) -> _Kind:
    value = obj.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadSave(f"{key!r} must be of type {kind.__name__}, not {shown(value)}")
    return value


def _action(entry: Any, at: int) -> Action:
    """Read ``[kind, row, col, seconds]``, or ``["undo", seconds]``."""
    if not isinstance(entry, list) or not entry or entry[0] not in list(ActionKind):
        kinds = ", ".join(ActionKind)
        raise BadSave(f"action {at} must be a list that begins with one of {kinds}: {shown(entry)}")
    kind = ActionKind(entry[0])
    if len(entry) != (2 if kind is ActionKind.UNDO else 4):
        raise BadSave(f"action {at} has the wrong length: {shown(entry)}")
    if not all(type(number) is int for number in entry[1:-1]):
        raise BadSave(f"action {at} must name its cell by two whole numbers: {shown(entry)}")
    cell = None if kind is ActionKind.UNDO else Cell(*entry[1:-1])
    return Action(kind, cell, _seconds(entry[-1]))


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < _FOREVER_S:
        raise BadSave(f"a clock shows seconds of 0 or more, not {shown(value)}")
    return float(value)
