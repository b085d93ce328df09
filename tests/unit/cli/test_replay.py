"""`sapper replay`: files and folders, tables, JSON, Parquet, conversion and bad input."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sapper.cli.replay import show
from sapper.replay import Playback, analyze_replay, load, parse, serialize
from sapper.topology import Cell
from support.program import Result, sapper
from support.replays import FOLDER, SAMPLES, replay_of

EXPERT = str(FOLDER / "expert.avf")
SMALL = str(FOLDER / "version_2_24px.rmv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three replays, one of them damaged, and two other files."""
    for name in ("chinese_name.avf", "version_2_24px.rmv"):
        shutil.copy(FOLDER / name, tmp_path / name)
    below = tmp_path / "below"
    below.mkdir()
    (below / "damaged.rmv").write_bytes((FOLDER / "expert.rmv").read_bytes()[:5000])
    (below / "notes.txt").write_text("not a replay")
    (below / "package.json").write_text('{"name": "x"}')
    return tmp_path


def refused(done: Result, message: str) -> bool:
    """Whether the command exited with status 2 and printed one line with this message."""
    return done.code == 2 and len(done.err.splitlines()) == 1 and message in done.err


def test_one_replay_is_described_line_by_line() -> None:
    """The output contains the file's data and the click metrics."""
    done = sapper("replay", "info", EXPERT)
    assert (done.code, done.err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines() if "time in" not in line)
    assert (lines["format"], lines["player"], lines["3BV"]) == ("avf", "Flop", "212")
    assert (lines["status"], lines["time"], lines["zini"]) == ("won", "47.210", "129")


def test_rzini_is_computed_on_request() -> None:
    """The number of attempts can be set, for text and JSON [#34]."""
    for command in ("info", "analyze"):
        [line] = sapper("replay", command, EXPERT, "--rzini", "20", "--json").out.splitlines()
        assert 120 <= json.loads(line)["board"]["rzini"] <= 129
    assert "\nrzini " in sapper("replay", "info", EXPERT, "--rzini", "20").out
    assert "rzini" not in sapper("replay", "info", EXPERT).out


def test_folder_prints_rows_and_a_summary(folder: Path) -> None:
    """Files of other kinds are skipped, and a damaged replay is reported."""
    done = sapper("replay", "info", str(folder))
    assert refused(done, "damaged.rmv: this RMV file cannot be read: the file ends too early")
    assert "chinese_name.avf" in done.out
    assert "version_2_24px.rmv" in done.out
    assert "notes.txt" not in done.out + done.err
    assert "beginner (8x8)  2025-02" in done.out


def test_a_folder_as_json_ends_with_the_summary(folder: Path) -> None:
    """The objects, including errors, are in path order; the summary comes last."""
    done = sapper("replay", "analyze", str(folder), "--json")
    assert done.code == 2
    damaged, avf, rmv, last = sorted(done.json, key=lambda obj: obj.get("file", "~"))
    assert damaged["error"]["code"] == "bad_replay"
    assert (avf["status"], rmv["status"]) == ("won", "won")
    assert avf["info"]["player"] == "王嘉宁"
    assert last["summary"]["replays"] == 2
    assert len(last["summary"]["phases"]["risk"]) == 4
    assert last["summary"]["periods"][0]["won"] == 1
    assert [Path(name).name for name in last["summary"]["damaged"]] == ["damaged.rmv"]


def test_large_folder_uses_several_processes(folder: Path) -> None:
    """Rows and summary are the same as with one process, and the damaged file is listed."""
    for number in range(12):
        rows = ["1*21", "112*", "0011"]
        clicks = [[500, "open", 0, 2], [1500, "open", 2, 0], [2500, "open", 3, 1 - number % 2]]
        obj = {
            "format": "sapper-replay/1",
            "board": {"rows": rows},
            "info": {"started_at": f"2026-{number // 6 + 1:02}-03T10:00:00"},
            "clicks": clicks,
        }
        (folder / f"made_{number:02}.json").write_text(json.dumps(obj), "utf-8")
    many = sapper("replay", "analyze", str(folder), "--json", "--workers", "2")
    one = sapper("replay", "analyze", str(folder), "--json", "--workers", "1")
    assert (many.code, many.out) == (2, one.out)
    summary = many.json[-1]["summary"]
    assert summary["replays"] == 14
    january, february = (p for p in summary["periods"] if p["level"] == "4x3:2")
    assert (january["month"], january["games"], january["won"]) == ("2026-01", 6, 0)
    assert january["risk"] == february["risk"] > 0
    where = summary["where"]
    clicks = {way: sum(g["clicks"] for g in groups.values()) for way, groups in where.items()}
    assert len(set(clicks.values())) == 1
    assert where["area"]["edge"]["risk"] + where["area"]["corner"]["risk"] > 0
    table = sapper("replay", "analyze", str(folder)).out
    assert "expected losses" in table
    assert "1 file could not be read:" in table


