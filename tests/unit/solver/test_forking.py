"""A process that forks while its threads share a solver."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PROGRAM = """
import os, threading
from sapper.position import Position
from sapper.solver import Solver

solver, position = Solver(), Position.parse("." * 30 + chr(10) + "1" * 30, mines=10)
begun, stop = threading.Event(), threading.Event()

def work():
    while not stop.is_set():
        solver.analyze(position)
        begun.set()

threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
begun.wait()
for _ in range(20):
    child = os.fork()
    if not child:
        solver.analyze(position)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
stop.set()
for thread in threads:
    thread.join()
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_child_can_use_a_solver_that_a_thread_held() -> None:
    """The thread is missing in the child, which waited for it forever."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, b"done\n")
