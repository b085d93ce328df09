"""Runs play the same games when they are split, interrupted or resumed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sapper
from sapper.errors import BadSetting, BotFailed
from sapper.lab import Run, run, scheduler, shard_files
from sapper.lab import store as stores
from sapper.lab.errors import BadRun, DamagedFile
from sapper.lab.local import Processes
from sapper.lab.play import Unit, UnitPlayer
from sapper.lab.queue import Queue, cut
from sapper.lab.record import Recorder
from sapper.lab.spec import Spec
from sapper.lab.table import SCHEMA
from sapper.simulation.match import Match
from support.gated_bot import GatedBot
from support.process_ends import kill_parent
from support.program import PROGRAM
from support.waiting import until

BOTS = """
import multiprocessing, os, time
from sapper.actions import Action, ActionKind

class Careless:
    def choose(self, position):
        print("careless")
        return Action(ActionKind.OPEN, position.unopened_cells()[0])

class Raises(Careless):
    games = 0
    def begin(self, level, seed):
        self.games += 1
    def choose(self, position):
        if self.games > 5:
            raise KeyError("lost my head")
        return super().choose(position)

class Illegal:
    def choose(self, position):
        return Action(ActionKind.OPEN, (99, 99))

class Endless:
    def choose(self, position):
        while True:
            yield Action(ActionKind.OPEN, position.unopened_cells()[0])

class Busy:
    def choose(self, position):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

class Asleep:
    def choose(self, position):
        time.sleep(1000)

class Exits:
    def choose(self, position):
        raise SystemExit(3)

class Crashes:
    def choose(self, position):
        os._exit(7)

class Silent:
    def choose(self, position):
        return None

class Speaks:
    def choose(self, position):
        return "open"

class Closes:
    def choose(self, position):
        raise GeneratorExit

class Interrupts:
    def choose(self, position):
        raise KeyboardInterrupt

class Odd(Exception):
    def __str__(self):
        raise SystemExit

class Unprintable:
    def choose(self, position):
        raise Odd

class Recursive:
    def choose(self, position):
        return self.choose(position)

class Fragile(Careless):
    def __init__(self):
        if multiprocessing.parent_process() is not None:
            raise ValueError("not in a worker")
"""


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that contains misbehaving bots."""
    path = tmp_path_factory.mktemp("bots") / "my_bots.py"
    path.write_text(BOTS)
    return path


