"""Commands write a file completely or not at all."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path

import pytest

from sapper._util.whole_file import written_whole


def _fill_the_disk(target: Path) -> None:
    with written_whole(target) as made:
        made.write_text("ne")
        raise OSError(ENOSPC, os.strerror(ENOSPC), str(made))


def test_failed_write_keeps_the_existing_file(tmp_path: Path) -> None:
    """On a full disk, `replay convert --force` destroyed the existing file."""
    target = tmp_path / "game.json"
    target.write_text("old")
    with pytest.raises(OSError, match="No space left") as caught:
        _fill_the_disk(target)
    assert caught.value.filename == str(target)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    assert target.read_text() == "old"


@pytest.mark.parametrize("before", ["old", None])
def test_complete_file_replaces_the_old_one(tmp_path: Path, before: str | None) -> None:
    """A symbolic link stays a link, even if its target does not exist yet."""
    target, link = tmp_path / "game.json", tmp_path / "link.json"
    if before is not None:
        target.write_text(before)
    link.symlink_to(target)
    with written_whole(link) as made:
        made.write_text("new")
        assert (target.read_text() if target.exists() else None) == before
    assert (target.read_text(), link.is_symlink()) == ("new", True)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permissions of this kind")
def test_a_private_file_stays_private(tmp_path: Path) -> None:
    """Rewriting a file with mode 600 made it readable by others."""
    target = tmp_path / "games.jsonl"
    target.write_text("old")
    target.chmod(0o600)
    with written_whole(target) as made:
        made.write_text("new")
    assert target.stat().st_mode & 0o777 == 0o600


@contextmanager
def _reader(pipe: Path, got: list[bytes]) -> Iterator[None]:
    thread = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    thread.start()
    yield
    thread.join(300)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_pipe_receives_the_content(tmp_path: Path) -> None:
    """A pipe is not replaced by a file, even though some writers seek."""
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    with _reader(pipe, got), written_whole(pipe) as made, made.open("wb") as file:
        file.write(b"--content")
        file.seek(0)
        file.write(b"//")
    assert got == [b"//content"]
    assert pipe.is_fifo()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no terminals of this kind")
def test_terminal_receives_the_content() -> None:
    """Terminals and other devices are opened and written to."""
    ours, theirs = os.openpty()
    try:
        device = Path(os.ttyname(theirs))
        with written_whole(device) as made:
            made.write_text("content")
        assert os.read(ours, 100) == b"content"
        assert device.is_char_device()
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_directory_is_rejected(name: str) -> None:
    """The error is raised before anything is written."""
    with pytest.raises(IsADirectoryError), written_whole(Path(name)):
        pytest.fail("yielded a path")


def test_circular_links_are_rejected(tmp_path: Path) -> None:
    """Without the check, the first link would be replaced, or a traceback printed."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"), written_whole(tmp_path / "a"):
        pytest.fail("yielded a path")


def test_missing_directory_error_has_the_given_path() -> None:
    """The error names the user's path, not that of the temporary file."""
    with pytest.raises(FileNotFoundError) as caught, written_whole(Path("none/table.parquet")):
        pass
    assert caught.value.filename == "none/table.parquet"
