from __future__ import annotations

from random import Random

import pytest

from sapper.replay import Events, rawvf
from sapper.replay.event_lines import KIND_NAMES, read_event_lines

LINES = b"0.000 mv 1 1 (3 4)\n12.345 lc -1 17 (-16 271)\n1234567.890 pf 30 16 (479 -255)\n"


def test_lines_match_the_plain_reader() -> None:
    """The seconds, kind and pixels of each line match, including their signs."""
    read = read_event_lines(LINES)
    assert read == rawvf._any_events(LINES)
    assert read is not None
    assert [event.x for event in read] == [3, -16, 479]
    assert read.ms.tolist() == [0, 12_345, 1_234_567_890]


def test_seconds_may_have_two_decimals() -> None:
    """A hundredth counts as ten milliseconds."""
    read = read_event_lines(b"0.05 mv 1 1 (3 4)\n2.34 lc 1 1 (3 4)\n")
    assert read is not None
    assert read.ms.tolist() == [50, 2_340]


def test_damaged_lines_match_the_plain_reader() -> None:
    """If a changed line is accepted, its event is the same as in the plain reader."""
    rng, accepted = Random(5), 0
    for _ in range(3_000):
        data = bytearray(LINES)
        for _ in range(rng.choice([1, 1, 2, 3])):
            at, char = rng.randrange(len(data)), rng.choice(b"0123456789-.() \nmvlcrspf\tx")
            data[at : at + rng.randrange(2)] = bytes([char])[: rng.randrange(2)]
        read = read_event_lines(bytes(data))
        if read is not None:
            accepted += 1
            assert read == rawvf._any_events(bytes(data))
    assert accepted > 500


@pytest.mark.parametrize("extra", [b"0.000 start\n", b"0.300 solved 4\n", b"9.000 won\n"])
def test_lines_without_mouse_events_are_skipped(extra: bytes) -> None:
    """Other lines between events do not change the result."""
    for mixed in (extra + LINES, LINES + extra, LINES.replace(b"12.3", extra + b"12.3")):
        assert rawvf._events(b"Events:\n" + mixed) == read_event_lines(LINES)


def test_event_with_trailing_space_keeps_its_place() -> None:
    """A line with a trailing space needs the plain reader, but events stay in file order."""
    spaced = LINES.replace(b"271)\n", b"271) \n")
    assert rawvf._events(spaced) == read_event_lines(LINES)


def test_every_rawvf_kind_is_supported() -> None:
    """A line of each kind gives an event of that kind."""
    lines = b"".join(b"1.000 %s 1 1 (0 0)\n" % kind.encode() for kind in KIND_NAMES)
    read = read_event_lines(lines)
    assert isinstance(read, Events)
    assert [event.kind for event in read] == list(KIND_NAMES)
