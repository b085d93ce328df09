"""Limit the memory of a process."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["bound_memory"]

_KIB: Final = 1024


def bound_memory(more: int) -> None:
    """Allow this process to allocate this many more bytes; Linux only.

    Beyond that, Python raises `MemoryError`, and the native core ends the process.
    """
    if sys.platform != "linux":
        return
    import resource

    # Limit data rather than address space, because libraries reserve far more memory than they use.
    with suppress(OSError, ValueError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        [now] = [line.split()[1] for line in status.splitlines() if line.startswith("VmData:")]
        limit = int(now) * _KIB + more
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
