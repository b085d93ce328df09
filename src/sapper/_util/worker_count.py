"""Determine how many worker processes to start and how many the machine supports."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from sapper.errors import BadSetting

__all__ = ["cores", "free_memory", "worker_count"]

_PER_CORE: Final = 8
"""Maximum useful number of processes per core."""
_WORKER_BYTES: Final = 100_000_000
"""Memory that Python and the libraries need per process, in bytes."""
_WINDOWS_MOST: Final = 61
"""Maximum number of processes that Windows can wait for at once."""

_MEMORY: Final = Path("/proc/meminfo")
_GROUP: Final = Path("/sys/fs/cgroup")


def cores() -> int:
    """Return the number of processes that can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory() -> int | None:
    """Return the memory available to new processes; None if unknown, as on macOS."""
    limits = []
    with suppress(OSError, ValueError, KeyError):
        limits.append(1024 * int(_fields(_MEMORY)["MemAvailable:"]))
    # A container's memory limit.
    with suppress(OSError, ValueError, KeyError):
        most, used = (int((_GROUP / name).read_text("ascii")) for name in _LIMITS)
        # Cached file pages are freed when memory is needed.
        limits.append(most - used + int(_fields(_GROUP / "memory.stat")["inactive_file"]))
    return min(limits, default=None)


_LIMITS: Final = ("memory.max", "memory.current")


def _fields(path: Path) -> dict[str, str]:
    lines = (line.split() for line in path.read_text("ascii").splitlines())
    return {words[0]: words[1] for words in lines}


def worker_count(wanted: int | None, pieces: int) -> int:
    """Return the number of worker processes to start: at least 1, and at most one per task.

    Args:
        wanted: The requested number; None for one per core, or fewer if memory is short.
        pieces: Number of tasks.

    Raises:
        BadSetting: If the number is below 1, or more than this machine supports.
    """
    if wanted is not None and wanted < 1:
        raise BadSetting(f"the number of workers must be 1 or more, got {wanted}")
    most, reason = _most()
    if wanted is not None and wanted > most:
        raise BadSetting(f"workers must be at most {most} on this machine ({reason}), got {wanted}")
    return max(1, min(cores() if wanted is None else wanted, most, pieces))


def _most() -> tuple[int, str]:
    """Return the maximum number of processes for this machine, and the limiting resource."""
    count, free = cores(), free_memory()
    limits = [(_PER_CORE * count, f"{_PER_CORE} per core, {count} core{'s' * (count > 1)}")]
    if free is not None:
        size = f"{_WORKER_BYTES / 1e9:.1f} GB each, {free / 1e9:.1f} GB of memory free"
        limits.append((max(1, free // _WORKER_BYTES), size))
    if sys.platform == "win32":
        limits.append((_WINDOWS_MOST, "a limit of Windows"))
    return min(limits)
