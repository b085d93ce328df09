"""`sapper lab` as a program: answers, files and errors."""

import json
import os
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sapper as library
from sapper.simulation import Match
from support.marks import slow
from support.program import run_program, sapper


def test_run_json_has_documented_keys() -> None:
    """The file run.json contains the keys on which scripts rely."""
    done = sapper("lab", "run", "--level", "beginner", "-n", "40", "--workers", "1", "--json")
    assert done.code == 0
    assert done.err == ""
    [told] = done.json
    promised = (
        "bot level rules first_click start seed games wins win_rate interval seconds "
        "games_per_second sapper_version"
    )
    assert set(promised.split()) <= set(told)
    plain = library.simulate("exact", "beginner", n=40, seed=1)
    assert (told["wins"], told["interval"]) == (plain.wins, list(plain.interval))
    assert (told["start"], told["first_click"], told["games"]) == ([0, 0], "safe", 40)


def test_run_prints_text() -> None:
    """The text has one line per figure and one row per level."""
    done = sapper("lab", "run", "--level", "9x9:10", "-n", "40", "--workers", "1")
    assert done.out.startswith("exact: beginner, classic, first click safe, start (0, 0), seed 1\n")
    for word in ("won", "guesses", "digest", "least risk"):
        assert word in done.out


def test_run_is_plotted(tmp_path: Path) -> None:
    """If plotting fails, the figures are still printed."""
    run = ["lab", "run", "--level", "beginner", "-n", "40", "--workers", "1", "--plot"]
    assert sapper(*run, str(tmp_path / "rate.png")).code == 0
    assert (tmp_path / "rate.png").read_bytes().startswith(b"\x89PNG")
    done = sapper(*run, str(tmp_path / "nowhere" / "rate.png"))
    assert done.code == 2
    assert "won" in done.out
    assert "cannot draw" in done.err


