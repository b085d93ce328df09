"""The history file: storing, selecting, erasing, sharing, crashes and damage."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from sapper import Game
from sapper.errors import BadSave, BadSetting, WrongType
from sapper.history import History, Measures, Record, Selection, summarize
from sapper.history.store import ORDERS
from sapper.history.tables import row_of
from sapper.server.storage.database import Database
from support.histories import made_up, played

ADDS = """
import sys
from sapper.history import History
sys.path.insert(0, sys.argv[2])
from support.histories import made_up
with History(sys.argv[1]) as history:
    for number in range(100_000):
        history.add(made_up(number))
        print(number, flush=True)
"""


@pytest.fixture
def records() -> list[Record]:
    """Return sixty games in order of time."""
    return [made_up(number) for number in range(60)]


@pytest.fixture
def history(database: Database) -> History:
    """An empty history, on each database engine in turn."""
    return History(database)


def test_games_are_kept_in_the_file(tmp_path: Path, records: list[Record]) -> None:
    """After reopening, every game is the same, and the latest comes first."""
    with History(tmp_path / "history.sqlite3") as history:
        assert history.add_all(records) == 60
        assert not history.add(records[7])
    with History(tmp_path / "history.sqlite3") as history:
        assert list(history.records()) == records[::-1]
        assert history.get(records[7].key) == records[7]
        assert history.get("none") is None
    assert (tmp_path / "history.sqlite3").stat().st_mode & 0o777 == 0o600


def test_games_are_selected(history: History, records: list[Record]) -> None:
    """Filters by player, bot, rules, level, result, help and time work alone or combined."""
    history.add_all(records)
    middle = records[30].finished_ms
    for selection, wanted in [
        (Selection(bot=""), lambda r: r.bot == ""),
        (Selection(player="Ada", won=True), lambda r: r.player == "Ada" and r.won),
        (
            Selection(rules="no-guess", level="expert"),
            lambda r: (r.rules, r.level) == ("no-guess", "expert"),
        ),
        (Selection(helped=True), lambda r: r.helped != ""),
        (Selection(helped=False), lambda r: r.helped == ""),
        (Selection(since_ms=middle), lambda r: r.finished_ms >= middle),
        (Selection(until_ms=middle), lambda r: r.finished_ms < middle),
    ]:
        expected = [record for record in records[::-1] if wanted(record)]
        assert expected
        assert list(history.records(selection)) == expected
        assert history.count(selection) == len(expected)


def test_games_can_be_paged(history: History, records: list[Record]) -> None:
    """A limit and an offset select a part of the list."""
    history.add_all(records)
    assert list(history.records(limit=5, offset=10)) == records[::-1][10:15]


def test_best_games_are_the_fastest_wins(history: History, records: list[Record]) -> None:
    """The times of lost games do not count."""
    history.add_all(records)
    won = sorted((r for r in records if r.won and not r.helped), key=lambda r: r.time_ms)
    assert list(history.best(Selection(helped=False), 3)) == won[:3]


def test_kinds_of_games_are_counted(history: History, records: list[Record]) -> None:
    """Every combination of player and kind is listed once."""
    history.add_all(records)
    kinds = history.kinds()
    assert sum(kind["games"] for kind in kinds) == 60
    assert sum(kind["won"] for kind in kinds) == sum(record.won for record in records)
    assert len({tuple(k[n] for n in ("bot", "rules", "level")) for k in kinds}) == len(kinds)


def test_erased_games_are_gone_from_the_file(tmp_path: Path) -> None:
    """The table and the bytes of the file and its log contain no erased game."""
    path = tmp_path / "history.sqlite3"
    with History(path) as history:
        history.add_all([played(1, player="Adalbert"), played(2, player="Berta")])
        assert history.erase(Selection(player="Adalbert")) == 1
        assert [record.player for record in history.records()] == ["Berta"]
        data = b"".join(part.read_bytes() for part in tmp_path.iterdir())
        assert b"Adalbert" not in data
        assert b"Berta" in data
        assert history.erase() == 1
        assert history.count() == 0


def test_threads_share_a_history(history: History) -> None:
    """Games added concurrently by several threads are all stored."""
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda number: history.add(made_up(number)), range(80)))
    assert history.count() == 80


@pytest.mark.parametrize("by", ORDERS)
def test_games_are_sorted_alike_on_both_engines(
    history: History, records: list[Record], by: str
) -> None:
    """Games without a value come last, and ties are ordered with the latest first."""
    unmeasured = [replace(record, solved=None, forced_guesses=None) for record in records[:3]]
    with History(":memory:") as plain:
        for one in (plain, history):
            one.add_all([*records[3:], *unmeasured])
        for descending in (True, False):
            found = history.rows(by=by, descending=descending)
            assert found == plain.rows(by=by, descending=descending)


def test_fastest_games_of_all_kinds(history: History, records: list[Record]) -> None:
    """The fastest win is given for each kind of game; the kind played most comes first."""
    history.add_all(records)
    best: dict[tuple[str, ...], list[int]] = {}
    for one in records:
        if one.won:
            kind = (one.level, one.rules, one.variant, one.bot)
            best.setdefault(kind, []).append(one.time_ms)
    found = history.fastest_of_kinds()
    times = {(r["level"], r["rules"], r["variant"], r["bot"]): r["time_ms"] for r in found}
    assert times == {kind: min(all_ms) for kind, all_ms in best.items()}
    played = [len(best[kind]) for kind in times]
    assert played == sorted(played, reverse=True)


def test_games_are_measured_later(history: History, records: list[Record]) -> None:
    """People's games are measured first; a game that fails is not tried again."""
    bare = [
        replace(record, solved=None, forced_guesses=None, needless_guesses=None, risk=None)
        for record in records[:8]
    ]
    history.add_all(bare)
    waiting = history.waiting(100)
    keys = [record.key for record in sorted(bare, key=lambda r: (r.bot != "", -r.finished_ms))]
    assert [one.key for one in waiting] == keys
    history.measure(waiting[0], Measures(1, 2, 3, 0.5))
    history.measure(waiting[1], None)
    assert history.unmeasured() == 6
    measured = history.get(waiting[0].key)
    assert measured is not None
    assert (measured.solved, measured.forced_guesses, measured.risk) == (1, 2, 0.5)


