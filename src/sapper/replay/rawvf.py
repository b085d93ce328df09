"""RawVF text, to which replays of other formats can be converted; see docs/formats.md."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import numpy as np

from sapper._util.shortening import shown
from sapper.errors import BadReplay
from sapper.replay.byte_reader import board_of, decoded
from sapper.replay.damage import no_board, wrong_row, wrong_total
from sapper.replay.event_lines import KIND_NAMES, read_event_lines
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import Info, Replay
from sapper.topology import MAX_CELLS
from sapper.translation import t

__all__ = ["looks_like", "read", "write"]

_CELL_PX: Final = 16
_LEVELS: Final = {
    "beginner": (8, 8, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99),
}  # fmt: skip
_MODES: Final = {"classic": "standard", "upk": "upk", "cheat": "cheat", "density": "density"}
_CLASSIC: Final = {"standard": "Classic", "upk": "UPK", "cheat": "Cheat", "density": "Density"}
_SWITCHES: Final = {"on": True, "off": False}
_OTHER_RULES: Final = {
    "lives": "Lives", "autoflag": "Autoflag", "lawnmower": "Lawnmower",
    "elmartechnique": "ElmarTechnique", "nonomouse": "NonoMouse",
}  # fmt: skip
"""Settings that change the rules and are not applied, by their name in lower case."""
_WITHOUT_EFFECT: Final = ("", "off", "0", "1", "none")
_MINE: Final = ord("*")
_LONGEST_LINE: Final = 4096

_MOUSE: Final = {str(kind).encode(): KINDS.index(kind) for kind in EventKind}
_SHORT: Final = [kind.encode() for kind in KIND_NAMES]
_EVENT = re.compile(
    rb"^(-?)(\d{1,7})\.(\d\d)(\d?)[ \t]+(" + b"|".join(_SHORT) + rb")"
    rb"(?:[ \t]+-?\d{1,6}[ \t]+-?\d{1,6})?[ \t]*\([ \t]*(-?\d{1,6})[ \t,]+(-?\d{1,6})[ \t]*\)",
    re.M,
)
# Lines that start with a time but are not mouse events.
_TIMED = re.compile(
    rb"^-?\d+\.\d+[ \t]+(?!(?:"
    + b"|".join(_SHORT)
    + rb")\b|start|won|lost|loss|blast|boom|defeat|sx|sy|no|solved)(.{0,40})",
    re.M | re.I,
)
_ANY = re.compile(rb"^-?\d+\.\d+[ \t]+(?:" + b"|".join(_SHORT) + rb")\b", re.M)
_HEAD = re.compile(
    rb"^\s{0,64}(?:Description:\s{1,64})?"
    rb"(?:RawVF_Version|Program|Version|Player|Timestamp|Level|Width|Height|Mines|Mode)[ \t]*:",
    re.I,
)
_RESULTS: Final = {
    "won": True, "lost": False, "loss": False, "boom": False, "blast": False, "defeat": False,
}  # fmt: skip
# Lines that state the result, unlike `blast 3 7`, which names a cell.
_RESULT = re.compile(
    rb"^(?:-?\d+\.\d+[ \t]+)?(" + "|".join(_RESULTS).encode() + rb")[ \t]*$", re.M | re.I
)
_AGAIN = re.compile(rb"^(?:Board|Description):[ \t]*$", re.M | re.I)
_RESULT_WITHIN: Final = 4096
"""Size of the end of the text that is searched for the result."""
_AVF_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{1,2}):(\d{1,2})")
_TIME = re.compile(r"(\d{1,7})(?:\.(\d{1,3})\d*)?")


def looks_like(data: bytes) -> bool:
    """Return whether data may be RawVF text."""
    return _HEAD.match(data[:256].removeprefix(b"\xef\xbb\xbf")) is not None


def read(data: bytes) -> Replay:
    """Read RawVF text.

    Raises:
        BadReplay: If the file is invalid.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    head, at = _header(data)
    sizes = _LEVELS.get(head.get("level", "").lower(), (0, 0, 0))
    width = _whole(head, "width", sizes[0])
    height = _whole(head, "height", sizes[1])
    if not 1 <= width * height <= min(MAX_CELLS, len(data)):
        raise BadReplay(f"the RawVF text says that the board is {width}x{height}")
    mines: list[tuple[int, int]] = []
    for row in range(height):
        end = data.find(b"\n", at)
        line = data[at : end if end >= 0 else len(data)].rstrip()
        if len(line) != width:
            raise wrong_row(row, len(line), width)
        mines += [(row, col) for col, cell in enumerate(line) if cell == _MINE]
        at = end + 1 if end >= 0 else len(data)
    board = board_of(width, height, mines)
    if "mines" in head and _whole(head, "mines", 0) != len(mines):
        raise wrong_total(head["mines"], len(mines))
    # Earlier versions of Sapper wrote `CellSize`, before the format had a key for it.
    cell_px = _whole(head, "squaresize", 0) or _whole(head, "cellsize", _CELL_PX)
    won = _RESULTS.get(head.get("status", "").lower())
    if won is None:
        won = _result(data, max(at, len(data) - _RESULT_WITHIN))
    mode = head.get("mode", "classic")
    info = Info(
        program=head.get("program", ""),
        version=head.get("version", ""),
        player=head.get("player", ""),
        identity=head.get("identity", ""),
        country=head.get("country", ""),
        started_at=_started_at(head.get("timestamp", "")),
        mode=_MODES.get(mode.lower(), mode),
        question_marks=_SWITCHES.get(head.get("marks", "").lower()),
        super_click=_SWITCHES.get(head.get("superclick", "").lower()),
        super_flag=_SWITCHES.get(head.get("superflag", "").lower()),
        other_rules=", ".join(
            f"{name}: {head[key]}"
            for key, name in _OTHER_RULES.items()
            if head.get(key, "").lower() not in _WITHOUT_EFFECT
        ),
        time_ms=_milliseconds(head.get("time", "")),
        bbbv=_whole(head, "bbbv", 0) or None,
        won=won,
        official=_SWITCHES.get(head.get("official", "").lower()),
        fair=_SWITCHES.get(head.get("fair", "").lower()),
    )
    return Replay(board, _events(data[at:]), cell_px, info, "rawvf")


