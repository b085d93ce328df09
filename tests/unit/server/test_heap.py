"""Returning freed memory to the operating system."""

import asyncio
import gc
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
@pytest.mark.slow
def test_fragmented_memory_is_released() -> None:
    """Without the call, the C library would keep 100 MB of freed memory."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, timeout=300, check=True
    )
    assert float(done.stdout) > 100


def test_missing_trim_function_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """MacOS and Windows have none; full collections still take place."""
    monkeypatch.setattr(heap, "find_trim", lambda: None)
    full = asyncio.Event()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            full.set()

    async def main() -> None:
        task = asyncio.create_task(heap.trim_regularly(0))
        await full.wait()
        task.cancel()

    gc.callbacks.append(note)
    try:
        asyncio.run(main())
    finally:
        gc.callbacks.remove(note)


def test_thresholds_are_restored() -> None:
    """Tests and notebooks may start a server in their own process."""
    before = gc.get_threshold()
    with heap.rare_collections():
        assert gc.get_threshold()[2] > before[2]
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
