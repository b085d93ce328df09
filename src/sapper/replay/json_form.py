"""Sapper's own replay format, a JSON object; see docs/formats.md."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper._util.shortening import shown
from sapper.board import Board
from sapper.errors import BadReplay, SapperError
from sapper.position import Position
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import Info, Replay, is_untouched
from sapper.rules import Chord, Win

__all__ = ["FORMAT", "from_json", "looks_like", "read", "to_json", "write"]

FORMAT: Final = "sapper-replay/1"
_NAME: Final = b'"sapper-replay/'
_WIDTHS: Final = {16: "<i2", 32: "<i4"}
_CODES: Final = {
    str(kind): code for code, kind in enumerate(KINDS) if kind not in (None, EventKind.MOVE)
}
_MOVE: Final = KINDS.index(EventKind.MOVE)
_USUAL: Final[Mapping[str, Chord | Win]] = {"chord": Chord.EXACT, "win": Win.OPEN}
"""Settings that are written only if they differ from the default."""
_LIMIT: Final = 2**31
_LARGEST: Final = 2**53
"""Numbers below this are exact in every JSON reader; some formats store times of 2^32 ms."""
_KINDS_OF_INFO: Final[Mapping[str, tuple[type, ...]]] = {
    "question_marks": (bool, type(None)),
    "super_click": (bool, type(None)),
    "super_flag": (bool, type(None)),
    "won": (bool, type(None)),
    "official": (bool, type(None)),
    "fair": (bool, type(None)),
    "time_ms": (int, type(None)),
    "bbbv": (int, type(None)),
}
_DEFAULT_INFO: Final = {field.name: field.default for field in fields(Info)}


def looks_like(data: bytes) -> bool:
    """Return whether data may be a replay in Sapper's format."""
    text = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    return text[:1] == b"{" and _NAME in data