def _header(data: bytes) -> tuple[dict[str, str], int]:
    """Return the keys before the board, in lower case, and the start of the board."""
    head: dict[str, str] = {}
    at = 0
    while (end := data.find(b"\n", at, at + _LONGEST_LINE)) >= 0:
        key, colon, value = data[at:end].partition(b":")
        at = end + 1
        name = decoded(key).strip().lower()
        if name == "board":
            return head, at
        if colon:
            head.setdefault(name, decoded(value).strip())
    raise no_board()


def _result(data: bytes, start: int) -> bool | None:
    """Return whether the last line with a result says that the game was won; None without one."""
    # Counting lines that end like an event is faster than the expression, and usually enough.
    end = data[start:]
    if end.endswith(b"\n") and end.count(b"\n") == end.count(b")\n"):
        return None
    results = _RESULT.findall(data, start)
    return _RESULTS[results[-1].decode("ascii").lower()] if results else None


def _whole(head: dict[str, str], key: str, default: int) -> int:
    text = head.get(key, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 7):
        raise BadReplay(f"{key!r} of the RawVF text must be a whole number, got {shown(text)}")
    return int(text)


def _milliseconds(text: str) -> int | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    return 1000 * int(match[1]) + int((match[2] or "").ljust(3, "0"))


def _started_at(text: str) -> str:
    """Return a timestamp as ISO 8601, or unchanged if its form is unknown."""
    if text.isascii() and text.isdigit() and 9 <= len(text) <= 10:
        return f"{datetime.fromtimestamp(int(text), UTC):%Y-%m-%dT%H:%M:%SZ}"
    if match := _AVF_DATE.match(text):
        day, month, year, hour, minute, second = map(int, match.groups())
        return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
    return text