@pytest.mark.parametrize(
    "command", [("replay", "info"), ("replay", "analyze"), ("history", "import")]
)
def test_too_many_processes_are_rejected(folder: Path, command: tuple[str, str]) -> None:
    """The message includes the limit."""
    done = sapper(*command, str(folder), "--workers", "100000")
    assert (done.code, done.out) == (2, "")
    assert re.search(r"^sapper: workers must be at most \d+ on this machine \(.+\), got", done.err)


def test_json_analysis_matches_the_library() -> None:
    """The analysis includes metrics, guesses, risk and time."""
    [found] = sapper("replay", "analyze", EXPERT, "--json").json
    assert found["format"] == "avf"
    own = json.loads(json.dumps(analyze_replay(load(EXPERT)).to_json()))
    assert {key: found[key] for key in own} == own
    assert [guess["kind"] for guess in own["guesses"]] == ["needless_guess", "needless_guess"]


def test_win_chances_are_estimated_on_request() -> None:
    """On request, the JSON includes a review with the win chance before each decision."""
    [found] = sapper("replay", "analyze", SMALL, "--json", "--win-chances").json
    decisions = found["review"]["decisions"]
    assert decisions[-1]["after"]["win_chance"] == 1
    [plain] = sapper("replay", "analyze", SMALL, "--json").json
    assert "review" not in plain


def test_the_analysis_of_one_replay_lists_its_guesses() -> None:
    """Each guess is listed with its time, cell and risk."""
    done = sapper("replay", "analyze", EXPERT)
    assert done.code == 0
    assert "row 3, column 11  needless guess, risk 0.2" in done.out
    assert "quarter of 3BV" in done.out
    assert "no guesses" in sapper("replay", "analyze", str(FOLDER / "chinese_name.avf")).out


@pytest.mark.parametrize("command", ["info", "analyze"])
def test_a_table_is_written_as_parquet(command: str, folder: Path, tmp_path: Path) -> None:
    """The table has a row for each replay, which contains the values of its JSON form."""
    target = tmp_path / "table.parquet"
    sapper("replay", command, str(folder), "--parquet", str(target))
    rows: list[dict[str, Any]] = pq.read_table(target).to_pylist()
    assert [row["level"] for row in rows] == ["beginner (8x8)"] * 2
    assert rows[0]["bbbv"] == 22
    assert ("risk" in rows[0]) == (command == "analyze")


def test_a_position_is_shown_at_any_time() -> None:
    """The output is a position that other commands can read."""
    played = Playback(load(EXPERT))
    early = sapper("replay", "show", EXPERT, "--at", "10")
    assert early.out == f"{played.position(played.started_ms + 10_000)}\n"
    end = sapper("replay", "show", EXPERT)
    assert end.out == f"{played.position()}\n"


def test_clicks_are_shown_as_json_lines() -> None:
    """The output has one object per click, up to the winning click."""
    lines = sapper("replay", "show", SMALL, "--json").json
    assert (lines[0]["at_s"], lines[0]["action"], lines[0]["opened"]) == (0.0, "open", 30)
    assert lines[-1]["solved"] == 5


def test_a_replay_is_played_in_the_terminal() -> None:
    """Each frame shows the board, the pointer, the time and the solved 3BV."""
    played = Playback(load(SMALL))
    head, *rows = show._frame(played, played.steps[1].ms, 80)
    assert "3BV 1/5" in head.plain
    parts = [part for row in rows for part in row.parts]
    assert [text for text, style in parts if "reverse" in style] == ["F"]
    assert "3BV 5/5   won" in show._frame(played, played.ended_ms, 80)[0].plain


