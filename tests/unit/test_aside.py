"""Work that is left behind."""

import subprocess
import sys

from support.program import sapper


def test_work_is_left_behind_until_it_ends() -> None:
    """Then nothing is; in a process of its own, since other tests may leave work behind."""
    code = (
        "import threading; from sapper.aside import aside, left_behind; end = threading.Event();"
        "assert not left_behind(); thread = aside(end.wait); assert left_behind();"
        "end.set(); thread.join(); assert not left_behind()"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_the_program_leaves_native_work_behind_at_once() -> None:
    """It is not brought down by it, and does not wait for it."""
    side = 120
    wide = "\n".join("." * side if row % 2 else ".2" * (side // 2) for row in range(side))
    for _ in range(5):
        stop = ["arrange", "--method", "exact", "--seconds", "1e-9"]
        assert sapper(*stop, stdin=f"mines: 5000\n{wide}\n").code == 2
