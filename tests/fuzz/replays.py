"""Fuzz the replay readers with damaged, mixed and made-up files of every format.

A file must be read, or refused with `BadReplay`, in bounded time and memory. A replay that was read
can be played, measured and written; Sapper's own format round-trips, and a converted replay stays
the same when it is converted again.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from random import Random
from time import process_time

from fuzzing import fuzz

from sapper.errors import BadReplay
from sapper.replay import (
    WRITERS,
    Playback,
    Replay,
    analyze_replay,
    load,
    measure_play,
    parse,
    serialize,
)

FOLDER = Path(__file__).parents[1] / "data" / "replays"
LONGEST_S = 10.0
MOST_KB = 2_000_000
"""Memory limit of the whole process, which takes about 150,000 at startup."""
HEADER = 300
BEGUN = (
    b'{"format":"sapper-replay/1","board":{"rows":["1*2*1","11211","00000"]},"chord":"at_least",'
    b'"position":{"rows":["1F...",".....","0...."]},"win":"either","clicks":[[0,"open",2,0],'
    b'[5,"flag",3,0],[9,"chord",2,0],[12,"open",2,2]]}'
)
"""A replay that begins with open cells."""
ODD = [b"\0", b"\xff", b"\xff\xff", b"\x7f", b"\x80", b"[", b"|", b"*rmv", b"\x11\x4d", b"\n"]


def _seeds() -> list[bytes]:
    """Return every sample, in its original format and in every format that can be written."""
    found = [BEGUN]
    for path in sorted(FOLDER.iterdir()):
        if path.suffix not in (".md", ".json"):
            replay = load(path)
            found.append(path.read_bytes())
            # Keep the data short, so that more cases change the header.
            short = replay.without_pointer().scaled(16)
            found += [serialize(short, form, lossy=True) for form in WRITERS]
    return found


SEEDS = _seeds()


def damaged(rng: Random) -> bytes:
    """A replay file with bytes changed, cut out, repeated, or taken from another file."""
    data = bytearray(rng.choice(SEEDS))
    if rng.random() < 0.02:
        return rng.randbytes(rng.randint(0, 400))
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        if not data:
            break
        near = rng.random() < 0.5
        at = rng.randrange(min(len(data), HEADER) if near else len(data))
        change = rng.randrange(6)
        if change == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif change == 1:
            data[at] = rng.randrange(256)
        elif change == 2:
            data[at : at + rng.randint(1, 4)] = rng.choice(ODD)
        elif change == 3:
            del data[at : at + rng.choice([1, 2, 8, 100])]
        elif change == 4:
            data[at:at] = data[at : at + rng.choice([1, 8, 100])]
        else:
            other = rng.choice(SEEDS)
            begin = rng.randrange(len(other))
            data[at:] = other[begin:]
    if rng.random() < 0.2:
        del data[rng.randrange(len(data) + 1) :]
    return bytes(data)


def read(data: bytes) -> Replay | None:
    """Return the replay, or None if it is refused with a short message."""
    message = ""
    try:
        return parse(data)
    except BadReplay as problem:
        message = str(problem)
    assert 0 < len(message) < 2000
    return None


def case(rng: Random) -> None:
    """Read one file; if it is a replay, play it and write it."""
    data, begun = damaged(rng), process_time()
    replay = read(data)
    if replay is not None:
        played = Playback(replay)
        assert 0 <= played.solved <= replay.board.bbbv
        assert 0 <= played.clicks.effective <= played.clicks.all
        if rng.random() < 0.02:
            measure_play(played).to_json()
        if rng.random() < 0.005:
            analyze_replay(played).to_json()
        if rng.random() < 0.1:
            assert parse(serialize(replay)) == replay
            _write(replay, rng.choice(list(WRITERS)))
    taken = process_time() - begun
    assert taken < LONGEST_S, f"{taken:.1f} s"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert peak < (MOST_KB if sys.platform != "darwin" else 1024 * MOST_KB), f"{peak} kB"


def _write(replay: Replay, form: str) -> None:
    """Convert a replay; a second conversion must be lossless."""
    try:
        converted = parse(serialize(replay, form, lossy=True))
    except BadReplay:
        # The format does not support one of the events or numbers.
        return
    assert parse(serialize(converted, form)) == converted
    assert parse(serialize(converted)) == converted


if __name__ == "__main__":
    fuzz(case, __doc__)