@pytest.mark.parametrize("columns", [40, 24])
def test_wide_board_is_cropped(columns: int) -> None:
    """Wrapped rows made the board unreadable and hid the time."""
    played = Playback(load(EXPERT))
    frame = show._frame(played, played.ended_ms, columns)
    lines = [line.cropped(columns).plain for line in frame]
    rows = [row.replace("0", "·")[:columns] for row in played.position().rows]
    assert [line.rstrip() for line in lines[1:]] == rows
    assert lines[0].startswith("47.21 s   3BV 212/212")


@pytest.mark.parametrize("form", ["json", "rawvf"])
def test_a_replay_is_converted_without_loss(form: str) -> None:
    """The replay on standard output is the same when it is read back."""
    done = sapper("replay", "convert", EXPERT, "--to", form)
    assert (done.code, done.err) == (0, "")
    assert parse(done.out.encode()) == load(EXPERT)


def test_losses_of_a_format_are_reported(tmp_path: Path) -> None:
    """The file is still written, and plays the same."""
    target = tmp_path / "game.evf"
    done = sapper("replay", "convert", EXPERT, "--to", "evf", "--out", str(target))
    assert done.code == 0
    assert "evf cannot hold all of it: started_at changed" in done.err
    assert Playback(load(target)).clicks == Playback(load(EXPERT)).clicks


def test_a_folder_is_converted_into_a_folder(folder: Path, tmp_path: Path) -> None:
    """Existing files in the target folder need ``--force``."""
    out = tmp_path / "out"
    arguments = ("replay", "convert", str(folder), "--out", str(out), "--no-pointer")
    assert refused(sapper(*arguments), "damaged.rmv")
    names = sorted(path.name for path in out.iterdir())
    assert names == ["chinese_name.avf.json", "version_2_24px.rmv.json"]
    assert not load(out / names[0]).has_pointer
    again = sapper("replay", "convert", EXPERT, "--out", str(out / names[0]))
    assert refused(again, "exists; use --force to overwrite it")
    assert sapper(*again_with_force(out / names[0])).code == 0


def again_with_force(target: Path) -> tuple[str, ...]:
    """Return the arguments that overwrite an existing file."""
    return ("replay", "convert", EXPERT, "--out", str(target), "--force")


def test_files_with_equal_names_do_not_collide(tmp_path: Path) -> None:
    """With `--force`, the second output file replaced the first."""
    for name, mines in (("a", "1*1"), ("b", "*10")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.json").write_bytes(serialize(replay_of(mines, ("open", 0, 0))))
    out = tmp_path / "out"
    folders = (str(tmp_path / "a"), str(tmp_path / "b"))
    done = sapper("replay", "convert", *folders, "--out", str(out), "--force")
    assert refused(done, "has been written from")
    assert load(out / "game.json.json").board.is_mine(Cell(0, 1))


def test_a_replay_is_read_from_standard_input() -> None:
    """Every command reads standard input for ``-``."""
    data = serialize(replay_of("1*1", ("open", 0, 0), ("open", 0, 2)))
    done = sapper("replay", "info", "-", stdin=data)
    assert "status" in done.out
    assert done.code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("info", "nothing.avf"), "sapper: cannot read 'nothing.avf'"),
        (("info", "/dev/null"), "not a regular file"),
        (("info", __file__), "not a replay of a known format: json, rawvf, rmv, avf, evf, mvf"),
        (("show", EXPERT, "--speed", "0"), "--speed must be above 0, got 0.0"),
        (("show", EXPERT, "--speed", "nan"), "--speed must be above 0, got nan"),
        (("show", EXPERT, "--at", "-1"), "--at must be 0 or more, got -1.0"),
        (("convert", EXPERT, "--to", "avf"), "--to must be json, rawvf or evf, got 'avf'"),
        (("convert", EXPERT, SMALL), "--out must be a folder for many replays"),
        (("info", EXPERT, "--parquet", str(FOLDER)), "is a directory"),
        (("info", EXPERT, "--parquet", "none/table.parquet"), "there is no directory 'none'"),
        (("info",), "missing argument"),
    ],
)
def test_bad_input_error_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    """The line gives the reason, and the exit status is 2."""
    assert refused(sapper("replay", *arguments), message)


