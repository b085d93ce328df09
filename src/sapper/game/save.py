"""Saved games: the settings of a game, and every action since it started.

Games are deterministic, so their actions are the shortest complete record and cannot contradict
each other. Loading replays the actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sapper import dealer as dealers
from sapper._util.shortening import shown
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.errors import BadSave, SapperError
from sapper.game import pointer_path
from sapper.game.clock import Clock
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.topology import Cell, Topology

__all__ = ["FORMAT", "Saved", "action_to_json", "from_json", "to_json"]

FORMAT = "sapper-game/2"

# About a thousand years, to rule out infinities, NaN and overflows.
_FOREVER_S = 3.2e10

_Kind = TypeVar("_Kind")
_Json = dict[str, Any]


class Saved(NamedTuple):
    """A saved game, read but not yet replayed."""

    settings: Settings
    position: Position | None
    board: Board | None
    actions: tuple[Action, ...]
    paths: dict[int, bytes]
    player_s: float
    running: bool
    solver_s: float


def to_json(
    settings: Settings,
    position: Position | None,
    board: Board | None,
    clock: Clock,
    actions: Sequence[Action],
    paths: Mapping[int, bytes],
) -> _Json:
    """The JSON form of a game.

    Args:
        settings: The settings of the game.
        position: The position from which it started, if any cell was open.
        board: The board, if it was given.
        clock: The clocks.
        actions: Every action since the start.
        paths: The pointer paths, keyed by the number of the action at their end.
    """
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
    if position is not None:
        obj["position"] = position.to_json()
    if board is not None:
        obj["board"] = board.to_json()
    obj["clock"] = {
        "player_s": clock.player_s,
        "running": clock.player.running,
        "solver_s": clock.solver_s,
    }
    obj["actions"] = [action_to_json(a, paths.get(at)) for at, a in enumerate(actions)]
    return obj


def action_to_json(action: Action, path: bytes | None) -> list[Any]:
    """Return the JSON form of an action, with the pointer path before it, if any."""
    entry: list[Any] = [str(action.kind), *(action.cell or ()), action.at_s]
    return entry if path is None else [*entry, pointer_path.unpack(path)]


def from_json(obj: Any) -> Saved:
    """Read a saved game.

    Raises:
        BadSave: If the saved game is invalid; the message gives the reason.
    """
    if not isinstance(obj, dict) or obj.get("format") != FORMAT:
        said = obj.get("format") if isinstance(obj, dict) else obj
        raise BadSave(f"'format' of a saved game must be {FORMAT!r}, got {shown(said)}")
    try:
        return _read(obj)
    except BadSave:
        raise
    except SapperError as problem:
        raise BadSave(f"invalid saved game: {problem}") from problem


def _read(obj: _Json) -> Saved:
    position, board = obj.get("position"), obj.get("board")
    settings, paths = _settings(obj), dict[int, bytes]()
    actions = [
        _action(_without_path(entry, at, paths, settings.level.shape()), at)
        for at, entry in enumerate(_need(obj, "actions", list), start=1)
    ]
    clock = _need(obj, "clock", dict)
    return Saved(
        settings=settings,
        position=None if position is None else Position.from_json(position),
        board=None if board is None else Board.from_json(board),
        actions=tuple(actions),
        paths=paths,
        player_s=_seconds(clock.get("player_s")),
        running=_need(clock, "running", bool),
        solver_s=_seconds(clock.get("solver_s")),
    )


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
        raise BadSave(f"{key!r} must be of type {kind.__name__}, got {shown(value)}")
    return value


def _without_path(entry: Any, at: int, paths: dict[int, bytes], shape: Topology) -> Any:
    """Move the pointer path from the end of an action's JSON to `paths`."""
    if not isinstance(entry, list) or not entry or not isinstance(entry[-1], list):
        return entry
    try:
        paths[at - 1] = pointer_path.pack(entry[-1], shape)
    except SapperError as problem:
        raise BadSave(f"action {at}: {problem}") from problem
    return entry[:-1]


def _action(entry: Any, at: int) -> Action:
    """Read ``[kind, row, col, seconds]``, or ``["undo", seconds]``."""
    if not isinstance(entry, list) or not entry or entry[0] not in list(ActionKind):
        kinds = ", ".join(ActionKind)
        raise BadSave(
            f"action {at} must be a list that starts with one of {kinds}, got {shown(entry)}"
        )
    kind = ActionKind(entry[0])
    if len(entry) != (2 if kind is ActionKind.UNDO else 4):
        raise BadSave(f"action {at} has the wrong length: {shown(entry)}")
    if not all(type(number) is int for number in entry[1:-1]):
        raise BadSave(f"action {at} must give its cell as two integers, got {shown(entry)}")
    cell = None if kind is ActionKind.UNDO else Cell(*entry[1:-1])
    return Action(kind, cell, _seconds(entry[-1]))


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < _FOREVER_S:
        raise BadSave(f"clock seconds must be 0 or more, got {shown(value)}")
    return float(value)
