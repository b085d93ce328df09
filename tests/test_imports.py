"""What a start loads: each module that is imported without need slows down every command."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sapper

UNUSED = {
    "asyncio",
    "babel",
    "fsrs",
    "importlib.metadata",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "pyarrow",
    "pydantic",
    "pysat",
    "rich",
    "sapper.cli.play_command",
    "sapper.game",
    "sapper.plugins",
    "sapper.server",
    "sapper.solver",
    "sapper.translation",
    "starlette",
    "textual",
    "uvicorn",
    "websockets",
}
"""Modules that neither the version nor the help needs."""
PROGRAM = """
import sys
sys.argv = ["sapper", *{arguments!r}]
from sapper.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
"""


def _loaded(code: str) -> set[str]:
    """Return the modules that are loaded after some code ran in a new process."""
    code += "\nimport sys\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


def test_import_loads_only_the_package() -> None:
    """Names are imported when they are first used, the native core included."""
    before = _loaded("pass")
    assert _loaded("import sapper") - before == {"sapper", "sapper._startup"}


def test_a_game_needs_no_other_surface() -> None:
    """A game in Python loads no web server, program or library of one rule set."""
    loaded = _loaded("import sapper; sapper.Game('expert', seed=1).open((0, 0))")
    assert "sapper.game" in loaded
    surfaces = {"sapper.cli", "sapper.server", "sapper.coach", "sapper.replay", "sapper.lab"}
    unused = {"asyncio", "multiprocessing", "pysat", "click", "rich", "starlette", "uvicorn"}
    assert (surfaces | unused) & loaded == set()


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_program_loads_no_command(option: str) -> None:
    """The version and the list of commands need neither the engine nor a command."""
    loaded = _loaded(PROGRAM.format(arguments=[option]))
    assert "sapper.cli.program" in loaded
    assert UNUSED & loaded == set()


def test_no_command_needs_an_extra_to_load() -> None:
    """Every command is imported without the libraries of the terminal game and other extras."""
    folder = Path(str(sapper.__file__)).parent
    names = [
        ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        for path in sorted((folder / "cli").rglob("*.py"))
    ]
    loaded = _loaded("\n".join(f"import {name}" for name in names))
    extras = {
        "matplotlib",
        "playwright",
        "pyarrow",
        "pydantic",
        "pygments",
        "rich",
        "textual",
        "typer",
    }
    assert extras & loaded == set()


def test_types_and_values_have_the_same_source() -> None:
    """Type checkers read one list of imports, and the package another."""
    tree = ast.parse(Path(str(sapper.__file__)).read_text("utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If) and len(node.body) > 5]
    typed = {
        alias.name: str(node.module).removeprefix("sapper.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(typed) == sorted(sapper.__all__)
    assert {name: sapper._SOURCES[name] for name in typed} == typed