def test_parquet_file_is_not_a_replay(tmp_path: Path) -> None:
    """A Parquet file resembles an AVF file, and was reported as a damaged replay."""
    data = b"PAR1\x15\x04\x15\x30\x15" + bytes(range(200))
    (tmp_path / "table.parquet").write_bytes(data)
    done = sapper("replay", "info", str(tmp_path))
    assert (done.code, done.out, done.err) == (0, "no replays found\n", "")


@pytest.mark.parametrize("command", ["info", "convert"])
def test_only_the_first_unreadable_files_are_listed(command: str, tmp_path: Path) -> None:
    """[#34] A folder with 734 unreadable files printed 734 error lines, twice."""
    damaged, out = (FOLDER / "expert.rmv").read_bytes()[:5000], tmp_path / "out"
    for number in range(13):
        (tmp_path / f"{number:02}.rmv").write_bytes(damaged)
    shutil.copy(FOLDER / "version_2_24px.rmv", tmp_path / "good.rmv")
    more = ("--out", str(out)) if command == "convert" else ()
    done = sapper("replay", command, str(tmp_path), *more)
    *named, last = done.err.splitlines()
    assert (done.code, len(named)) == (2, 10)
    assert [
        f"{number:02}.rmv: this RMV file cannot be read: " in line
        for number, line in enumerate(named)
    ] == [True] * 10
    assert last.startswith("sapper: 3 more files cannot be read")
    if command == "info":
        assert "13 files could not be read:" in done.out
        assert done.out.count("/09.rmv") == 1
        assert "/10.rmv" not in done.out
        assert done.out.endswith("\n  and 3 more\n")
        told = sapper("replay", command, str(tmp_path), "--json").json
        assert len(told[-1]["summary"]["damaged"]) == 13


def test_an_empty_folder_has_no_replays(tmp_path: Path) -> None:
    """The output says that there are no replays."""
    done = sapper("replay", "info", str(tmp_path))
    assert (done.code, done.out) == (0, "no replays found\n")


def test_contradictory_file_is_reported_in_every_view(tmp_path: Path) -> None:
    """A game whose clicks contradict its win counts as neither won nor lost."""
    clicks = (("lc", 2, 0), ("lr", 2, 0), ("lc", 0, 1), ("lr", 0, 1))
    replay = replay_of("1*2*1\n11211\n00000", *clicks, won=True, time_ms=2000)
    path = tmp_path / "game.json"
    path.write_bytes(serialize(replay))
    text = "The file says the game was won, but its clicks open a mine."
    for command in ("info", "analyze"):
        lines = sapper("replay", command, str(path)).out.splitlines()
        assert ["contradiction", text] in [line.split(maxsplit=1) for line in lines]
        [found] = sapper("replay", command, str(path), "--json").json
        said = {"what": "status", "file": "won", "clicks": "lost", "text": text}
        assert found["contradictions"] == [said]
    assert sapper("replay", "show", str(path)).err == f"sapper: {text}\n"
    assert "contradict its file:" in sapper("replay", "info", str(tmp_path)).out
    summary = sapper("replay", "info", str(tmp_path), "--json").json[-1]["summary"]
    assert summary["contradictory"] == [{"file": str(path), "contradictions": ["status"]}]
    assert (summary["periods"][0]["games"], summary["periods"][0]["interval"]) == (1, [0.0, 1.0])


def test_every_sample_is_listed() -> None:
    """No file in the folder of samples is refused."""
    done = sapper("replay", "info", str(FOLDER), "--json")
    assert (done.code, done.err) == (0, "")
    assert len(done.json) == len(SAMPLES) + 1


def test_the_viewer_needs_a_terminal_and_a_file() -> None:
    """Without a terminal or a file, one line gives the reason, on the same screen [#34]."""
    assert refused(sapper("replay", "view", EXPERT), "sapper replay view needs a terminal")
    assert refused(sapper("replay", "view", "-"), "give it a file")
