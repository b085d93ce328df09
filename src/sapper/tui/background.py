"""Run work in a thread, so that the screen stays responsive; the latest call wins."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from sapper._core import Cancel

__all__ = ["Background"]

_Result = TypeVar("_Result")


class Background(Generic[_Result]):
    """Runs one call at a time; a new call cancels the previous one.

    The threads are daemons, so a bot that never answers cannot block the program's exit.
    """

    def __init__(self) -> None:
        self._cancel: Cancel | None = None

    @property
    def busy(self) -> bool:
        """Whether a call is running."""
        return self._cancel is not None

    def cancel(self) -> None:
        """Cancel the running call, if any, and ignore its result."""
        if self._cancel is not None:
            self._cancel.set()
            self._cancel = None

    def run(
        self,
        work: Callable[[Cancel], _Result],
        done: Callable[[_Result], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Run work in a thread, and pass its result or error to this thread.

        Args:
            work: Called in the new thread with its cancel flag.
            done: Called with the result.
            failed: Called with the error.
        """
        self.cancel()
        cancel, loop = Cancel(), asyncio.get_running_loop()
        # Textual stores the running app in a context variable.
        context = copy_context()
        self._cancel = cancel

        def settle(then: Callable[[Any], object], value: Any) -> None:
            if self._cancel is cancel:
                self._cancel = None
                then(value)

        def run() -> None:
            try:
                outcome: tuple[Callable[[Any], object], Any] = (done, work(cancel))
            except Exception as problem:
                outcome = (failed, problem)
            # The program may have ended by now.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, *outcome, context=context)

        threading.Thread(target=run, daemon=True, name="sapper-tui").start()
