"""A limit on the jobs of several servers."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

from sapper.server.jobs.job_slots import JobSlots


def test_no_more_jobs_run_than_there_are_slots(tmp_path: Path) -> None:
    """A job waits while all slots are taken."""
    slots = JobSlots(tmp_path / "jobs", 2)
    began = threading.Event()

    def work() -> None:
        with slots.taken(lambda: False):
            began.set()

    with ExitStack() as stack:
        first = stack.enter_context(ExitStack())
        first.enter_context(slots.taken(lambda: False))
        stack.enter_context(slots.taken(lambda: False))
        third = threading.Thread(target=work)
        third.start()
        checks = iter([False, False, True])
        with slots.taken(lambda: next(checks)):
            assert not began.is_set()
        first.close()
        third.join()
        assert began.is_set()


def test_pools_of_different_names_do_not_share(tmp_path: Path) -> None:
    """Each pool name has a separate limit."""
    with (
        JobSlots(tmp_path / "quick", 1).taken(lambda: False),
        JobSlots(tmp_path / "long", 1).taken(lambda: False),
    ):
        pass