@pytest.fixture
def short_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make shards hold 100 games, so that few games fill several."""
    for module in ("store", "record", "runs", "scheduler"):
        monkeypatch.setattr(sys.modules[f"sapper.lab.{module}"], "SHARD", 100)


def test_games_match_simulate() -> None:
    """The games and figures are the same as those of `simulate`."""
    made = run("groups", "beginner", n=30, seed=7)
    plain = sapper.simulate("groups", "beginner", n=30, seed=7)
    assert made.table(["seed"]).column(0).to_pylist() == [row.seed for row in plain.rows]
    assert made.summary["wins"] == plain.wins
    assert made.summary["by"] == plain.by
    assert made.summary["lost_by"] == plain.lost_by
    assert made.tally.to_json()["guesses"] == plain.guesses


@pytest.mark.usefixtures("short_shards")
def test_two_processes_play_the_same_games_as_one(tmp_path: Path) -> None:
    """The digest and, except for times, the files are the same."""
    one = run("exact", "beginner", n=350, workers=1, out=tmp_path / "one", seed=1)
    two = run("exact", "beginner", n=350, workers=2, out=tmp_path / "two", seed=1)
    assert one.summary["digest"] == two.summary["digest"] is not None
    names = [f"0000{i}.parquet" for i in range(4)]
    assert [path.name for path in sorted((tmp_path / "two" / "games").iterdir())] == names
    for name in names:
        pair = [(tmp_path / run / "games" / name).read_bytes() for run in ("one", "two")]
        assert pair[0] == pair[1]


@pytest.mark.usefixtures("short_shards")
def test_run_can_be_resumed(tmp_path: Path) -> None:
    """Finished games are not played again, and the result is the same."""
    whole = run("exact", "beginner", n=250, out=tmp_path / "whole", seed=1)
    spec = Spec(Match("exact", "beginner"), 1, 250)
    store = stores.RunStore(tmp_path / "run")
    store.begin({**spec.to_json(), "command": ""})
    recorder = Recorder(spec, store)
    for start, stop in ((100, 200), (30, 60), (60, 70), (240, 250)):
        recorder.take(UnitPlayer(spec).play(Unit(0, start, stop), 100))
    assert list(Recorder(spec, store).missing()) == [
        range(30),
        range(70, 100),
        range(200, 240),
    ]
    kept = Run.open(tmp_path / "run").table(["seed"]).column(0).to_pylist()
    assert kept == [*range(31, 71), *range(101, 201), *range(241, 251)]
    made = run("exact", "beginner", n=250, out=tmp_path / "run", resume=True, seed=1)
    assert made.summary["digest"] == whole.summary["digest"]
    assert made.tally.games == made.summary["games"] == 250
    assert Run.open(tmp_path / "run").damaged() == []
    for path in (tmp_path / "whole" / "games").iterdir():
        assert path.read_bytes() == (tmp_path / "run" / "games" / path.name).read_bytes()


@pytest.mark.slow
def test_killed_run_can_be_resumed(tmp_path: Path) -> None:
    """After SIGKILL in the middle of a run, only the games in progress are lost."""
    out, bot = tmp_path / "run", GatedBot(tmp_path, range(100, 401))
    command = [PROGRAM, "lab", "run", "--bot", bot.name, "--level", "beginner", "-n", "400"]
    running = subprocess.Popen([*command, "--workers", "2", "--out", out])
    until(lambda: len(list(out.glob("parts/*.parquet"))) >= 2, "two parts")
    running.kill()
    running.wait()
    # The workers of the killed run stop by themselves.
    kept = Run.open(out).tally.games
    assert 0 < kept < 100
    bot.open(0)
    ended = subprocess.run(
        [PROGRAM, "lab", "run", "--out", out, "--resume", "--workers", "1", "--json"],
        capture_output=True,
        check=True,
    )
    told = json.loads(ended.stdout)
    assert told["games"] == 400
    assert told["digest"] == run("groups", "beginner", n=400, seed=1).summary["digest"]


@pytest.mark.slow
def test_workers_end_with_a_killed_program(tmp_path: Path) -> None:
    """After SIGKILL, workers end even if their bot never returns from native code."""
    file = tmp_path / "stuck_bot.py"
    file.write_text(
        "import os, select\n"
        "class Stuck:\n"
        "    def choose(self, position):\n"
        "        os.write(2, f'worker {os.getpid()}\\n'.encode())\n"
        "        select.select([], [], [])\n"
    )
    command = [PROGRAM, "lab", "run", "--bot", f"{file}:Stuck", "--level", "beginner", "-n", "400"]
    assert len(kill_parent([*command, "--workers", "2"], workers=2)) == 2


def test_ctrl_c_keeps_finished_games(tmp_path: Path) -> None:
    """Ctrl-C ends the run immediately and prints how to resume it."""
    out = tmp_path / "run"
    command = [PROGRAM, "lab", "run", "--bot", "groups", "-n", "100000", "--workers", "1"]
    running = subprocess.Popen([*command, "--out", out], stderr=subprocess.PIPE)
    until(lambda: bool(list(out.glob("parts/*.parquet"))), "a part")
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=300)
    assert running.returncode == 130
    assert b"of 100,000 games saved; resume with: sapper lab run --resume --out" in told
    made = Run.open(out)
    assert made.summary["state"] == "interrupted"
    assert made.summary["games"] == made.tally.games > 0


def test_ctrl_c_between_saving_and_counting_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved games are counted, whenever Ctrl-C is pressed."""
    count, saved = Recorder._count, []

    def interrupt(recorder: Recorder, start: int, table: Any) -> None:
        monkeypatch.setattr(Recorder, "_count", count)
        saved.append(table.num_rows)
        raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "_count", interrupt)
    monkeypatch.setattr(scheduler, "SHARD", 50)
    with pytest.raises(KeyboardInterrupt):
        run("groups", "beginner", n=100, workers=1, out=tmp_path, seed=1)
    made = Run.open(tmp_path)
    assert made.summary["state"] == "interrupted"
    # On a busy machine, a worker returns fewer games at a time.
    assert [made.summary["games"], made.tally.games] == saved * 2


