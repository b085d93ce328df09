"""Deadline, cancellation and progress of long-running calls."""

import pytest

from sapper._core import Cancel
from sapper._util import work as work_module
from sapper._util.work import Work
from sapper.errors import Cancelled, LimitReached


def test_late_work_raises_limit_reached() -> None:
    """The error states the limit."""
    work = Work(0.0)
    assert work.is_late()
    assert work.left == 0.0
    with pytest.raises(LimitReached, match="within the limit of 0 s"):
        work.look()


def test_work_without_a_limit_is_never_late() -> None:
    """Without a limit, the remaining time is None."""
    work = Work()
    work.look()
    assert not work.is_late()
    assert work.left is None


def test_cancelled_work_stops_before_its_deadline() -> None:
    """A cancelled call stops at the next check."""
    cancel = Cancel()
    work = Work(None, cancel)
    work.look()
    cancel.set()
    with pytest.raises(Cancelled):
        work.look()


def test_most_checks_do_not_read_the_clock() -> None:
    """Only every 256th check reads the clock."""
    work = Work(0.0)
    for _ in range(255):
        work.check()
    with pytest.raises(LimitReached):
        work.check()


def test_progress_is_reported_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most checks do not report progress."""
    now, told = 0.0, list[str]()
    monkeypatch.setattr(work_module, "perf_counter", lambda: now)
    work = Work(progress=told.append)
    for now in (0.0, 0.09, 0.11, 0.2, 0.22, 0.3):
        work.look(lambda at=now: str(at))
    assert told == ["0.11", "0.22"]
