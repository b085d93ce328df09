"""Every benchmark runs on a few small positions, untimed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sapper.cli import bench
from sapper.position import Position

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def run(name: str, *arguments: str) -> str:
    """Return a benchmark's output."""
    script = [sys.executable, str(BENCHMARKS / f"{name}.py"), *arguments]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name",
    [
        *("exact", "wide", "bias", "bots", "review", "history", "flags", "patterns", "ratings"),
        "startup",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("dealers", "growth", "leaderboards", "replays", "pointer_path", "traffic")
        ),
    ],
)
def test_a_benchmark_runs(name: str) -> None:
    """With ``--json``, the output is one object with the machine and a row per measurement."""
    printed: dict[str, Any] = json.loads(run(name, "-n", "1", "--json"))
    assert set(printed) == {"machine", "rows"}
    assert len(printed["rows"]) >= 3


def test_rows_are_printed_as_soon_as_they_are_measured() -> None:
    """A benchmark that is stopped has already printed its earlier rows."""
    stopped = (
        "import os; from report import emit\n"
        "def rows():\n"
        "    yield {'board': '9x9:10'}\n"
        "    os._exit(0)\n"
        "emit(rows(), False)"
    )
    command = [sys.executable, "-c", stopped]
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=BENCHMARKS, env=buffered)
    assert done.stdout.splitlines()[1:] == ["board 9x9:10"], done.stderr


def test_no_guess_benchmark_includes_third_party_generators() -> None:
    """Every method, logic and third-party generator has a row, even if not installed."""
    options = ["--seconds", "0.01", "--levels", "9x9:10", "16x16:40", "--json"]
    rows = json.loads(run("noguess", *options))["rows"]
    for level in ("9x9:10", "16x16:40"):
        found = {row["maker"]: row for row in rows if row["board"] == level}
        assert len(found) == 12
        for maker, row in found.items():
            assert row.get("boards", 0) > 0 or "missing" in row or "sapper" not in maker


def test_arrange_benchmark_covers_every_variant() -> None:
    """Two methods and nine variants each have a row."""
    rows = json.loads(run("arrange", "-n", "1", "--sides", "9", "--seconds", "2", "--json"))["rows"]
    assert len(rows) == 11
    assert all(row["solved_10%"] <= row["n"] == 1 for row in rows)


def test_metrics_are_compared_with_other_programs() -> None:
    """Results differ only for the click above the board; see docs/replays.md."""
    folder = Path(__file__).parent / "data" / "replays"
    rows = json.loads(run("replays", "--compare", str(folder), "--json"))["rows"]
    assert [(row["program"], row["replays"]) for row in rows] == [("ms_toollib", 15), ("rawvf", 14)]
    assert rows[0]["differ"] == "none"
    assert rows[1]["differ"].count("expert.rmv") == 3 == rows[1]["differ"].count(" and ")


@pytest.mark.slow
def test_two_versions_are_compared() -> None:
    """A version gives the same results as itself."""
    here = [str(BENCHMARKS.parent), sys.executable]
    tasks = ["--pairs", "1", "--only", "games, swift", "history, adding", "--json"]
    rows = json.loads(run("compare", *here, *tasks))["rows"]
    assert [row["task"] for row in rows] == [
        "games, swift, expert, classic",
        "history, adding games",
    ]
    assert all(row["same"] and row["pairs"] == 1 and row["this_s"] > 0 for row in rows)


@pytest.mark.slow
def test_lab_overhead_is_measured() -> None:
    """The table has rows for plain games, lab games on two levels, and summaries."""
    rows = json.loads(run("lab", "-n", "40", "--rows", "50", "--repeats", "1", "--json"))["rows"]
    assert [row["what"] for row in rows][-3:] == ["resume", "tally", "whole table"]
    assert len([row for row in rows if "of_bare" in row]) == 8


@pytest.mark.slow
def test_ctrl_c_is_measured_for_every_command() -> None:
    """Each command is interrupted once and prints no traceback from Sapper."""
    *rows, total = json.loads(run("interrupts", "-n", "1", "--json"))["rows"]
    assert len(rows) >= 15
    assert total["tries"] == sum(row["tries"] for row in rows) > 5
    assert total["traceback"] == 0


def test_a_benchmark_prints_a_table() -> None:
    """Without ``--json``, each row is a line."""
    assert "from scratch" in run("exact", "-n", "1")


def test_bench_suite_can_be_regenerated() -> None:
    """The file that `sapper bench` reads matches the output of benchmarks/positions.py."""
    lines = run("positions").splitlines()
    assert [Position.from_json(json.loads(line)) for line in lines] == bench.suite()


@pytest.mark.slow
def test_load_tests_run() -> None:
    """Each load test prints its result, and no acknowledged move is lost."""
    few = ["--players", "3", "--pause", "0.1"]
    killed = run("server", "kills", "--rounds", "1", *few)
    assert "0 lost, in 0 sessions" in killed
    assert "0 missing, changed or extra; statistics of 0 players changed" in killed
    assert "0 lost in 0 sessions while running" in run("server", "players", "--seconds", "1", *few)
    measured = run("server", "assisted", "--seconds", "1", "--rounds", "1", "--settle", "0", *few)
    assert "95th percentile of answers:" in measured


@pytest.mark.slow
def test_history_page_is_timed() -> None:
    """The History page is timed from request to paint, for all levels and for a single one."""
    lines = run("history_page", "--games", "50", "-n", "2").splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["50", "50"]
