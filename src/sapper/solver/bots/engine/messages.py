"""The messages of the engine protocol: docs/engine-protocol.md describes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from sapper._util.arguments import integer, number
from sapper._util.shortening import shortened, shown
from sapper.actions import Action, ActionKind
from sapper.errors import SapperError
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.solver.bots.base import Choice
from sapper.solver.bots.engine.errors import EngineFailed
from sapper.topology import Topology

__all__ = [
    "PROTOCOL",
    "Abilities",
    "choice_of",
    "decode",
    "encode",
    "game_message",
    "longest_line",
    "position_fields",
]

PROTOCOL: Final = 1
"""The version of the protocol."""

_KINDS: Final = {"open": ActionKind.OPEN, "flag": ActionKind.FLAG, "chord": ActionKind.CHORD}
_TOTALS: Final = ("mines", "density", "unknown")


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Return the message of a line.

    Raises:
        EngineFailed: If the line is not a JSON object with a type.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineFailed(f"it sent {_quoted(line)}, which is not JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise EngineFailed(f"it sent {_quoted(line)}, which is not an object with a type")
    return message


def _quoted(line: bytes) -> str:
    return repr(shortened(line.decode("utf-8", "replace"), 80))


def longest_line(cells: int) -> int:
    """Return the maximum length in bytes of an engine's line about a board."""
    return 65_536 + 64 * cells


@dataclass(frozen=True, slots=True)
class Abilities:
    """The declarations of an engine in its greeting.

    Attributes:
        name: Its name.
        version: Its version.
        topologies: The shapes of boards that it plays; None for all.
        rules: The rule sets that it plays; None for all.
        totals: The supported kinds of knowledge about the mines: ``mines``, ``density``,
            ``unknown``.
        analysis: Whether it answers `analyze`.
        games: The number of games that it can play at the same time.
    """

    name: str
    version: str = ""
    topologies: tuple[str, ...] | None = ("rectangle",)
    rules: tuple[str, ...] | None = ("classic",)
    totals: tuple[str, ...] = ("mines",)
    analysis: bool = False
    games: int = 1

    @classmethod
    def from_json(cls, message: Mapping[str, Any]) -> Self:
        """Read a greeting.

        Raises:
            EngineFailed: If a field is missing or invalid.
        """
        if message["type"] != "hello":
            raise EngineFailed(f"its first message must be hello, got {shown(message['type'])}")
        if message.get("protocol") != PROTOCOL:
            got = shown(message.get("protocol"))
            raise EngineFailed(f"it must speak version {PROTOCOL} of the protocol, got {got}")
        games = integer(message.get("games", 1))
        if games is None or games < 1:
            raise EngineFailed(f"games must be a positive number, got {shown(message['games'])}")
        totals = _names(message, "totals", ("mines",))
        if totals is None or not set(totals) <= set(_TOTALS):
            choices = ", ".join(_TOTALS)
            raise EngineFailed(
                f"totals must be some of {choices}, got {shown(message.get('totals'))}"
            )
        return cls(
            name=_text(message, "name"),
            version=_text(message, "version", ""),
            topologies=_names(message, "topologies", ("rectangle",)),
            rules=_names(message, "rules", ("classic",)),
            totals=totals,
            analysis=_flag(message, "analysis"),
            games=games,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the greeting."""
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "name": self.name,
            "version": self.version,
            "topologies": "all" if self.topologies is None else list(self.topologies),
            "rules": "all" if self.rules is None else list(self.rules),
            "totals": list(self.totals),
            "analysis": self.analysis,
            "games": self.games,
        }

    def check_board(self, board: Level | Position) -> None:
        """Check that the engine plays boards of this kind.

        Raises:
            EngineFailed: If it does not play such boards.
        """
        name = board.topology if isinstance(board, Level) else board.topology.name
        if self.topologies is not None and name not in self.topologies:
            raise EngineFailed(f"it plays {', '.join(self.topologies)} boards, not {name}")
        total = _total(board)
        if total not in self.totals:
            raise EngineFailed(f"it needs boards with {' or '.join(self.totals)}, not {total}")

    def check_rules(self, rules: str) -> None:
        """Check that the engine plays a rule set.

        Raises:
            EngineFailed: If it does not play this rule set.
        """
        if self.rules is not None and rules not in self.rules:
            raise EngineFailed(f"it plays the rules {', '.join(self.rules)}, not {rules}")


def _total(board: Level | Position) -> str:
    if board.mines is not None:
        return "mines"
    return "density" if board.density is not None else "unknown"


def _text(message: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = message.get(name, default)
    if not isinstance(value, str):
        raise EngineFailed(f"{name} must be a string, got {shown(value)}")
    return shortened(" ".join(value.split()), 80)


def _flag(message: Mapping[str, Any], name: str) -> bool:
    value = message.get(name, False)
    if not isinstance(value, bool):
        raise EngineFailed(f"{name} must be true or false, got {shown(value)}")
    return value


def _names(
    message: Mapping[str, Any], name: str, default: tuple[str, ...]
) -> tuple[str, ...] | None:
    value = message.get(name, default)
    if value == "all":
        return None
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise EngineFailed(f'{name} must be a list of names or "all", got {shown(value)}')
    return tuple(value)


def position_fields(position: Position) -> dict[str, Any]:
    """Return the fields of a position: size, shape, what is known about the mines, and rows."""
    shape = position.topology
    return {
        "width": shape.width,
        "height": shape.height,
        "topology": shape.name,
        "mines": position.mines,
        "density": position.density,
        **({} if position.running else {"running": False}),
        "rows": position.rows,
    }


def game_message(
    game: int, level: Level, seed: int, settings: Settings | None, limits: Mapping[str, int | None]
) -> dict[str, Any]:
    """Return the message that starts a game."""
    return {
        "type": "game",
        "game": game,
        "width": level.width,
        "height": level.height,
        "topology": level.topology,
        "mines": level.mines,
        "density": level.density,
        "rules": None if settings is None else settings.rules,
        "first_click": None if settings is None else str(settings.first_click),
        "win": None if settings is None else str(settings.win),
        "seed": seed,
        "limits": dict(limits),
    }


def choice_of(message: Mapping[str, Any], shape: Topology) -> Choice:
    """Return the choice in an engine's answer.

    Raises:
        EngineFailed: If a field is missing or invalid.
    """
    actions = message.get("actions")
    if not isinstance(actions, list) or not actions:
        raise EngineFailed(f"actions must be a list with an action, got {shown(actions)}")
    if len(actions) > 4 * shape.size:
        raise EngineFailed(f"it sent {len(actions)} actions for a board of {shape.size} cells")
    risk = message.get("risk")
    if risk is not None and ((chance := number(risk)) is None or not 0 <= chance <= 1):
        raise EngineFailed(f"risk must be a number from 0 to 1, got {shown(risk)}")
    return Choice(
        actions=tuple([_action(action, shape) for action in actions]),
        by=_text(message, "by", ""),
        risk=None if risk is None else float(risk),
        guess=_flag(message, "guess"),
    )


def _action(action: object, shape: Topology) -> Action:
    if not isinstance(action, list) or len(action) != 3:
        raise EngineFailed(f'an action must be like ["open", row, column], got {shown(action)}')
    name, row, column = action
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise EngineFailed(f"an action must be one of {', '.join(_KINDS)}, got {shown(name)}")
    try:
        return Action(kind, shape.cell(shape.index((row, column))))
    except SapperError:
        raise EngineFailed(
            f"it chose to {name} {shown((row, column))} on a board of {shape.height} rows and "
            f"{shape.width} columns, counted from 0"
        ) from None
