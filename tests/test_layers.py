"""The layers of docs/architecture.md: each module imports only from its own and those before."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sapper

PACKAGE = Path(sapper.__file__).parent
LAYERS = [
    {"_core", "_util", "errors", "aside", "paths", "topology", "_grid", "board", "position"},
    {"rules", "metrics", "events", "solver"},
    {"generate", "dealer", "clock", "_round", "review", "save", "game", "match", "simulate"},
    {"lab"},
    {"vision"},
    {"server", "cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The parts of the package that a module imports, anywhere in it: ``solver``, ``board`` ..."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            # From the package itself only its parts, and what it hands on, can be imported.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (n.split(".")[1] for n in names if n.startswith("sapper."))


def part(path: Path) -> str:
    """The part of the package that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_what_stands_below_it(path: Path) -> None:
    """What a layer needs is in it or under it."""
    mine = part(path)
    if mine == "__init__":
        return
    assert mine in LEVEL, f"{mine} is new: give it its layer here and in docs/architecture.md"
    for name in imported(path):
        if name.startswith("__"):
            continue
        assert name in LEVEL, f"{path} imports {name} from the package's front, not from its module"
        assert LEVEL[name] <= LEVEL[mine], f"{mine} may not import {name}"


def test_no_solver_knows_a_board_but_to_hand_it_out() -> None:
    """Only sampling, which makes boards, imports `Board`; so no analysis can peek."""
    users = {
        path.stem for path in (PACKAGE / "solver").rglob("*.py") if "board" in set(imported(path))
    }
    assert users <= {"sampling", "finding"}
