"""Files that commands write: whole, or not at all."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path

import pytest

from sapper.cli.output import written_whole


def _fill_the_disk(target: Path) -> None:
    with written_whole(target) as made:
        made.write_text("ne")
        raise OSError(ENOSPC, os.strerror(ENOSPC), str(made))


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """On a full disk, `replay convert --force` left nothing of the file that was there."""
    target = tmp_path / "game.json"
    target.write_text("old")
    with pytest.raises(OSError, match="No space left") as caught:
        _fill_the_disk(target)
    assert caught.value.filename == str(target)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    assert target.read_text() == "old"


def test_a_file_is_replaced_when_it_is_complete(tmp_path: Path) -> None:
    """Through a link, which stays one."""
    target, link = tmp_path / "game.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    with written_whole(link) as made:
        made.write_text("new")
        assert target.read_text() == "old"
    assert (target.read_text(), link.is_symlink()) == ("new", True)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_device_is_written_to_directly() -> None:
    """It must not be replaced by a file."""
    with written_whole(Path(os.devnull)) as made:
        assert made == Path(os.devnull)


def test_a_missing_directory_is_named_as_it_was_given() -> None:
    """Not by the name that the file has while it is written."""
    with pytest.raises(FileNotFoundError) as caught, written_whole(Path("none/table.parquet")):
        pass
    assert caught.value.filename == "none/table.parquet"