def read(data: bytes) -> Replay:
    """Read a replay in Sapper's format.

    Raises:
        BadReplay: If the replay is invalid.
    """
    try:
        return from_json(json.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError as problem:
        raise BadReplay(f"not UTF-8: byte 0x{data[problem.start]:02x}") from None
    except json.JSONDecodeError as problem:
        raise BadReplay(
            f"not JSON at line {problem.lineno}, column {problem.colno}: {problem.msg}"
        ) from None
    except RecursionError:
        raise BadReplay("not a replay: the JSON is nested too deeply") from None
    except ValueError as problem:
        # Python refuses to convert numbers with thousands of digits.
        if isinstance(problem, BadReplay):
            raise
        raise BadReplay(f"not a replay: {problem}") from None


def from_json(obj: Any) -> Replay:
    """Read the JSON form of a replay, as `to_json` returns it.

    Raises:
        BadReplay: If the replay is invalid.
    """
    if not isinstance(obj, dict) or obj.get("format") != FORMAT:
        version = obj.get("format") if isinstance(obj, dict) else obj
        raise BadReplay(f"'format' of a replay must be {FORMAT!r}, got {shown(version)}")
    try:
        board = Board.from_json(obj.get("board"))
    except SapperError as problem:
        raise BadReplay(f"'board': {problem}") from None
    cell_px = obj.get("cell_px", 1)
    if type(cell_px) is not int:
        raise BadReplay(f"'cell_px' must be a whole number, got {shown(cell_px)}")
    origin = _origin(obj, board)
    info, events = _info(obj.get("info", {})), _events(obj)
    settings: dict[str, Any] = {name: _choice(obj, name) for name in _USUAL if name in obj}
    return Replay(board, events, cell_px, info, origin=origin, **settings)


def _choice(obj: dict[str, Any], name: str) -> StrEnum:
    value, kinds = obj[name], type(_USUAL[name])
    if value not in list(kinds):
        raise BadReplay(f"{name!r} must be one of {', '.join(kinds)}, got {shown(value)}")
    return kinds(value)


def _origin(replay: dict[str, Any], board: Board) -> Position | None:
    """Return the start position of a replay, or None for an unopened board."""
    if "position" not in replay:
        try:
            density = replay.get("density")
            if density is None:
                return None
            return Position.unopened(board.topology, density=density)
        except SapperError as problem:
            raise BadReplay(f"'density': {problem}") from None
    obj = replay["position"]
    unknown = isinstance(obj, dict) and (
        obj.get("mines", board.mines) is None or obj.get("density") is not None
    )
    try:
        return Position.from_json(obj, None if unknown else board.mines)
    except SapperError as problem:
        raise BadReplay(f"'position': {problem}") from None


def _info(obj: Any) -> Info:
    if not isinstance(obj, dict):
        raise BadReplay(f"'info' must be an object, got {shown(obj)}")
    for key, value in obj.items():
        if key not in _DEFAULT_INFO:
            raise BadReplay(f"'info' has no key {shown(key)}; keys: {', '.join(_DEFAULT_INFO)}")
        if type(value) not in _KINDS_OF_INFO.get(key, (str,)):
            raise BadReplay(f"{key!r} of 'info' is of the wrong type: {shown(value)}")
        if type(value) is int and not 0 <= value < _LARGEST:
            raise BadReplay(f"{key!r} of 'info' must be 0 or more, below 2^53, got {shown(value)}")
    return Info(**obj)


def _events(obj: dict[str, Any]) -> Events:
    clicks = obj.get("clicks")
    if not isinstance(clicks, list):
        raise BadReplay(f"'clicks' must be a list, got {shown(clicks)}")
    for place, click in enumerate(clicks):
        if not isinstance(click, list) or len(click) != 4:
            raise BadReplay(f"click {place} must be [ms, kind, x, y], got {shown(click)}")
    ms, kinds, x, y = map(list, zip(*clicks, strict=True)) if clicks else ([], [], [], [])
    for kind in kinds:
        if not isinstance(kind, str) or kind not in _CODES:
            raise BadReplay(f"unknown kind of click {shown(kind)}; kinds: {', '.join(_CODES)}")
    codes = np.array([_CODES[kind] for kind in kinds], dtype=np.uint8)
    columns = [_integers(values, "clicks") for values in (ms, x, y)]
    path = obj.get("pointer")
    if path is None:
        return Events.of(columns[0], codes, columns[1], columns[2])
    if not isinstance(path, dict) or set(path) != {"before", "bits", "steps"}:
        raise BadReplay("'pointer' must be an object with the keys before, bits and steps")
    moves = _moves(path["bits"], path["steps"])
    before = _integers(path["before"], "before")
    if len(before) != len(clicks) or (np.diff(before, prepend=0, append=len(moves)) < 0).any():
        raise BadReplay("'before' must have for each click the number of moves before it")
    merged = [np.insert(moves[:, i], before, column) for i, column in enumerate(columns)]
    kind = np.insert(np.full(len(moves), _MOVE, dtype=np.uint8), before, codes)
    return Events.of(merged[0], kind, merged[1], merged[2])


def _moves(bits: Any, steps: Any) -> npt.NDArray[np.int64]:
    """Return the time, x and y of each move."""
    if type(bits) is not int or bits not in _WIDTHS:
        raise BadReplay(f"'bits' of 'pointer' must be 16 or 32, got {shown(bits)}")
    if not isinstance(steps, str):
        raise BadReplay(f"'steps' of 'pointer' must be text, got {shown(steps)}")
    try:
        data = b64decode(steps, validate=True)
    except ValueError as problem:
        raise BadReplay(f"'steps' of 'pointer' must be base64: {problem}") from None
    if len(data) % (3 * bits // 8):
        raise BadReplay(f"'steps' of 'pointer' must be 3 numbers of {bits} bits for each move")
    changes = np.frombuffer(data, dtype=_WIDTHS[bits]).reshape(-1, 3)
    moves: npt.NDArray[np.int64] = np.cumsum(changes, axis=0, dtype=np.int64)
    if len(moves) and np.abs(moves).max() >= _LIMIT:
        raise BadReplay("a number in 'steps' is out of range")
    return moves


def _integers(values: Any, name: str) -> Any:
    if not isinstance(values, list):
        raise BadReplay(f"{name!r} must be a list, got {shown(values)}")
    if not set(map(type, values)) <= {int}:
        odd = next(value for value in values if type(value) is not int)
        raise BadReplay(f"{name!r} must hold whole numbers, got {shown(odd)}")
    if values and not -_LIMIT <= min(values) <= max(values) < _LIMIT:
        raise BadReplay(f"a number in {name!r} is out of range")
    return np.array(values, dtype=np.int64)


def _began(origin: Position | None) -> dict[str, Any]:
    """Return the JSON keys of the start position; for an unopened board, only its density."""
    if origin is None:
        return {}
    if is_untouched(origin):
        return {"density": origin.density}
    return {"position": origin.to_json()}


def to_json(replay: Replay) -> dict[str, Any]:
    """Return the JSON form of a replay."""
    info = {key: value for key, value in asdict(replay.info).items() if value != _DEFAULT_INFO[key]}
    moved = replay.events.is_kind(EventKind.MOVE)
    path, clicks = replay.events[moved], replay.events[~moved]
    unusual = [name for name, usual in _USUAL.items() if getattr(replay, name) is not usual]
    obj = {
        "format": FORMAT,
        "board": replay.board.to_json(),
        **_began(replay.origin),
        **{name: str(getattr(replay, name)) for name in unusual},
        "cell_px": replay.cell_px,
        "info": info,
        "clicks": [[ms, str(kind), x, y] for ms, kind, x, y in clicks],
    }
    if len(path):
        columns = (path.ms, path.x.astype(np.int64), path.y.astype(np.int64))
        changes = np.diff(np.stack(columns, axis=1), axis=0, prepend=0)
        bits = 16 if -(2**15) <= changes.min() <= changes.max() < 2**15 else 32
        obj["pointer"] = {
            "before": np.cumsum(moved)[~moved].tolist(),
            "bits": bits,
            "steps": b64encode(changes.astype(_WIDTHS[bits]).tobytes()).decode("ascii"),
        }
    return obj


def write(replay: Replay) -> bytes:
    """Return a replay in Sapper's format."""
    text = json.dumps(to_json(replay), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"