def test_run_is_saved_resumed_and_reported(tmp_path: Path) -> None:
    """A run can be resumed and reported from its directory alone."""
    out = str(tmp_path / "run")
    settings = [
        "--bot",
        "groups",
        "--level",
        "beginner",
        "-n",
        "30",
        "--option",
        "last_turns=false",
    ]
    first = sapper("lab", "run", *settings, "--out", out, "--workers", "1", "--json")
    again = sapper("lab", "run", "--resume", "--out", out, "--workers", "2", "--json")
    assert again.json[0]["digest"] == first.json[0]["digest"]
    assert again.json[0]["options"] == {"last_turns": False}
    page = sapper("lab", "report", out)
    assert page.out.strip() == str(tmp_path / "run" / "report.html")
    assert "groups" in Path(page.out.strip()).read_text("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_report_supports_links_and_pipes(tmp_path: Path) -> None:
    """`--out` replaced symbolic links, and devices such as /dev/null, with a file."""
    run = str(tmp_path / "run")
    sapper("lab", "run", "--level", "beginner", "-n", "20", "--workers", "1", "--out", run)
    target, link, pipe = (tmp_path / name for name in ("page.html", "link.html", "pipe.html"))
    link.symlink_to(target)
    assert sapper("lab", "report", run, "--out", str(link)).code == 0
    assert link.is_symlink()
    page = target.read_bytes()
    assert page.startswith(b"<!doctype html>")
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as reader:
        got = reader.submit(pipe.read_bytes)
        assert sapper("lab", "report", run, "--out", str(pipe)).code == 0
        # The ids in the plots are random, so compare only the lengths.
        assert len(got.result()) == len(page)
    assert pipe.is_fifo()


@pytest.mark.parametrize("out", ["", ".", "/", "run", "none/page.html"])
def test_report_requires_a_file_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    """An empty name, `.` or `/` printed a traceback."""
    monkeypatch.chdir(tmp_path)
    sapper("lab", "run", "--level", "beginner", "-n", "5", "--workers", "1", "--out", "run")
    done = sapper("lab", "report", "run", "--out", out)
    assert (done.code, done.out) == (2, "")
    assert re.search(r"^sapper: '.*': (is a directory|no such file or directory)$", done.err)


@pytest.mark.slow
def test_compare_calibrate_and_sweep(tmp_path: Path) -> None:
    """The answers are text or JSON, and the plots are files."""
    common = ["-n", "40", "--workers", "1"]
    board = ["--level", "beginner"]
    found = sapper("lab", "compare", "exact", "groups,last_turns=false", *board, *common, "--json")
    assert [bot["bot"] for bot in found.json[0]["bots"]] == ["exact", "groups,last_turns=False"]
    words = run_program("lab", "compare", "exact", "groups", *board, *common)
    assert "sequential test: undecided" in words.out
    picture = tmp_path / "plot.png"
    found = run_program("lab", "calibrate", "exact", *board, *common, "--plot", str(picture))
    assert "predicted, z = " in found.out
    assert picture.exists()
    grown = ["--size", "9x9", "--density", "0.1,0.2", "--plot", str(tmp_path / "sweep.svg")]
    found = sapper("lab", "sweep", *grown, *common, "--json")
    assert [point["level"] for point in found.json[0]["points"]] == ["9x9@0.1", "9x9@0.2"]
    found = run_program("lab", "sweep", *grown, *common, "--uses", "proved", "--total")
    assert "9x9:8" in found.out


def test_difference_is_tested_in_points() -> None:
    """The answer includes the difference tested and the final interval, but no McNemar test."""
    two = ["lab", "compare", "exact", "autosweeper", "--level", "beginner", "--workers", "1"]
    done = sapper(*two, "--detect", "10pp", "--batch", "50")
    assert done.code == 0
    assert re.search(r"exact: -\d\.\d\d points \[-\d+\.\d\d, -?\d+\.\d\d\]\n", done.out)
    assert "sequential test: " in done.out
    assert "McNemar" not in done.out
    assert "equal win rates (H0) or a difference of 10 points or more (H1)." in done.out
    assert "The 95 % intervals hold whenever the games stop." in done.out
    assert "of 1 point or more" in sapper(*two, "--detect", "1.0pp", "-n", "20").out
    undecided = sapper(*two, "--detect", "0.5pp", "-n", "20").out
    assert re.search(r"undecided; a difference of this size takes about [\d,]+ boards", undecided)


def test_reproduce_prints_its_source() -> None:
    """Published figures are printed next to Sapper's."""
    found = sapper("lab", "reproduce", "fair", "-n", "2", "--workers", "1")
    assert found.out.startswith("Spravedlivé hledání min")
    [told] = sapper("lab", "reproduce", "fair", "-n", "2", "--workers", "1", "--json").json
    assert told["experiment"] == "fair"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--bot", "nobody"], "unknown bot 'nobody'"),
        (["run", "--bot", "missing.py:Bot"], "no file 'missing.py'"),
        (["run", "--level", "huge"], "invalid level 'huge'"),
        (["run", "--start", "1"], "--start must be a row and a column"),
        (["run", "--start", "99,99"], "no cell (99, 99)"),
        (["run", "--option", "x"], "an option must be NAME=VALUE"),
        (["run", "--option", "x=1"], "unexpected keyword argument 'x'"),
        (["run", "--rule", "cheat=true"], "no option 'cheat'"),
        (["run", "-n", "-1"], "must be at least 0"),
        (["run", "--workers", "0"], "must be at least 1"),
        (["run", "--workers", "100000"], "on this machine ("),
        (["compare", "exact", "groups", "--workers", "100000"], "workers must be at most"),
        (["sweep", "--workers", "100000"], "workers must be at most"),
        (["rank", "--workers", "100000"], "workers must be at most"),
        (["calibrate", "exact", "--workers", "100000"], "workers must be at most"),
        (["reproduce", "groups", "--workers", "100000"], "workers must be at most"),
        (["run", "--seed", "-1"], "seed must be"),
        (["run", "--resume"], "--resume needs --out"),
        (["run", "--out", ""], "--out needs the name of a directory"),
        (["compare", "exact", "groups", "--resume"], "--resume needs --out"),
        (["sweep", "--resume"], "--resume needs --out"),
        (["run", "-n", "1000000001"], "must be at most 1,000,000,000, got 1000000001"),
        (["run", "--bot-seconds", "0"], "must be greater than 0"),
        (["run", "--bot-seconds", "nan"], "must be greater than 0"),
        slow(["run", "--dask", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
        (["compare", "exact"], "two or more bots"),
        (["compare", "exact", "groups", "--h1", "0.4"], "h1 must be"),
        (["compare", "exact", "groups", "--detect", "0.5"], "percentage points such as 0.5pp"),
        (["compare", "exact", "groups", "--detect", "0pp"], "--detect must be more than 0pp"),
        (["compare", "exact", "groups", "--detect", "1pp", "--all"], "--detect and --all cannot"),
        (["compare", "exact", "groups", "--detect", "1pp", "--h1", "0.6"], "--detect and --h1"),
        (["sweep", "--size", "9"], "WIDTHxHEIGHT such as 20x20"),
        (["sweep", "--density", "x"], "FIRST:LAST:STEP"),
        (["report", "/nowhere"], "is not a saved run"),
        (["calibrate", "exact", "-n", "1", "--plot", "a.txt"], "a plot is a .png"),
        (["reproduce", "magic"], "unknown experiment 'magic'"),
    ],
)
def test_bad_input_error_is_one_line(arguments: list[str], message: str) -> None:
    """Standard output is empty, and the exit status is 2."""
    done = sapper("lab", *arguments)
    assert done.code == 2, done.err
    assert done.out == ""
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_run_of_another_version_is_rejected(tmp_path: Path) -> None:
    """The run is refused with a reason and left unchanged."""
    (tmp_path / "run.json").write_text(json.dumps({"format": 9, "sapper_version": "9.0"}))
    done = sapper("lab", "run", "--resume", "--out", str(tmp_path))
    assert (done.code, "format 9, from sapper 9.0" in done.err) == (2, True)
    done = sapper("lab", "run", "--out", str(tmp_path))
    assert (done.code, "already has a run" in done.err) == (2, True)


def test_only_given_settings_are_compared_on_resume(tmp_path: Path) -> None:
    """With `-n 4` alone, the default level was reported as different."""
    out = ("--out", str(tmp_path / "run"))
    level = ("--level", "9x9:9", "--start", "4,4", "--rule", "win=flags", "--seed", "5")
    run = ("lab", "run", "--workers", "1", "--json", *out)
    assert sapper(*run, *level, "-n", "3").code == 0
    done = sapper(*run, "--resume", "-n", "4")
    assert (done.code, "has games 3, got 4" in done.err) == (2, True)
    assert sapper(*run, "--resume", "-n", "3", "--rule", "win=flags").json[0]["seed"] == 5


def test_a_sweep_without_games_has_no_figures() -> None:
    """Missing figures are not shown as NaN, and a level given twice gives one point."""
    done = sapper("lab", "sweep", "--size", "9x9", "--density", "0.1,0.1", "-n", "0")
    assert done.out == "level    won, %  guesses per game\n9x9@0.1       -                 -\n"


MINE = """
from sapper import Action, ActionKind

class Mine:
    def choose(self, position):
        cells = position.unopened_cells()
        print("thinking")
        if len(cells) < 60:
            return self.finish(cells)
        return Action(ActionKind.OPEN, cells[-1])

    def finish(self, cells):
        return cells["last"]
"""
ERROR = "TypeError: list indices must be integers or slices, not str"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot that fails late in a game, named by the path that a user would type."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return "bots/mine.py:Mine"


def test_failed_run_prints_place_and_resume_command(mine: str) -> None:
    """[#34] The error includes the calls, line, seed, choice, and commands to repeat and resume."""
    command = ["lab", "run", "--bot", mine, "--level", "9x9:5", "-n", "20", "--out", "run"]
    done = run_program(*command, "--workers", "1")
    assert (done.code, done.out) == (2, "")
    lines = [line for line in done.err.splitlines() if line != "thinking"]
    found = re.fullmatch(
        rf"sapper: bot {mine}, game (\d+), choice (\d+): bots/mine.py:13 in finish: {ERROR}",
        lines[5],
    )
    assert found is not None
    seed, choice = found.groups()
    repeat = f"sapper lab replay --bot {mine} --level 9x9:5 --seed {seed}"
    resume = "sapper lab run --resume --out run"
    assert lines == [
        "bots/mine.py:9: in choose",
        "    return self.finish(cells)",
        "bots/mine.py:13: in finish",
        '    return cells["last"]',
        ERROR,
        found[0],
        f"sapper: repeat this game with: {repeat}",
        f"sapper: {int(seed) - 1} of 20 games saved; resume with: {resume}",
    ]
    again = run_program(*shlex.split(repeat)[1:])
    assert again.code == 2
    assert [line for line in again.err.splitlines() if line != "thinking"] == lines[:6]
    assert again.out.count("\n   ") == int(choice) - 1
    seen = again.out.partition("The position before the choice that failed:\n")[2]
    before = sapper(*shlex.split(repeat)[1:], "--choice", choice)
    assert (before.code, before.out) == (0, seen)
    assert "already has a run" in sapper(*command).err


def test_saved_game_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game uses the run's settings; each choice is printed as a line or an object."""
    monkeypatch.chdir(tmp_path)
    run = ["lab", "run", "--bot", "groups", "--level", "beginner", "-n", "3", "--seed", "7"]
    assert sapper(*run, "--workers", "1", "--option", "last_turns=false", "--out", "run").code == 0
    done = sapper("lab", "replay", "run", "--seed", "8")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("groups: beginner, classic, ")
    assert "seed 8, last_turns=False\n" in done.out
    *choices, last = sapper("lab", "replay", "run", "--seed", "8", "--json").json
    game = Match("groups", "beginner", bot_options={"last_turns": False}).game(8)
    assert last == {"result": str(game.status), "position": game.position.to_json()}
    assert [one["choice"] for one in choices] == list(range(1, len(choices) + 1))
    assert (
        choices[0]["position"]["rows"]
        == sapper("lab", "replay", "run", "--seed", "8", "--choice", "1").out.splitlines()[1:]
    )
    assert sapper("lab", "replay", "run").out.splitlines()[0].endswith("seed 7, last_turns=False")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "is not a saved run"),
        (["--bot", "nobody"], "unknown bot 'nobody'"),
        (["--seed", "-1"], "seed must be"),
        (["--choice", "0"], "must be at least 1"),
        (["--level", "beginner", "--choice", "900"], "--choice must be at most"),
        (["--bot-seconds", "0"], "--bot-seconds must be greater than 0"),
    ],
)
def test_unreplayable_game_is_rejected(arguments: list[str], message: str) -> None:
    """A line explains why the game cannot be replayed."""
    done = sapper("lab", "replay", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_unsaved_run_is_reported(tmp_path: Path) -> None:
    """[#34] The tutorial claimed that every run was saved."""
    run = ["lab", "run", "--level", "beginner", "-n", "3", "--workers", "1"]
    assert "saved     no; --out DIR saves every game\n" in sapper(*run).out
    out = str(tmp_path / "run")
    assert f"saved in  {out}\n" in sapper(*run, "--out", out).out


def test_changed_bot_is_reported_and_played(mine: str) -> None:
    """Games are replayed to debug the bot, so a changed bot is accepted."""
    run = ["lab", "run", "--bot", mine, "--level", "9x9:5", "-n", "2", "--out", "run"]
    assert sapper(*run).code == 2
    Path("bots/mine.py").write_text(
        MINE.replace('cells["last"]', "Action(ActionKind.OPEN, cells[0])")
    )
    done = sapper("lab", "replay", "run")
    assert done.code == 0
    assert "the file of bot bots/mine.py:Mine has changed since this run started" in done.err


def test_output_of_a_bot_file_is_separate(mine: str) -> None:
    """Text printed while a bot's file is imported is not part of the answer."""
    path = Path("bots/mine.py")
    path.write_text("print('loading')\n" + MINE)
    done = sapper("lab", "run", "--bot", mine, "-n", "0", "--workers", "1", "--json")
    assert len(done.json) == 1
    assert "loading" in done.err


@pytest.mark.slow
def test_crashing_bot_prints_its_line(mine: str) -> None:
    """A run reports only the game and the choice; the command that it suggests shows the line."""
    crash = "class Mine:\n    def choose(self, position):\n        import os\n        os.abort()\n"
    Path("bots/mine.py").write_text(crash)
    done = run_program("lab", "run", "--bot", mine, "--level", "beginner", "-n", "1")
    repeat = f"sapper lab replay --bot {mine} --level beginner --seed 1"
    assert done.code == 2
    assert done.err.splitlines() == [
        f"sapper: bot {mine}, game 1, choice 1: 3 processes died (exit status -6)",
        f"sapper: repeat this game with: {repeat}",
    ]
    again = run_program(*shlex.split(repeat)[1:])
    assert again.code == -6
    assert re.search(r'bots/mine\.py", line 4 in choose', again.err)


def test_interrupt_raised_by_a_bot_is_not_ctrl_c(mine: str) -> None:
    """A bot's `KeyboardInterrupt` is an error, unlike a real Ctrl-C."""
    Path("bots/mine.py").write_text(
        MINE.replace('cells["last"]', "exec('raise KeyboardInterrupt')")
    )
    done = sapper("lab", "replay", "--bot", mine, "--level", "9x9:5")
    assert done.code == 2
    assert done.err.endswith("bots/mine.py:13 in finish: KeyboardInterrupt\n")