def test_killed_worker_is_replaced() -> None:
    """A killed worker's games are played again."""
    spec = Spec(Match("groups", "beginner"), 1, 400)
    backend = Processes([spec], 2)
    recorder = Recorder(spec, None)
    queue = Queue(cut(0, range(400), 40))
    killed = False
    for done in backend.play(queue):
        recorder.take(done)
        queue.put_rest(done)
        if not killed:
            killed = True
            victim = next(iter(backend._processes.values())).pid
            assert victim is not None
            os.kill(victim, signal.SIGKILL)
    backend.close()
    assert killed
    assert recorder.digest == run("groups", "beginner", n=400, seed=1).summary["digest"]


@pytest.mark.parametrize(
    ("bot", "seconds", "message"),
    [
        ("Raises", 60, "game 6, choice 1: PLACE KeyError: 'lost my head'"),
        ("Illegal", 60, r"game 1, choice 1: PLACE chose to open \(99, 99\) on a board of 9 rows"),
        ("Endless", 60, "game 1, choice 1: PLACE returned more than 324 actions"),
        ("Busy", 0.5, "game 1, choice 1: PLACE took longer than 0.5 s"),
        ("Asleep", 0.5, "game 1, choice 1: PLACE took longer than 0.5 s"),
        ("Exits", 60, "game 1, choice 1: PLACE SystemExit: 3"),
        ("Silent", 60, "game 1, choice 1: PLACE returned None; expected an Action"),
        ("Speaks", 60, "game 1, choice 1: PLACE returned 'open'; expected an Action"),
        ("Closes", 60, "game 1, choice 1: PLACE GeneratorExit"),
        ("Interrupts", 60, "game 1, choice 1: PLACE KeyboardInterrupt"),
        ("Unprintable", 60, "game 1, choice 1: PLACE Odd: its text cannot be shown"),
        ("Recursive", 60, "game 1, choice 1: PLACE RecursionError: maximum recursion"),
        ("Fragile", 60, r"my_bots\.py:\d+ in __init__: ValueError: not in a worker"),
    ],
)
def test_bot_errors_are_reported(
    bots: Path, tmp_path: Path, bot: str, seconds: float, message: str
) -> None:
    """The error includes the bot, the game and the line; earlier games are kept."""
    out = tmp_path / "run"
    place = message.replace("PLACE", r"my_bots\.py:\d+ in choose:")
    with pytest.raises(BotFailed, match=f"my_bots.py:{bot}[,:] {place}") as caught:
        run(f"{bots}:{bot}", "beginner", n=20, out=out, bot_seconds=seconds, seed=1)
    seed, limit = (6, "") if bot == "Raises" else (1, " --bot-seconds 0.5" if seconds < 1 else "")
    repeat = f"sapper lab replay --bot {bots}:{bot} --level beginner{limit} --seed {seed}"
    notes = caught.value.__notes__
    assert notes[0] == f"repeat this game with: {repeat}"
    # The error includes the other process's traceback, which Python would not show.
    assert notes[1:] == ([caught.value.trace] if caught.value.trace else [])
    made = Run.open(out)
    assert made.summary["error"].endswith(repeat)
    assert made.summary["state"] == "failed"
    assert made.tally.games == (5 if bot == "Raises" else 0)


def test_first_failing_game_is_reported(bots: Path) -> None:
    """[#34] With several workers, the faster worker's error was reported."""
    for _ in range(3):
        with pytest.raises(BotFailed, match="Silent, game 1, choice 1: "):
            run(f"{bots}:Silent", "beginner", n=40, workers=2, seed=1)


def test_bot_that_exits_its_process_is_reported(bots: Path) -> None:
    """If a bot ends its process three times, the run raises an error."""
    with pytest.raises(
        sapper.SapperError, match=r"Crashes, game [12], choice 1: 3 processes died \(exit"
    ):
        run(f"{bots}:Crashes", "beginner", n=2, workers=2, seed=1)