def _events(data: bytes) -> Events:
    if data[:7].lower() == b"events:":
        data = data[data.find(b"\n") + 1 :]
    if not data.endswith(b"\n"):
        data += b"\n"
    if (fast := read_event_lines(data)) is not None:
        return fast
    # Other programs write lines such as `won` and `solved` between events.
    lines = data.split(b"\n")
    others = b"\n".join(line for line in lines if not line.endswith(b")"))
    # Event lines may have trailing spaces, and must stay in order with the others.
    if not len(_any_events(others)):
        events = b"".join(line + b"\n" for line in lines if line.endswith(b")"))
        if (fast := read_event_lines(events)) is not None:
            return fast
    return _any_events(data)


def _any_events(data: bytes) -> Events:
    """Read lines one by one, skipping those that are not mouse events."""
    if _AGAIN.search(data):
        raise BadReplay(t("the file has several games, or a board that changes"))
    if odd := _TIMED.search(data):
        raise BadReplay(t("unknown event: {event}", event=shown(decoded(odd[1]))))
    lines = _EVENT.findall(data)
    if len(lines) != len(_ANY.findall(data)):
        raise BadReplay("an event of the RawVF text has no position in pixels")
    if not lines:
        return Events.of([], [], [], [])
    signs, seconds, hundredths, last, kinds, x, y = zip(*lines, strict=True)
    ms = 1000 * np.array(seconds).astype(np.int64) + 10 * np.array(hundredths).astype(np.int64)
    ms += np.array([digit or b"0" for digit in last]).astype(np.int64)
    # Like other programs, treat times before the start as 0.
    ms[np.array(signs) == b"-"] = 0
    codes = [_MOUSE[kind] for kind in kinds]
    return Events.of(ms, codes, np.array(x).astype(np.int64), np.array(y).astype(np.int64))


_SWITCH: Final = {True: "On", False: "Off", None: ""}


def write(replay: Replay) -> bytes:
    """Return a replay as RawVF text.

    Raises:
        BadReplay: If the board is not a rectangle, or an event is not a press, release or move.
    """
    if replay.board.topology.name != "rectangle":
        raise BadReplay(t("RawVF text needs a rectangular board"))
    shape, info = replay.board.topology, replay.info
    level = next(
        (
            name
            for name, size in _LEVELS.items()
            if size == (shape.width, shape.height, replay.board.mines)
        ),
        "custom",
    )
    head = {
        "RawVF_Version": "6",
        "Program": info.program,
        "Version": info.version,
        "Player": info.player,
        "Identity": info.identity,
        "Country": info.country,
        "Level": level.capitalize(),
        "Width": shape.width,
        "Height": shape.height,
        "Mines": replay.board.mines,
        "Marks": _SWITCH[info.question_marks],
        "SuperClick": _SWITCH[info.super_click],
        "SuperFlag": _SWITCH[info.super_flag],
        **dict(rule.partition(": ")[::2] for rule in info.other_rules.split(", ") if rule),
        "SquareSize": "" if replay.cell_px == _CELL_PX else replay.cell_px,
        "Time": "" if info.time_ms is None else f"{info.time_ms // 1000}.{info.time_ms % 1000:03}",
        "BBBV": "" if info.bbbv is None else info.bbbv,
        "Status": {True: "Won", False: "Lost", None: ""}[info.won],
        "Official": _SWITCH[info.official],
        "Fair": _SWITCH[info.fair],
        "Timestamp": info.started_at,
        "Mode": _CLASSIC.get(info.mode, info.mode),
    }
    lines = [f"{key}: {' '.join(str(value).split())}" for key, value in head.items() if value != ""]
    lines.append("Board:")
    rows = replay.board.mined.translate(bytes.maketrans(b"\0\1", b"0*")).decode("ascii")
    lines += [rows[at : at + shape.width] for at in range(0, len(rows), shape.width)]
    lines.append("Events:")
    px = replay.cell_px
    for ms, kind, x, y in replay.events:
        if kind.encode() not in _SHORT:
            raise BadReplay(f"RawVF text has no event {kind!s}: see Replay.as_mouse")
        if ms < 0:
            raise BadReplay("RawVF text holds no events before the start")
        lines.append(f"{ms // 1000}.{ms % 1000:03} {kind} {x // px + 1} {y // px + 1} ({x} {y})")
    return "\n".join([*lines, ""]).encode("utf-8", "replace")
