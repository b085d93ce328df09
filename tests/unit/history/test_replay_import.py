"""Importing the replays of other programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from sapper.history import History, Record, import_replays, summarize
from sapper.history.replay_files import Skipped
from sapper.replay import Replay, load, parse, serialize
from sapper.simulation import Match
from support.marks import slow
from support.replays import EXPECTED, FOLDER, SAMPLES, replay_of


@pytest.fixture
def history() -> Iterator[History]:
    """An empty in-memory history."""
    with History(":memory:") as made:
        yield made


def test_players_and_dates_are_kept(history: History) -> None:
    """Players and dates come from the file; the exact engine judges the guesses."""
    found = import_replays(history, [str(FOLDER / "chinese_name.avf")])
    assert found == (1, 0, (), {})
    [record] = history.records()
    replay = load(FOLDER / "chinese_name.avf")
    assert record.player == replay.info.player
    assert history.players() == [record.player]
    assert record.replay().info.started_at == replay.info.started_at
    assert record.is_measured
    assert list(summarize(history).days) == [replay.info.started_at[:10]]


def test_samples_are_imported_or_reported(history: History) -> None:
    """Every sample is read, and its 3BV matches the one that another program computed."""
    found = import_replays(history, [str(FOLDER)])
    assert found.added + found.known + len(found.refused) == len(SAMPLES)
    theirs = [EXPECTED[name].get("ms_toollib", {}).get("bbbv") for name in SAMPLES]
    assert {record.bbbv for record in history.records()} >= {bbbv for bbbv in theirs if bbbv}


def test_undated_game_stays_undated(history: History, tmp_path: Path) -> None:
    """A game without a date is counted, but not on any day."""
    path = tmp_path / "game.json"
    path.write_bytes(serialize(replay_of("1*", ("open", 0, 0))))
    assert import_replays(history, [str(path)]).added == 1
    [record] = history.records()
    assert record.finished_ms == 0
    found = summarize(history)
    assert (found.games, found.undated, found.days, found.months) == (1, 1, {}, [])


def test_the_same_game_is_imported_once(history: History, tmp_path: Path) -> None:
    """Renamed, archived and converted copies are recognised."""
    game = Match("exact", "beginner").game(3)
    data = serialize(Replay.from_game(game), "rawvf", lossy=True)
    replay = parse(data)
    for name in ("a.rawvf", "b.rawvf"):
        (tmp_path / name).write_bytes(data)
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("c.rawvf", data)
    (tmp_path / "d.evf").write_bytes(serialize(replay, "evf", lossy=True))
    assert import_replays(history, [str(tmp_path)]) == (1, 3, (), {})
    assert import_replays(history, [str(tmp_path)]) == (0, 4, (), {})


def test_erased_games_can_be_imported_again(history: History) -> None:
    """Erasing a game also forgets its file."""
    path = str(FOLDER / "expert.avf")
    import_replays(history, [path])
    assert len(history.replay_digests()) == 1
    history.erase()
    assert not history.replay_digests()
    assert import_replays(history, [path]).added == 1


def test_rejected_files_are_listed(history: History, tmp_path: Path) -> None:
    """A reason is given for each refused file, and the others are imported."""
    (tmp_path / "cut.avf").write_bytes((FOLDER / "expert.avf").read_bytes()[:200])
    (tmp_path / "running.json").write_bytes(serialize(replay_of("1*1", ("open", 0, 0))))
    shutil.copy(FOLDER / "expert.avf", tmp_path / "whole.avf")
    found = import_replays(history, [str(tmp_path)])
    assert found.added == 1
    assert [Path(one.name).name for one in found.refused] == ["cut.avf", "running.json"]
    assert found.refused[1].reason == "only finished games have a record"


@pytest.mark.parametrize("workers", [1, slow(2)])
def test_every_file_is_counted(history: History, tmp_path: Path, workers: int) -> None:
    """Each file of an archive is imported, known, refused with a reason or skipped with one."""
    data = (FOLDER / "expert.avf").read_bytes()
    members = {
        "../a.avf": data,
        "/b.avf": data,
        "cut.avf": data[:300],
        "empty.avf": b"",
        "noise.rmv": b"noise",
        "notes.txt": b"I won",
        "c/empty": b"",
        "__MACOSX/._a.avf": b"\0\5\x16\7",
    }
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr("c/", b"")
    found = import_replays(history, [str(tmp_path / "games.zip")], workers=workers)
    assert (found.added, found.known) == (1, 1)
    assert [(one.name.rpartition("/")[2], one.reason) for one in found.refused] == [
        ("cut.avf", "this AVF file cannot be read: the file ends too early"),
        ("empty.avf", "the file is empty"),
        ("noise.rmv", "not a replay of a known format: json, rawvf, rmv, avf, evf, mvf"),
    ]
    assert found.skipped == {Skipped.OTHER: 1, Skipped.EMPTY: 1, Skipped.MACOS: 1}


def test_contradictory_replay_is_rejected(history: History, tmp_path: Path) -> None:
    """The error is one line; without the stated result, the same clicks are a valid game."""
    for name, info in (("false", {"won": True}), ("true", {"won": None})):
        replay = replay_of("1*", ("open", 0, 1), **info)
        (tmp_path / f"{name}.json").write_bytes(serialize(replay))
    found = import_replays(history, [str(tmp_path)])
    assert (found.added, found.known) == (1, 0)
    [refused] = found.refused
    assert refused == (
        str(tmp_path / "false.json"),
        "The file says the game was won, but its clicks open a mine.",
    )


def test_several_processes_give_the_same_result(history: History) -> None:
    """Games are in the same order, and progress is reported."""
    told: list[tuple[int, int]] = []
    import_replays(
        history, [str(FOLDER)], workers=2, progress=lambda done, total: told.append((done, total))
    )
    with History(":memory:") as one:
        import_replays(one, [str(FOLDER)], workers=1)
        keys = [record.key for record in one.records()]
    assert [record.key for record in history.records()] == keys
    assert told[-1][0] == told[-1][1]


def test_cheated_games_count_apart() -> None:
    """Arbiter has a mode in which mines are visible."""
    replay = replay_of("1*", ("open", 0, 0), mode="cheat")
    assert Record.of_replay(replay).helped == "cheat"
    assert Record.of_replay(replay_of("1*", ("open", 0, 0))).helped == ""
