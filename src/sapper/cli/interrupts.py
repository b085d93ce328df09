"""Ctrl-C: raise `KeyboardInterrupt` in the main thread until the program has handled it."""

from __future__ import annotations

import signal
import sys
import threading
from types import CodeType, FrameType

from sapper._util.interrupt import noticed

__all__ = ["Interrupts"]

_REPEAT_S = 0.1
"""Seconds until an unhandled Ctrl-C is raised again."""


class Interrupts:
    """Inside a `with` block, raises `KeyboardInterrupt` on Ctrl-C until it is handled.

    A library may convert the exception into one of its own, or swallow it in a callback. It is
    therefore raised again until clean-up starts: immediately if Python reports it as unraisable,
    otherwise after a delay. Nothing is raised after the block. The block can be entered again.

    Attributes:
        seen: Whether Ctrl-C was pressed in the block.
    """

    def __init__(self) -> None:
        self.seen = False
        self._pressed, self._lost = threading.Event(), threading.Event()
        self._over = False

    def __enter__(self) -> None:
        self.seen = self._over = False
        for event in (noticed, self._pressed, self._lost):
            event.clear()
        # Start the thread here: that takes locks, which a signal handler must not do.
        self._thread = threading.Thread(target=self._repeat, name="interrupts", daemon=True)
        self._thread.start()
        self._before, sys.unraisablehook = sys.unraisablehook, self._report
        signal.signal(signal.SIGINT, self._raise)

    def __exit__(self, *_: object) -> None:
        # The handler raises nothing from here on.
        self._over = True
        self._lost.set()
        self._pressed.set()
        # The thread's last signal arrives before the thread ends, while the handler is still
        # installed.
        self._thread.join()
        sys.unraisablehook = self._before
        # All work is done, so nothing is lost if Ctrl-C ends the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _raise(self, _: int, frame: FrameType | None) -> None:
        if self._over:
            return
        # Set the event only once, because a signal that arrives inside `set` would deadlock.
        if not self.seen:
            self.seen = True
            self._pressed.set()
        # These methods must run to completion; the exception is raised again afterwards.
        if not _is_within(frame, _WHOLE):
            raise KeyboardInterrupt

    def _report(self, unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            # The exception was raised in a callback, such as one from the import system. It will be
            # raised again, so print nothing.
            self._lost.set()
        else:
            self._before(unraisable)

    def _repeat(self) -> None:
        """Raise Ctrl-C again in the main thread until it is handled or the block has ended."""
        self._pressed.wait()
        while not self._over:
            self._lost.wait(_REPEAT_S)
            self._lost.clear()
            if not self._over and not noticed.is_set():
                _interrupt_main_thread()


_WHOLE = {
    method.__code__ for method in (Interrupts.__enter__, Interrupts.__exit__, Interrupts._report)
}


def _is_within(frame: FrameType | None, codes: set[CodeType]) -> bool:
    while frame is not None and frame.f_code not in codes:
        frame = frame.f_back
    return frame is not None


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        ident = threading.main_thread().ident
        assert ident is not None
        # Signal the main thread directly, so that its system calls are interrupted as well.
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)
