"""Files built by hand for versions without samples: EVF 0 to 3, and MVF 0.97."""

from __future__ import annotations

import pytest

from sapper.errors import BadReplay
from sapper.replay import parse
from sapper.replay.mvf import _permutation

# One mine, at row 0 and column 1 of three.
EVENTS = [(2, 0, 5, 6), (3, 300, 5, 6), (1, 70000, 300, 7)]


def evf(version: int) -> bytes:
    """A 1x3 board with three events, in a version whose events have a fixed length."""
    head = bytes([version, 0x80]) + (b"\x80" if version == 3 else b"")
    head += bytes([1, 3, 0, 1, 20, 0, 5, 0, 2, 0, 1, 44])
    for text in ("Meta 3.1", "Ada", "", "id", "1728314935546611", "0", "CZ"):
        head += text.encode() + b"\0"
    head += b"" if version < 2 else b"uuid\0"
    rows = [
        bytes([kind]) + ms.to_bytes(3, "big") + x.to_bytes(2, "big") + y.to_bytes(2, "big")
        for kind, ms, x, y in EVENTS
    ]
    return head + bytes([0b01000000]) + b"".join(rows) + b"\xff"


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_early_evf_versions_are_read(version: int) -> None:
    """The board, strings, time and events are read; settings exist from version 3 on."""
    replay = parse(evf(version))
    assert replay.format == "evf"
    assert replay.board.rows == ["1*1"]
    assert (replay.cell_px, replay.info.time_ms, replay.info.bbbv) == (20, 300, 2)
    assert (replay.info.program, replay.info.version) == ("Meta", "3.1")
    assert (replay.info.player, replay.info.identity, replay.info.country) == ("Ada", "id", "CZ")
    assert replay.info.mode == "competitive no-guess"
    assert replay.info.started_at == "2024-10-07T15:28:55.546611Z"
    assert replay.info.question_marks is (True if version == 3 else None)
    found = [(event.kind, event.ms, event.x, event.y) for event in replay.events]
    assert found == [("lc", 0, 5, 6), ("lr", 300, 5, 6), ("mv", 70000, 300, 7)]
    with pytest.raises(BadReplay, match=r"ends too early|of an unknown kind"):
        parse(evf(version)[:-1])


def test_clone_0_97_file_is_read() -> None:
    """The order of the bits in an event depends on the seed."""
    seed = 1234
    places = _permutation(seed, wide=False)
    states = [(1, 20, 3, 0), (0, 20, 3, 0), (0, 21, 4, 12340)]
    events = b""
    for left, x, y, ms in states:
        logical = [0, 0, left, *(y >> i & 1 for i in range(9)), *(x >> i & 1 for i in range(9))]
        logical += [ms % 1000 // 10 >> i & 1 for i in range(7)]
        logical += [ms // 1000 >> i & 1 for i in range(10)]
        stored = bytearray(5)
        for place, bit in zip(places, logical, strict=False):
            stored[place // 8] |= bit << place % 8
        events += bytes(stored)
    head = bytearray(74)
    head[:2], head[27] = b"\x11\x4d", ord("5")
    said = bytes([8, 2, 7, 219, 22, 48, 4, 4, 1, 0, 12, 34, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    board = bytes([3, 1, 0, 1, 2, 1]) + b"\x03Ada" + seed.to_bytes(2, "big")
    replay = parse(bytes(head) + said + board + len(states).to_bytes(3, "big") + events)
    assert (replay.format, replay.board.rows) == ("mvf", ["1*1"])
    assert (replay.info.player, replay.info.started_at) == ("Ada", "2011-08-02T22:48:04")
    assert (replay.info.time_ms, replay.info.won) == (12340, True)
    found = [(event.kind, event.ms, event.x, event.y) for event in replay.events]
    assert found == [("lc", 0, 20, 3), ("lr", 0, 20, 3), ("mv", 12340, 21, 4)]
