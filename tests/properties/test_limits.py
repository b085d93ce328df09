"""Calls respect their limit even on positions that never occur in games."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "limits.py"
sys.path.insert(0, str(SCRIPT.parent))

import limits  # noqa: E402  # the benchmark's own table of calls and positions
from support.marks import slow  # noqa: E402

LIMIT_S = 0.05
OVER_S, STOP_S, MOST_MB = 1.0, 0.3, 400
"""Processor time past the limit and after Ctrl-C, and memory added by all calls on a position.

``reference.analyze`` takes about 0.3 s to prepare a 200x200 board before it first checks the time.
"""
QUICK = ("dots_25x25",)
INNER = {"Values.__init__", "checked", "numbers", "perfect_cell"}
"""Parts of calls that are in the table themselves."""
SURFACES = ("server", "vision", "cli", "env", "_util")


def public_calls() -> set[str]:
    """Return every function and method with a ``limit`` parameter, by qualified name."""
    found = set()
    for path in sorted((ROOT / "src" / "sapper").rglob("*.py")):
        if path.relative_to(ROOT / "src" / "sapper").parts[0] in SURFACES:
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            inside = node.body if isinstance(node, ast.ClassDef) else [node]
            for one in inside:
                if not isinstance(one, ast.FunctionDef):
                    continue
                arguments = [*one.args.args, *one.args.kwonlyargs]
                if not any(at.arg == "limit" and _is_limit(at.annotation) for at in arguments):
                    continue
                private = one.name.startswith("_") and one.name != "__init__"
                if not private:
                    found.add(f"{node.name}.{one.name}" if one is not node else one.name)  # type: ignore[attr-defined]
    return found


def _is_limit(annotation: ast.expr | None) -> bool:
    """Whether a parameter is a `Limit`, not a number of rows."""
    return annotation is not None and "Limit" in ast.unparse(annotation)


def test_the_table_has_every_call_that_takes_a_limit() -> None:
    """A new call must be added to ``CALLS`` in benchmarks/limits.py."""
    tested = {name.split()[0].removeprefix("reference.") for name in limits.CALLS}
    assert public_calls() - INNER == tested


@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else slow(name)
        for number, (name, _) in enumerate(limits.positions(1))
        # A third of the patterns on each of the other shapes, all of them together.
        if "," not in name or name.startswith("rectangle") or (number + number // 6) % 3 == 0
    ],
)
def test_limits_and_ctrl_c_are_kept(name: str) -> None:
    """A separate process measures processor time, which does not depend on the load."""
    rows = measured(name)
    assert [row["call"] for row in rows] == [*limits.CALLS]
    for row in rows:
        assert row["cpu_s"] <= LIMIT_S + OVER_S, row
        assert row["interrupt_s"] is None or row["interrupt_s"] <= STOP_S, row
        assert row["ended"] in ("answered", "LimitReached"), row
    assert sum(row["mb"] for row in rows) <= MOST_MB


@pytest.mark.slow
def test_review_of_a_wide_game_terminates() -> None:
    """Reviews limit states instead of time; the review of this game used to never end."""
    [row] = measured(limits.GAME)
    assert row["cpu_s"] <= 30
    assert row["interrupt_s"] is None or row["interrupt_s"] <= STOP_S
    assert row["mb"] <= MOST_MB


def measured(name: str) -> list[dict[str, Any]]:
    """Return the benchmark's measurement of a position."""
    command = [sys.executable, str(SCRIPT), "--only", name, str(LIMIT_S)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows
