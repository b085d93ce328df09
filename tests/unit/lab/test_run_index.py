"""The index of the runs on this machine."""

from pathlib import Path

import pytest

from sapper import lab
from sapper.lab.run_index import find, listed, remember


@pytest.fixture(autouse=True)
def empty_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start without the runs of other tests."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))


def test_a_saved_run_is_in_the_index(tmp_path: Path) -> None:
    """A saved run is listed once, even if it is resumed, until its directory is deleted."""
    assert listed() == {}
    for resume in (False, True):
        lab.run("exact", "beginner", n=10, out=tmp_path / "run", resume=resume, seed=1)
    [(name, path)] = listed().items()
    assert path == tmp_path / "run"
    assert find(name) == path
    (tmp_path / "run" / "run.json").unlink()
    assert listed() == {}
    assert find("no-such-run") is None


def test_unwritable_index_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unreadable entries are skipped."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "file"))
    remember(tmp_path)
    assert listed() == {}
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    remember(tmp_path)
    (tmp_path / "home" / "runs" / "bad.json").write_text("[1, 2")
    assert listed() == {}
