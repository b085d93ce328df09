"""End a worker process together with its parent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import wait

__all__ = ["end_with_parent"]

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """End this worker process when its parent ends, for whatever reason."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        # The kernel sends the signal even while the worker is busy.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()
