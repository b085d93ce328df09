"""Waits for processes that are not children of this one to end."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Sequence

import pytest

__all__ = ["kill_parent"]


def kill_parent(command: Sequence[str], workers: int) -> list[int]:
    """Run a program until it has printed ``worker ID`` for each worker, kill it, and wait.

    It waits for the processes without polling.

    Returns:
        The ids of the ended workers.

    Raises:
        TimeoutError: If one of them outlives its parent by five minutes.
    """
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system cannot wait for the process of another one")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as parent:
        assert parent.stdout is not None
        pids: list[int] = []
        while len(pids) < workers:
            line = parent.stdout.readline()
            assert line, "the program ended by itself"
            if line.startswith("worker "):
                pids.append(int(line.split()[1]))
        ends = [os.pidfd_open(pid) for pid in pids]
        parent.kill()
        try:
            for pid, end in zip(pids, ends, strict=True):
                watch = select.poll()
                watch.register(end, select.POLLIN)
                if not watch.poll(300_000):
                    raise TimeoutError(f"process {pid} outlives its parent")
        finally:
            for end in ends:
                os.close(end)
    return pids
