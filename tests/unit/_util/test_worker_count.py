"""The number of worker processes: one per core, limited by the work and the memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper._util import worker_count as module
from sapper._util.worker_count import cores, free_memory, worker_count
from sapper.errors import BadSetting

GB = 10**9


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with four cores and one gigabyte."""
    monkeypatch.setattr(module, "cores", lambda: 4)
    monkeypatch.setattr(module, "free_memory", lambda: GB)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    ("wanted", "pieces", "count"),
    [(None, 100, 4), (None, 3, 3), (None, 0, 1), (10, 100, 10), (10, 5, 5), (1, 100, 1)],
)
def test_workers_do_not_exceed_tasks(wanted: int | None, pieces: int, count: int) -> None:
    """The default is one worker per core."""
    assert worker_count(wanted, pieces) == count


@pytest.mark.usefixtures("machine")
def test_too_many_workers_for_the_memory_are_rejected() -> None:
    """The message states the limit and the reason."""
    with pytest.raises(BadSetting) as caught:
        worker_count(11, 1000)
    assert str(caught.value) == (
        "workers must be at most 10 on this machine (0.1 GB each, 1.0 GB of memory free), got 11"
    )


def test_too_many_workers_for_the_cores_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--workers 400` started 200 processes, because some systems do not report free memory."""
    monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(module, "free_memory", lambda: None)
    assert worker_count(16, 1000) == 16
    with pytest.raises(
        BadSetting, match=r"most 16 on this machine \(8 per core, 2 cores\), got 400"
    ):
        worker_count(400, 1000)


def test_default_fits_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least one worker is started in any case."""
    monkeypatch.setattr(module, "cores", lambda: 64)
    for free, count in ((GB, 10), (GB // 100, 1)):
        monkeypatch.setattr(module, "free_memory", lambda free=free: free)
        assert worker_count(None, 1000) == count


def test_container_memory_limit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached file pages count as free memory; "max" means no limit."""
    monkeypatch.setattr(module, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(module, "_GROUP", tmp_path)
    assert free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 5000000 kB\n")
    assert free_memory() == 5_120_000_000
    (tmp_path / "memory.current").write_text("700000000\n")
    (tmp_path / "memory.stat").write_text("anon 400000000\ninactive_file 200000000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory() == 5_120_000_000
    (tmp_path / "memory.max").write_text("1000000000\n")
    assert free_memory() == 500_000_000


def test_any_machine_supports_one_worker() -> None:
    """Any machine can run one worker."""
    assert cores() >= 1
    assert worker_count(None, 1) == 1