def test_replays_are_remembered_until_their_game_is_erased(
    history: History, records: list[Record]
) -> None:
    """Each owner has their own digests."""
    own = history.of("me")
    assert own.add_replays([(b"1", row_of(records[0])), (b"2", row_of(records[0]))]) == 1
    assert own.replay_digests() == {b"1", b"2"}
    assert history.of("other").replay_digests() == frozenset()
    assert own.erase() == 1
    assert own.replay_digests() == frozenset()


def test_added_games_survive_a_kill(tmp_path: Path) -> None:
    """After SIGKILL, every acknowledged game is in the file, complete."""
    path = tmp_path / "history.sqlite3"
    tests = Path(__file__).parents[2]
    for kills in range(1, 4):
        arguments = [sys.executable, "-c", ADDS, str(path), str(tests)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(40 * kills):
                last = int(child.stdout.readline())
            child.kill()
            # The last line may be cut off.
            rest = child.stdout.read().split("\n")[:-1]
        last = max([last, *map(int, rest)])
        with History(path) as history:
            found = {record.moves["number"] for record in history.records()}
            assert found >= set(range(last + 1))
            assert history.query("PRAGMA integrity_check", []) == [("ok",)]


@pytest.mark.parametrize("data", [b"not a database, but long enough to be taken for one" * 99])
def test_other_files_are_rejected(tmp_path: Path, data: bytes) -> None:
    """A file that is not a history is refused and left unchanged."""
    path = tmp_path / "history.sqlite3"
    path.write_bytes(data)
    with pytest.raises(BadSave, match="is no history of games"):
        History(path)
    assert path.read_bytes() == data


def test_newer_history_is_rejected(tmp_path: Path) -> None:
    """The error includes the file's version."""
    path = tmp_path / "history.sqlite3"
    History(path).close()
    base = sqlite3.connect(path)
    base.execute("INSERT INTO history_version VALUES (99)")
    base.commit()
    base.close()
    with pytest.raises(BadSave, match="of version 99, this program knows 1"):
        History(path)


def test_unopenable_history_is_an_os_error(tmp_path: Path) -> None:
    """The error for a folder in place of the file gives its path."""
    (tmp_path / "history.sqlite3").mkdir()
    with pytest.raises(OSError, match="history"):
        History(tmp_path / "history.sqlite3")


@pytest.mark.parametrize("where", ["file", ":memory:"])
def test_closed_history_raises_os_error(tmp_path: Path, where: str) -> None:
    """After `close`, reading and writing fail, in a file and in memory."""
    history = History(tmp_path / "history.sqlite3" if where == "file" else where)
    history.add(made_up(1))
    history.count()
    history.close()
    said = r"^the history cannot be used: Cannot operate on a closed database\.$"
    for use in (history.count, lambda: history.add(made_up(2))):
        with pytest.raises(OSError, match=said):
            use()


def test_damaged_moves_are_reported(tmp_path: Path) -> None:
    """Other games can still be read."""
    with History(":memory:") as history:
        history.add_all([made_up(1), made_up(2)])
        history.query("UPDATE moves SET data = 'x' WHERE key = ?", [made_up(1).key])
        with pytest.raises(BadSave, match="cannot be read"):
            history.get(made_up(1).key)
        assert history.get(made_up(2).key) == made_up(2)


def test_the_default_file_is_in_the_folder_of_saved_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is created if it does not exist."""
    monkeypatch.setitem(os.environ, "SAPPER_HOME", str(tmp_path / "home"))
    History().close()
    assert (tmp_path / "home" / "play.sqlite3").exists()


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda _: Selection(won="yes"), BadSetting, "won must be True, False or None, got 'yes'"),
        (lambda _: Selection(bot=3), BadSetting, "bot must be text or None, got 3"),
        (lambda _: Selection(since_ms=-1), BadSetting, "since_ms must be a whole number from 0 to"),
        (lambda _: History(3), WrongType, "expected a path, got 3"),
        (lambda _: History(":memory:", 3), WrongType, "expected an owner as text, got 3"),
        (lambda empty: empty.add(3), WrongType, "expected a Record, got 3"),
        (lambda empty: empty.get(3), WrongType, "expected a key as text, got 3"),
        (lambda empty: empty.count("beginner"), WrongType, "expected a Selection, got 'beginner'"),
        (lambda empty: empty.rows(limit="x"), BadSetting, "limit must be a whole number from 0 to"),
        (
            lambda empty: list(empty.records(offset=-1)),
            BadSetting,
            "offset must be a whole number",
        ),
        (lambda empty: list(empty.best(limit=2**63)), BadSetting, "limit must be a whole number"),
        (lambda _: summarize(3), WrongType, "expected a History, got 3"),
        (lambda _: Record.of_game(3, 1), WrongType, "expected a Game, got 3"),
        (lambda _: replace(made_up(1), player=3), BadSave, "'player' must be str, got 3"),
        (
            lambda _: Record.of_game(Game("1x1:0"), None),
            BadSave,
            "finished_ms must be a whole number",
        ),
    ],
)
def test_wrong_argument_is_reported(
    call: Callable[[History], object], error: type[Exception], said: str
) -> None:
    """[#17] A wrong argument raised an `OSError` or `AttributeError`, or selected nothing."""
    with History(":memory:") as empty, pytest.raises(error, match=re.escape(said)):
        call(empty)
