"""The time limit for code that may not return."""

import threading

import pytest

from sapper._util.time_limit import TimeLimit, TimeUp


def _endless() -> None:
    while True:
        pass


def test_endless_step_is_stopped() -> None:
    """In the main thread, a signal stops the step."""
    with TimeLimit(0.5) as limit:
        limit.start()
        with pytest.raises(TimeUp):
            _endless()


def test_step_is_stopped_in_any_thread() -> None:
    """Without signals, a step stops at its next Python instruction."""
    stopped = []

    def work() -> None:
        try:
            with TimeLimit(0.5) as limit:
                limit.start()
                _endless()
        except TimeUp:
            stopped.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(300)
    assert stopped == [True]


def test_time_between_steps_is_not_counted() -> None:
    """The limit does not expire while its clock is stopped."""
    limit = TimeLimit(0.0)
    assert not limit.exceeded
    limit.start()
    while not limit.exceeded:
        pass
    limit.stop()
    assert not limit.exceeded
