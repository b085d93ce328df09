"""Work that is left behind."""

import threading

from sapper.aside import aside, left_behind
from support.program import sapper


def test_work_is_left_behind_until_it_ends() -> None:
    """Then nothing is."""
    end = threading.Event()
    thread = aside(end.wait)
    assert left_behind()
    end.set()
    thread.join()
    assert not left_behind()


def test_the_program_leaves_native_work_behind_at_once() -> None:
    """It is not brought down by it, and does not wait for it."""
    side = 120
    wide = "\n".join("." * side if row % 2 else ".2" * (side // 2) for row in range(side))
    for _ in range(5):
        stop = ["arrange", "--method", "exact", "--seconds", "1e-9"]
        assert sapper(*stop, stdin=f"mines: 5000\n{wide}\n").code == 2