def test_bot_output_is_suppressed(bots: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output is reserved for the program's answer."""
    assert run(f"{bots}:Careless", "9x9:1", n=3, seed=1).summary["games"] == 3
    assert "careless" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 6}, "has games 5, got 6"),
        ({"level": "expert"}, "has level 'beginner', got 'expert'"),
        ({"seed": 2}, "has seed 1, got 2"),
        ({"resume": False}, "already has a run"),
    ],
)
def test_different_run_is_not_resumed(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """The error names the setting that is different."""
    run("exact", "beginner", n=5, out=tmp_path / "run", seed=1)
    wanted = {"level": "beginner", "n": 5, "resume": True, **change}
    with pytest.raises(BadRun, match=message):
        run("exact", out=tmp_path / "run", **wanted)  # type: ignore[arg-type]


def test_changed_bot_is_a_different_bot(bots: Path, tmp_path: Path) -> None:
    """A bot from a file is identified by the file's content."""
    mine = tmp_path / "mine.py"
    mine.write_text(BOTS)
    run(f"{mine}:Careless", "beginner", n=5, out=tmp_path / "run", seed=1)
    mine.write_text(BOTS + "\n")
    with pytest.raises(BadRun, match="has changed since this run started"):
        run(f"{mine}:Careless", "beginner", n=5, out=tmp_path / "run", resume=True, seed=1)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ({"format": 3, "sapper_version": "9.9"}, "format 3, from sapper 9.9"),
        ({"bot": "exact"}, "is not a saved run"),
        ({"format": 2, "bot": "exact"}, "cannot be read"),
    ],
)
def test_other_version_is_rejected(tmp_path: Path, kept: dict[str, object], message: str) -> None:
    """The error for a run of another version includes the reason."""
    (tmp_path / "run.json").write_text(json.dumps(kept))
    with pytest.raises(BadRun, match=message):
        Run.open(tmp_path)


def test_directory_without_a_run_is_rejected(tmp_path: Path) -> None:
    """Opening a directory without a run raises an error."""
    with pytest.raises(BadRun, match=r"has no run\.json"):
        Run.open(tmp_path)


ODD = [None, True, -1, 1.5, "x", "\ud800", [], [1], [[]], {}, {"a": 1}, 10**40, float("nan")]


@pytest.mark.parametrize("name", [*Spec(Match("exact"), 1, 10).to_json(), "all of it"])
def test_invalid_run_json_is_one_error(tmp_path: Path, name: str) -> None:
    """Whatever run.json contains, the run is opened or a one-line error is raised."""
    right = Spec(Match("exact", "beginner"), 1, 5).to_json()
    for wrong in ODD:
        kept = wrong if name == "all of it" else {**right, name: wrong}
        (tmp_path / "run.json").write_text(json.dumps(kept))
        for resume in (False, True):
            message = ""
            try:
                if resume:
                    run("exact", "beginner", n=5, out=tmp_path, resume=True, seed=1)
                else:
                    Run.open(tmp_path)
            except BadRun as problem:
                message = str(problem)
            assert "\n" not in message
            assert len(message) < 300
            assert message or name != "games"


def test_truncated_run_json_is_reported(tmp_path: Path) -> None:
    """The error says that run.json is truncated, whichever part is missing."""
    text = json.dumps(Spec(Match("exact", "beginner"), 1, 5).to_json())
    for left in range(0, len(text), 7):
        (tmp_path / "run.json").write_text(text[:left])
        with pytest.raises(BadRun, match=r"run\.json"):
            Run.open(tmp_path)


BAD_STATUS = [
    None, "", "{", "3", "[]", "null", "[" * 100_000, '{"state": "done"}',
    '{"state": "done", "seconds": NaN}', '{"state": "done", "seconds": "x"}',
    '{"state": "done", "seconds": -1}', '{"state": "done", "seconds": 1e400}',
    '{"state": 3, "seconds": 1}', '{"state": "done", "seconds": 1, "games": "x"}',
    '{"state": "done", "seconds": 1, "updated": []}',
]  # fmt: skip


@pytest.mark.parametrize("status", BAD_STATUS, ids=range(len(BAD_STATUS)))
def test_bad_status_is_ignored(tmp_path: Path, status: str | None) -> None:
    """If the status is invalid, the games are counted again, and the run is resumed."""
    out = tmp_path / "run"
    made = run("exact", "beginner", n=5, out=out, seed=1)
    (out / "status.json").unlink()
    if status is not None:
        (out / "status.json").write_text(status)
    opened = Run.open(out).summary
    for name in ("games", "wins", "lost", "win_rate", "by", "bot", "level", "games_wanted"):
        assert opened[name] == made.summary[name], name
    assert "status.json" in opened["error"]
    assert run("exact", "beginner", n=5, out=out, resume=True, seed=1).summary["games"] == 5
    assert Run.open(out).summary["state"] == "done"


