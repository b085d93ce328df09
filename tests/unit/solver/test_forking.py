"""Forking a process while its threads hold native locks."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PROGRAM = """
import os, threading
from sapper.position import Position

{given}

begun, stop = threading.Event(), threading.Event()

def work():
    while not stop.is_set():
        use()
        begun.set()

threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
begun.wait()
for _ in range(20):
    child = os.fork()
    if not child:
        use()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
stop.set()
for thread in threads:
    thread.join()
print("done")
"""

_SOLVER = """
from sapper.solver import Solver
solver, position = Solver(), Position.parse("." * 30 + chr(10) + "1" * 30, mines=10)
use = lambda: solver.analyze(position)
"""
_END_GAME = """
from sapper.solver.search.end_game import EndGame
end, position = EndGame(), Position.parse("....\\n....\\n1121", mines=3)
use = lambda: end.optimal(position)
"""
_SEARCHER = """
from sapper.solver.search.guesses import SWIFT, Searcher
searcher, position = Searcher(SWIFT), Position.parse("....\\n....\\n1121", mines=3)
use = lambda: searcher.guess(position)
"""
_MATCH = """
from sapper.simulation import Match
match = Match("{bot}", "beginner")
assert match.native
use = lambda: match.play([1, 2, 3])
"""
_REVIEW = """
from sapper.coach.values import Values
from sapper.solver import Limit
values, position = Values(Limit()), Position.parse("....\\n....\\n1121", mines=3)
def use():
    values._known.clear()
    assert values.of(position, sample=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize(
    "given",
    [
        pytest.param(_SOLVER, id="solver"),
        pytest.param(_END_GAME, id="end game", marks=pytest.mark.slow),
        pytest.param(_SEARCHER, id="searcher", marks=pytest.mark.slow),
        pytest.param(_MATCH.format(bot="exact"), id="exact", marks=pytest.mark.slow),
        pytest.param(_MATCH.format(bot="swift"), id="swift"),
        pytest.param(_REVIEW, id="review", marks=pytest.mark.slow),
    ],
)
def test_forked_child_can_take_native_locks(given: str) -> None:
    """The child waited forever for a lock whose thread existed only in the parent."""
    program = _PROGRAM.format(given=given)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, b"done\n"), done.stderr
