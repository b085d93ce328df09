"""The runs of this machine."""

from pathlib import Path

import pytest

from sapper import lab
from sapper.lab.shelf import note, on_shelf, shelf


@pytest.fixture(autouse=True)
def empty_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run of another test."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))


def test_a_run_that_is_kept_is_on_the_shelf(tmp_path: Path) -> None:
    """Once, however often it is taken up; and no longer when its directory has gone."""
    assert shelf() == {}
    for resume in (False, True):
        lab.run("exact", "beginner", n=10, out=tmp_path / "run", resume=resume)
    [(name, path)] = shelf().items()
    assert path == tmp_path / "run"
    assert on_shelf(name) == path
    (tmp_path / "run" / "run.json").unlink()
    assert shelf() == {}
    assert on_shelf("no-such-run") is None


def test_a_shelf_that_cannot_be_written_stops_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a note that is no note is passed over."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "file"))
    note(tmp_path)
    assert shelf() == {}
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    note(tmp_path)
    (tmp_path / "home" / "runs" / "bad.json").write_text("[1, 2")
    assert shelf() == {}
