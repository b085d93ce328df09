"""The directory of a run: files are complete, and damage is detected."""

from pathlib import Path
from typing import Any

import pytest

from sapper.lab import store as stores
from sapper.lab.errors import BadRun, DamagedFile
from sapper.lab.files import locked, write_whole
from sapper.lab.store import RunStore, shards_of, whole
from sapper.lab.table import digest, to_table
from sapper.simulation.match import Match


@pytest.fixture(scope="module")
def table() -> Any:
    """Return a table of forty games."""
    return to_table(Match("exact", "beginner").play(range(40)))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """The directory of a run that has no games."""
    made = RunStore(tmp_path / "run")
    made.begin({})
    return made


def test_shards_hold_all_games_once() -> None:
    """Each game is in exactly one shard; the last shard may have fewer games."""
    n = 2 * stores.SHARD + 5
    assert [len(whole(n, shard)) for shard in shards_of(n)] == [stores.SHARD, stores.SHARD, 5]
    assert len(shards_of(0)) == 0


def test_shard_round_trips(store: RunStore, table: Any) -> None:
    """All columns, or some of them, are read back unchanged, and the digest is the same."""
    assert store.write_shard(0, table) == digest(table) == store.digest_of(0)
    assert store.read_shard(0).equals(table)
    assert store.read_shard(0, ["seed", "think_s"]).equals(table.select(["seed", "think_s"]))
    assert store.whole_shards(40) == [0]


def test_game_files_do_not_depend_on_times(store: RunStore, table: Any) -> None:
    """The files of two equal runs are equal."""
    store.write_shard(0, table)
    path = store.path / "games" / "00000.parquet"
    before = path.read_bytes()
    at = table.schema.get_field_index("think_s")
    store.write_shard(0, table.set_column(at, table.schema.field(at), table.column("risk")))
    assert path.read_bytes() == before


def test_shard_replaces_its_parts(store: RunStore, table: Any) -> None:
    """Parts are read in order until the whole shard is written."""
    store.write_part(20, table.slice(20))
    store.write_part(0, table.slice(0, 20))
    assert [start for start, _ in store.read_parts()] == [0, 20]
    store.write_shard(0, table)
    assert store.read_parts() == []
    assert list((store.path / "parts").iterdir()) == []


@pytest.mark.parametrize("left", [0, 100, -1])
def test_truncated_shard_is_incomplete(store: RunStore, table: Any, left: int) -> None:
    """A truncated file counts as missing, so that its games are played again."""
    store.write_shard(0, table)
    path = store.path / "times" / "00000.parquet"
    path.write_bytes(path.read_bytes()[:left])
    assert store.whole_shards(40) == []
    store.write_part(0, table)
    part = next((store.path / "parts").iterdir())
    part.write_bytes(part.read_bytes()[:left])
    assert store.read_parts() == []


def test_shard_with_a_wrong_length_is_incomplete(store: RunStore, table: Any) -> None:
    """A shard from a shorter run counts as missing."""
    store.write_shard(0, table.slice(0, 30))
    assert store.whole_shards(40) == []


def test_temporary_files_are_removed(store: RunStore) -> None:
    """A killed process may leave a temporary file, which is ignored and deleted."""
    left = store.path / "games" / "00003.parquet.tmp"
    left.write_bytes(b"PAR1")
    assert store.shards() == []
    store.clean()
    assert not left.exists()


@pytest.mark.parametrize("kind", ["games", "times"])
def test_damaged_shard_is_reported(store: RunStore, table: Any, kind: str) -> None:
    """Whichever byte is wrong, the games are correct or the error names the file."""
    store.write_shard(0, table)
    path = store.path / kind / "00000.parquet"
    data = path.read_bytes()
    messages = []
    for at in range(0, len(data), 41):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        try:
            assert store.read_shard(0).equals(table)
        except BadRun as problem:
            messages.append(str(problem))
    assert len(messages) > 10
    assert all(f"{kind}/00000.parquet" in message for message in messages)


@pytest.mark.parametrize("kind", ["games", "times"])
def test_deleted_file_is_reported(store: RunStore, table: Any, kind: str) -> None:
    """A deleted times file raised a pyarrow error; a deleted games file went unnoticed."""
    store.write_shard(0, table)
    store.check_complete(40)
    (store.path / kind / "00000.parquet").unlink()
    with pytest.raises(DamagedFile, match=rf"{kind}/00000.parquet' is missing; `sapper lab run"):
        store.read_shard(0)
    if kind == "games":
        with pytest.raises(DamagedFile, match=r"games/00000.parquet' is missing"):
            store.check_complete(40)


def test_misplaced_shard_is_reported(store: RunStore, table: Any) -> None:
    """Reading and resuming both report the file and its content; neither deletes anything."""
    store.write_shard(0, table)
    store.write_shard(1, table)
    for kind in ("games", "times"):
        path = store.path / kind / "00001.parquet"
        kept = path.read_bytes()
        path.write_bytes((store.path / kind / "00000.parquet").read_bytes())
        message = rf"{kind}/00001.* the games from number 0 on"
        with pytest.raises(BadRun, match=message):
            store.read_shard(1)
        with pytest.raises(BadRun, match=message):
            store.whole_shards(stores.SHARD + 40)
        assert path.exists()
        path.write_bytes(kept)


@pytest.mark.parametrize("kind", ["games", "parts"])
def test_games_of_another_run_are_reported(
    store: RunStore, table: Any, tmp_path: Path, kind: str
) -> None:
    """Runs with different settings are distinguished, even if they have the same seeds."""
    other = RunStore(tmp_path / "other")
    other.begin({"bot": "another"})
    for made in (store, other):
        made.write_shard(0, table) if kind == "games" else made.write_part(0, table)
    [path], [theirs] = ((made.path / kind).iterdir() for made in (store, other))
    path.write_bytes(theirs.read_bytes())
    with pytest.raises(BadRun, match=f"{kind}/.* has games of another run"):
        store.read_shard(0) if kind == "games" else store.read_parts()


def test_command_does_not_affect_the_run_id(tmp_path: Path, table: Any) -> None:
    """Two runs with the same settings have the same files."""
    files = []
    for command in ("a", "b"):
        made = RunStore(tmp_path / command)
        made.begin({"bot": "exact", "command": command})
        made.write_shard(0, table)
        files.append((made.path / "games" / "00000.parquet").read_bytes())
    assert files[0] == files[1]


def test_failed_write_leaves_no_file(tmp_path: Path) -> None:
    """The error gives the file name and the reason."""
    (tmp_path / "there").mkdir()
    with pytest.raises(BadRun, match=r"cannot write .*there"):
        write_whole(tmp_path / "there", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_run_is_locked_by_one_process(tmp_path: Path) -> None:
    """A second process gets an error; the lock ends with the first one."""
    first, second = locked(tmp_path / "lock"), locked(tmp_path / "lock")
    with first, pytest.raises(BadRun, match="another process"), second:
        pass
    with locked(tmp_path / "lock"):
        pass


def test_other_directories_are_rejected(tmp_path: Path) -> None:
    """Files, and directories with other content, are refused."""
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(BadRun, match="is not empty"):
        RunStore(tmp_path).begin({})
    with pytest.raises(BadRun, match="is a file"):
        RunStore(tmp_path / "thesis.tex").begin({})
