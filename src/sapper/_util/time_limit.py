"""A time limit for code that may not return, such as a bot's choice."""

from __future__ import annotations

import ctypes
import signal
import threading
from time import monotonic
from types import TracebackType
from typing import Self

__all__ = ["TimeLimit", "TimeUp"]


class TimeUp(BaseException):
    """The time limit was exceeded. Not an `Exception`, so `except Exception` does not catch it."""


class TimeLimit:
    """Raise `TimeUp` in the code of a ``with`` block that runs longer than its limit.

    The clock runs from `start` to `stop` or the next `start`, so one block can cheaply time many
    steps. In the main thread the limit also interrupts system calls; in other threads it takes
    effect at the next Python instruction. Native code that never returns can only be stopped by
    ending its process.

    >>> with TimeLimit(60) as limit:
    ...     limit.start()
    ...     sum(range(10))
    45

    Attributes:
        seconds: The limit of each step.
        since: The value of `time.monotonic` when the current step started; None between steps.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.since: float | None = None

    def start(self) -> None:
        """Start the clock of the next step."""
        self.since = monotonic()

    def stop(self) -> None:
        """Stop the clock until the next `start`."""
        self.since = None

    @property
    def exceeded(self) -> bool:
        """Return whether the current step has exceeded the limit."""
        since = self.since
        return since is not None and monotonic() - since > self.seconds

    def __enter__(self) -> Self:
        self.stop()
        self._thread, self._done = threading.get_ident(), threading.Event()
        # Only signals interrupt system calls, and only the main thread receives them.
        main = threading.current_thread() is threading.main_thread()
        self._by_signal = main and hasattr(signal, "SIGALRM")
        self._before = signal.signal(signal.SIGALRM, _raise) if self._by_signal else None
        self._watcher = threading.Thread(target=self._watch, name="time-limit", daemon=True)
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._done.set()
        self._watcher.join()
        if self._by_signal:
            signal.signal(signal.SIGALRM, self._before)

    def _watch(self) -> None:
        while not self._done.wait(min(0.5, self.seconds / 4)):
            if self.exceeded:
                if self._by_signal:
                    signal.pthread_kill(self._thread, signal.SIGALRM)
                else:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(TimeUp)
                    )
                return


def _raise(*_: object) -> None:
    raise TimeUp
