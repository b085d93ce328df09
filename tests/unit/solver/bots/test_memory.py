"""The memory that bots keep between games."""

import subprocess
import sys

import pytest

from sapper.server.heap import find_trim
from support.marks import slow

_SCRIPT = """
import ctypes, gc, sys
from sapper.simulation import Match

class Heap(ctypes.Structure):
    _fields_ = [(f"{number}", ctypes.c_size_t) for number in range(10)]

mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Heap

def used():
    gc.collect()
    return getattr(mallinfo(), "7")

match = Match(sys.argv[1], "beginner")

def play(games):
    before = used()
    for seed in games:
        match.game(seed)
    return (used() - before) / len(games)

play(range(100))
print(play(range(100, 300)))
"""


@pytest.mark.skipif(find_trim() is None, reason="needs glibc")
@pytest.mark.parametrize("bot", ["exact", slow("autosweeper")])
def test_memory_does_not_grow_between_games(bot: str) -> None:
    """Remembering the components of all games took over 1,000 bytes per game."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, bot],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert float(done.stdout) < 500
