"""Returning freed memory to the operating system."""

import asyncio
import subprocess
import sys

import pytest

from sapper.server import heap

_SCRIPT = """
import asyncio
import os
from pathlib import Path
from sapper.server.heap import trim_regularly

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

blocks = [bytes(1000) for _ in range(100_000)]
last = blocks[-1]
del blocks
print(before := megabytes())

async def main():
    task = asyncio.create_task(trim_regularly(0))
    while megabytes() > before - 50:
        await asyncio.sleep(0)
    task.cancel()

asyncio.run(main())
"""


@pytest.mark.skipif(heap.find_trim() is None, reason="needs glibc")
def test_fragmented_memory_is_released() -> None:
    """Without the call, the C library would keep 100 MB of freed memory."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, timeout=300, check=True
    )
    assert float(done.stdout) > 100


def test_missing_trim_function_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS and Windows, the call returns immediately."""
    monkeypatch.setattr(heap, "find_trim", lambda: None)
    asyncio.run(heap.trim_regularly(0))
