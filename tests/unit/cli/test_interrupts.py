"""Ctrl-C inside the program is raised until it is handled, but not afterwards."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from sapper._util.interrupt import noticed
from sapper.cli import interrupts
from sapper.cli.interrupts import Interrupts

NEVER_S = 600.0


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the signals that arrived after a block had restored the default handler."""
    arrived: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(signal, "SIG_DFL", lambda number, _: arrived.append(number))
    yield arrived
    signal.signal(signal.SIGINT, before)


def press() -> None:
    """Press Ctrl-C at a point where a library swallows it."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


class PressesInCallback:
    """An object that presses Ctrl-C where Python ignores exceptions."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_a_swallowed_interrupt_is_raised_again() -> None:
    """The interrupt is raised again after a library has swallowed it."""

    def work() -> None:
        with Interrupts():
            press()
            threading.Event().wait(NEVER_S)

    with pytest.raises(KeyboardInterrupt):
        work()


def test_interrupt_lost_in_a_callback_is_raised_again_immediately(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lost interrupt is raised without the usual delay and without a message."""
    monkeypatch.setattr(interrupts, "_REPEAT_S", NEVER_S)
    hook = sys.unraisablehook

    def work() -> None:
        with Interrupts():
            PressesInCallback()
            threading.Event().wait(NEVER_S / 10)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert sys.unraisablehook is hook
    assert capsys.readouterr().err == ""


def test_a_noticed_interrupt_is_not_raised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the interrupt is noticed, it is not repeated."""
    monkeypatch.setattr(interrupts, "_REPEAT_S", 0.001)
    with Interrupts():
        noticed.set()
        press()
        threading.Event().wait(0.05)


def test_nothing_is_raised_after_end(late: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """No interrupt is raised after the block, however often Ctrl-C was pressed inside it."""
    monkeypatch.setattr(interrupts, "_REPEAT_S", 0.0)
    block, ended = Interrupts(), 0
    for _ in range(200):
        with contextlib.suppress(KeyboardInterrupt), block:
            press()
        ended += 1
        assert all(thread.name != "interrupts" for thread in threading.enumerate())
    assert (ended, late) == (200, [])


def test_ctrl_c_at_the_end_of_the_block_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler must not take a lock that the interrupted code holds."""

    def interrupted(event: threading.Event) -> None:
        with event._cond:  # type: ignore[attr-defined]
            signal.raise_signal(signal.SIGINT)
            event._flag = True  # type: ignore[attr-defined]
            event._cond.notify_all()  # type: ignore[attr-defined]

    block = Interrupts()
    with block:
        monkeypatch.setattr(threading.Event, "set", interrupted)
    assert not block.seen