@pytest.mark.parametrize("columns", [["sed"], "seed", ["seed", 1], 7])
@pytest.mark.parametrize("saved", [False, True])
def test_unknown_column_is_the_callers_error(tmp_path: Path, saved: bool, columns: Any) -> None:
    """The error of a saved run advised to remove the intact file."""
    games = run("exact", "beginner", n=2, out=tmp_path / "run" if saved else None, seed=1)
    with pytest.raises(BadSetting, match=r"unknown column|columns must be a list of names") as told:
        games.table(columns)
    assert not isinstance(told.value, BadRun)
    assert games.table(("think_s", "seed")).column_names == ["think_s", "seed"]
    assert games.table([]).column_names == []
    assert games.table().column_names == SCHEMA.names


def test_full_memory_is_not_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice to remove a file applies only to files that are damaged."""
    saved = run("exact", "beginner", n=2, out=tmp_path / "run", seed=1)

    def full(*_: object, **__: object) -> None:
        raise pa.ArrowMemoryError("malloc failed")

    monkeypatch.setattr(shard_files.pq, "ParquetFile", full)
    with pytest.raises(MemoryError, match="malloc failed"):
        saved.table()


def test_damaged_shard_is_replayed(tmp_path: Path) -> None:
    """Wherever the damage is, resuming gives the same games."""
    out = tmp_path / "run"
    digest = run("exact", "beginner", n=5, out=out, seed=1).summary["digest"]
    path = out / "games" / "00000.parquet"
    data = path.read_bytes()
    for at in range(0, len(data), 97):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        again = run("exact", "beginner", n=5, out=out, resume=True, seed=1)
        assert again.summary["games"] == 5
    path.write_bytes(data)
    assert run("exact", "beginner", n=5, out=out, resume=True, seed=1).summary["digest"] == digest


@pytest.mark.parametrize("kind", ["games", "times"])
def test_deleted_shard_is_an_error_until_replayed(tmp_path: Path, kind: str) -> None:
    """A finished run with missing games does not count as complete."""
    out = tmp_path / "run"
    digest = run("exact", "beginner", n=5, out=out, seed=1).summary["digest"]
    (out / kind / "00000.parquet").unlink()
    with pytest.raises(DamagedFile, match=f"{kind}/00000.parquet' is missing"):
        Run.open(out).table()
    assert run("exact", "beginner", n=5, out=out, resume=True, seed=1).summary["digest"] == digest
    assert Run.open(out).table().num_rows == 5


@pytest.mark.slow
def test_a_full_disk_keeps_finished_shards(tmp_path: Path) -> None:
    """The error is one line, and the run can be resumed."""
    out = tmp_path / "run"
    limited = f"ulimit -f 24; exec {PROGRAM} lab run --level beginner -n 17000 --workers 1"
    ended = subprocess.run(
        ["bash", "-c", f"{limited} --out {out}"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert "cannot write" in ended.stderr
    assert "file too large" in ended.stderr
    made = run("exact", "beginner", n=17000, out=out, resume=True, seed=1)
    assert made.summary["games"] == 17000


@pytest.mark.parametrize(
    "wrong", [{"n": -1}, {"workers": 0}, {"workers": 10**6}, {"bot_seconds": 0}]
)
def test_invalid_settings_are_rejected(wrong: dict[str, int]) -> None:
    """Bad settings are refused before the first game."""
    with pytest.raises(BadSetting):
        run("exact", "beginner", **wrong)  # type: ignore[arg-type]


def test_run_can_have_zero_games(tmp_path: Path) -> None:
    """A run without games is complete."""
    made = run("exact", n=0, out=tmp_path / "run", seed=1)
    assert (made.summary["games"], made.table().num_rows) == (0, 0)
    assert Run.open(tmp_path / "run").summary["state"] == "done"


def test_seeds_wrap_around() -> None:
    """2**64 - 1 is followed by 0."""
    made = run("exact", "beginner", n=3, seed=2**64 - 2)
    assert made.table(["seed"]).column(0).to_pylist() == [2**64 - 2, 2**64 - 1, 0]
