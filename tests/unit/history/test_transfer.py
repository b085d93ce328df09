"""Exporting and importing the history."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.errors import BadSave
from sapper.history import (
    History,
    Record,
    Selection,
    export_json_lines,
    export_parquet,
    import_json_lines,
    import_parquet,
    read_json_lines,
)
from sapper.replay import load
from support.histories import made_up, played
from support.replays import FOLDER

GAMES = [
    *(played(seed, player=name) for seed, name in ((1, "Ada"), (2, "Žofie"), (3, ""))),
    Record.of_replay(load(FOLDER / "chinese_name.avf"), 77),
]
WAYS = [(export_json_lines, import_json_lines), (export_parquet, import_parquet)]


@pytest.mark.parametrize(("write", "read"), WAYS)
def test_games_survive_export_and_import(
    write: Callable[..., int], read: Callable[..., int], tmp_path: Path
) -> None:
    """All games, or a selection, round-trip; a second import adds nothing."""
    path = str(tmp_path / "games")
    with History(":memory:") as history, History(":memory:") as other:
        history.add_all(GAMES)
        assert write(history, path) == 4
        assert read(other, path) == 4
        assert read(other, path) == 0
        assert list(other.records()) == list(history.records())
        assert write(history, path, Selection(player="Ada")) == 1


def test_a_game_written_in_two_ways_is_read_once() -> None:
    """Lines that differ only in spaces or the order of keys are the same game."""
    game = GAMES[0].to_json()
    lines = [json.dumps(game), json.dumps(game, indent=None, sort_keys=True), json.dumps(game)]
    file = io.BytesIO("\n".join(lines).encode())
    assert list(read_json_lines(file)) == GAMES[:1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("5", "line 2: a game of the history must be an object"),
        (json.dumps(made_up(1).to_json()), "line 2: the moves of a game cannot be played"),
        ("\xff", "line 2: not JSON"),
        (
            json.dumps(GAMES[1].to_json() | {"level": "expert", "rules": "no-guess", "time_ms": 1}),
            "line 2: 'rules' is 'no-guess', but the moves show 'classic'",
        ),
    ],
)
def test_bad_line_cancels_the_import(tmp_path: Path, line: str, message: str) -> None:
    """The message gives the line, and no game is added."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(json.dumps(GAMES[0].to_json()).encode() + b"\n" + line.encode("latin-1"))
    with History(":memory:") as history:
        with pytest.raises(BadSave, match=message):
            import_json_lines(history, path)
        assert history.count() == 0


def test_other_files_are_not_parquet(tmp_path: Path) -> None:
    """Files of other kinds, and tables with other columns, are refused."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "games.parquet"
    path.write_bytes(b"PAR1 and no more")
    with History(":memory:") as history:
        with pytest.raises(BadSave, match="cannot be read as Parquet"):
            import_parquet(history, path)
        pq.write_table(pa.table({"won": [True]}), path)
        with pytest.raises(BadSave, match="has no column 'finished_ms'"):
            import_parquet(history, path)
