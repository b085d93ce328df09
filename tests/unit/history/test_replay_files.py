"""Replay files in folders and zip archives."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from sapper.errors import BadReplay
from sapper.history.replay_files import Skipped, find_replay_files, is_zip
from support.replays import FOLDER


def archive(path: Path, **members: bytes) -> Path:
    """Write a zip archive of .avf files."""
    with ZipFile(path, "w") as made:
        for name, data in members.items():
            made.writestr(f"{name}.avf", data)
    return path


def test_files_in_folders_and_archives_are_ordered(tmp_path: Path) -> None:
    """Archives inside folders are included."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "game.avf").touch()
    (tmp_path / "a.txt").touch()
    archive(tmp_path / "c.zip", one=b"1", two=b"2")
    names = [file.name.removeprefix(f"{tmp_path}/") for file in find_replay_files([str(tmp_path)])]
    assert names == ["a.txt", "c.zip/one.avf", "c.zip/two.avf", "b/game.avf"]


def test_members_of_an_archive_are_read(tmp_path: Path) -> None:
    """Two members with the same name are both read."""
    path = tmp_path / "games.zip"
    game = (FOLDER / "expert.avf").read_bytes()
    with ZipFile(path, "w") as made:
        made.writestr("game.avf", game)
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("game.avf", game + b"\0")
    assert is_zip(str(path))
    assert [file.read() for file in find_replay_files([str(path)])] == [game, game + b"\0"]


def test_unnamed_files_may_be_anything(tmp_path: Path) -> None:
    """Text files among replays are skipped unless they are named explicitly."""
    path = tmp_path / "notes.txt"
    path.write_text("I won")
    [file] = find_replay_files([str(tmp_path)])
    assert file.read() is Skipped.OTHER
    [file] = find_replay_files([str(path)])
    assert file.read() == b"I won"


def test_damaged_archive_is_rejected(tmp_path: Path) -> None:
    """A truncated or damaged archive is an error; inside a folder, the other files are read."""
    path = archive(tmp_path / "games.zip", one=(FOLDER / "expert.avf").read_bytes())
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"XXXX" + data[104:])
    [file] = find_replay_files([str(path)])
    with pytest.raises(BadReplay, match="cannot be read from the archive"):
        file.read()
    cut = tmp_path / "cut" / "games.zip"
    cut.parent.mkdir()
    cut.write_bytes(data[:-30])
    with pytest.raises(BadReplay, match=r"games\.zip: not a readable zip archive"):
        list(find_replay_files([str(cut)]))
    [file] = find_replay_files([str(cut.parent)])
    with pytest.raises(BadReplay, match="not a readable zip archive"):
        file.read()


def test_missing_file_is_rejected(tmp_path: Path) -> None:
    """The error includes the operating system's message."""
    [file] = find_replay_files([str(tmp_path / "none.avf")])
    with pytest.raises(BadReplay, match="cannot be read: no such file"):
        file.read()


def test_other_files_are_skipped_with_a_reason(tmp_path: Path) -> None:
    """Only a file that is named as a replay, or begins like one, has to be one."""
    files = {
        "._game.avf": (b"\0\5\x16\7", Skipped.MACOS),
        "a.txt": (b"", Skipped.EMPTY),
        "b.zip": (archive(tmp_path / "inner.zip", one=b"1").read_bytes(), Skipped.ARCHIVE),
        "c.json": (b"{}", Skipped.OTHER),
        "d.AVF": (b"", b""),
        "../e.mvf": (b"x", b"x"),
    }
    path = tmp_path / "games.zip"
    with ZipFile(path, "w") as made:
        for name, (data, _) in files.items():
            made.writestr(name, data)
    read = {
        file.name.removeprefix(f"{path}/"): file.read() for file in find_replay_files([str(path)])
    }
    assert read == {name: result for name, (_, result) in files.items()}


def test_pipes_are_not_read(tmp_path: Path) -> None:
    """Reading a pipe in a folder could block forever."""
    os.mkfifo(tmp_path / "game.avf")
    [file] = find_replay_files([str(tmp_path)])
    assert file.read() is Skipped.IRREGULAR


def test_empty_members_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of a member is in the list of members, which is read at once."""
    path = archive(tmp_path / "games.zip", **{str(at): b"" for at in range(100)})

    def refuse(*_: object) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr(ZipFile, "open", refuse)
    assert [file.read() for file in find_replay_files([str(path)])] == [b""] * 100
