"""Serve a bot as an engine: read requests line by line, and write answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from sapper._core import __version__
from sapper._util.arguments import integer
from sapper._util.shortening import shown
from sapper.errors import BadSetting, SapperError
from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver import Limit, analyze
from sapper.solver.bots import Bot, Choice
from sapper.solver.bots.engine import PROTOCOL, Abilities
from sapper.topology import Topology

__all__ = ["serve"]

_MOST_GAMES: Final = 64
"""Maximum number of games at the same time, each with a bot."""


@dataclass
class _Game:
    """A game started by the other program."""

    level: Level
    shape: Topology
    runner: BotRunner


class _Ended(Exception):
    """The other program has asked the engine to quit."""


def serve(
    make: Callable[[], Bot], name: str, lines: Iterable[bytes], write: Callable[[bytes], object]
) -> None:
    """Answer requests until ``quit`` or the end of the lines.

    Args:
        make: Function that creates the bot; called once for each concurrent game.
        name: The bot's name.
        lines: The requests, one per line.
        write: Function that writes one line and flushes it.
    """
    engine = _Server(make, name)
    for line in lines:
        if not line.strip():
            continue
        number = None
        try:
            request = _request(line)
            number = request.get("id")
            answer = engine.answer(request)
        except _Ended:
            return
        except SapperError as problem:
            code = getattr(problem, "code", "error")
            answer = {"type": "error", "code": code, "message": str(problem)}
            if isinstance(number, int):
                answer["id"] = number
        if answer is not None:
            write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        text = line.decode("utf-8", "replace").strip()
        raise BadSetting(f"a request must be a JSON object on a line, got {shown(text)}") from None
    if not isinstance(request, dict) or not isinstance(request.get("type"), str):
        raise BadSetting(f"a request must be an object with a type, got {shown(request)}")
    return request


class _Server:
    """The state of a served bot: its games."""

    def __init__(self, make: Callable[[], Bot], name: str) -> None:
        self._make, self._name = make, name
        self._games: dict[int, _Game] = {}
        self._idle: list[BotRunner] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a request; None if it needs no answer.

        Raises:
            SapperError: If the request is invalid, or the bot fails.
        """
        handler = _HANDLERS.get(request["type"])
        if handler is None:
            raise BadSetting(
                f"unknown type {shown(request['type'])}; the types are: {', '.join(_HANDLERS)}"
            )
        return handler(self, request)

    def hello(self, request: dict[str, Any]) -> dict[str, Any]:
        if request.get("protocol") != PROTOCOL:
            raise BadSetting(
                f"this engine speaks version {PROTOCOL} of the protocol, "
                f"got {shown(request.get('protocol'))}"
            )
        return Abilities(
            name=f"Sapper {self._name}",
            version=__version__,
            topologies=None,
            rules=None,
            totals=("mines", "density", "unknown"),
            analysis=True,
            games=_MOST_GAMES,
        ).to_json()

    def game(self, request: dict[str, Any]) -> None:
        number, seed = _whole(request, "game"), _whole(request, "seed", 0)
        fields = {name: request.get(name) for name in ("width", "height", "mines", "density")}
        level = Level(**fields, topology=request.get("topology", "rectangle"))  # type: ignore[arg-type]
        self._release(number)
        if len(self._games) >= _MOST_GAMES:
            raise BadSetting(f"at most {_MOST_GAMES} games can be played at the same time")
        runner = self._idle.pop() if self._idle else BotRunner(self._make(), self._name)
        runner.begin(level, seed, f"game {number}")
        self._games[number] = _Game(level, level.shape(), runner)

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        number, game = _whole(request, "id"), self._games.get(_whole(request, "game"))
        if game is None:
            raise BadSetting(f"game {shown(request['game'])} has not been started")
        position = _position(request, game.level)
        return {"type": "choice", "id": number, **_choice_json(game.runner.choose(position))}

    def analyze(self, request: dict[str, Any]) -> dict[str, Any]:
        number = _whole(request, "id")
        position = Position.from_json(
            {
                name: request[name]
                for name in ("width", "height", "topology", "mines", "density", "running", "rows")
                if request.get(name) is not None
            }
        )
        found = analyze(position, limit=_limit(request)).to_json()
        return {
            "type": "analysis",
            "id": number,
            "chances": found["p_mine"],
            "safe": found["safe"],
            "mined": found["mined"],
            "exact": found["exact"],
        }

    def end(self, request: dict[str, Any]) -> None:
        self._release(_whole(request, "game"))

    def stop(self, request: dict[str, Any]) -> None:
        """Do nothing: choices are made one after the other, so there is nothing to stop."""

    def quit(self, request: dict[str, Any]) -> None:
        raise _Ended

    def _release(self, number: int) -> None:
        if (game := self._games.pop(number, None)) is not None:
            self._idle.append(game.runner)


_HANDLERS: Final[dict[str, Callable[[_Server, dict[str, Any]], dict[str, Any] | None]]] = {
    "hello": _Server.hello,
    "game": _Server.game,
    "choose": _Server.choose,
    "analyze": _Server.analyze,
    "end": _Server.end,
    "stop": _Server.stop,
    "quit": _Server.quit,
}


def _whole(request: dict[str, Any], name: str, default: int | None = None) -> int:
    value = integer(request.get(name, default))
    if value is None:
        raise BadSetting(f"{name} must be a whole number, got {shown(request.get(name))}")
    return value


def _position(request: dict[str, Any], level: Level) -> Position:
    fields = {
        "width": level.width,
        "height": level.height,
        "topology": level.topology,
        "running": request.get("running"),
        "rows": request.get("rows"),
    }
    return Position.from_json(fields, level.mines, density=level.density)


def _limit(request: dict[str, Any]) -> Limit | None:
    limits = request.get("limits")
    milliseconds = limits.get("move_ms") if isinstance(limits, dict) else None
    if milliseconds is None:
        return None
    if integer(milliseconds) is None or milliseconds <= 0:
        raise BadSetting(f"move_ms must be a positive number, got {shown(milliseconds)}")
    # Leave some time for sending the answer.
    return Limit(seconds=milliseconds / 1000 * 0.8)


def _choice_json(choice: Choice) -> dict[str, Any]:
    actions = [[str(action.kind), *(action.cell or ())] for action in choice.actions]
    found: dict[str, Any] = {"actions": actions, "guess": choice.guess}
    if choice.risk is not None:
        found["risk"] = choice.risk
    if choice.by:
        found["by"] = choice.by
    return found
