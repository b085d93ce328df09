"""The layers in docs/architecture.md: modules import only from their own layer or lower ones."""

import ast
import importlib
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import sapper

PACKAGE = Path(sapper.__file__).parent
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
LAYERS = [
    {
        "_core",
        "_startup",
        "_util",
        "_grid",
        "errors",
        "paths",
        "plugins",
        "database",
        "stats",
        "translation",
        "topology",
        "drawing",
        "board",
        "position",
        "formats",
    },
    {"rules", "metrics", "actions", "solver", "overlays"},
    {"generation", "dealer", "game"},
    {"simulation"},
    {"coach", "community", "engine", "history", "lab", "replay", "vision", "web"},
    {"server", "tui", "env", "cli", "__main__"},
]
ROOMS = [
    {"instruments", "limits", "listening", "logs"},
    {"protocol"},
    {"messages"},
    {"accounts", "sso"},
    {"storage"},
    {"jobs"},
    {"cluster"},
    {"session"},
    {"rooms"},
    {"http"},
    {"app", "heap", "run", "supervisor", "worker"},
]
"""The parts of `sapper.server`, from the bottom."""
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Return the parts of the package that a module imports: ``solver``, ``board`` ..."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            # Only the package's parts and re-exports can be imported from it.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (n.split(".")[1] for n in names if n.startswith("sapper."))


def is_front(path: Path) -> bool:
    """Whether a module is a package's ``__init__``."""
    return path.stem == "__init__"


def part(path: Path) -> str:
    """Return the part of the package that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_modules_import_only_from_lower_layers() -> None:
    """A module's imports come from its own layer or a lower one."""
    found = []
    for path in MODULES:
        mine, place = part(path), path.relative_to(PACKAGE)
        if mine == "__init__":
            continue
        if mine not in LEVEL:
            found.append(f"{place} is new: give it its layer here and in docs/architecture.md")
            continue
        for name in imported(path):
            if name not in LEVEL:
                found.append(f"{place} imports {name} from the package's front, not its module")
            elif LEVEL[name] > LEVEL[mine]:
                found.append(f"{place} may not import {name}")
    assert len(MODULES) > 300
    assert not found, "\n".join(found)


def test_server_parts_import_only_lower_parts() -> None:
    """No part of the server imports a part above it in `ROOMS`."""
    level = {name: at for at, names in enumerate(ROOMS) for name in names}
    found = []
    for path in (PACKAGE / "server").rglob("*.py"):
        place = path.relative_to(PACKAGE / "server")
        mine = place.parts[0].removesuffix(".py")
        if mine == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sapper.server"):
                full = (f"{node.module}.{alias.name}" for alias in node.names)
                parts = {name.split(".")[2] for name in full}
                found += [f"{place} may not import {n}" for n in parts if level[n] > level[mine]]
    assert found == []


def test_there_are_no_import_cycles() -> None:
    """Imports inside functions and for type checking form no cycle either."""
    files = {
        ".".join(("sapper", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for path in MODULES
    }
    needs: dict[str, set[str]] = {}
    for name, path in files.items():
        found = needs[name] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                within = (f"{node.module}.{alias.name}" for alias in node.names)
                found |= {inner if inner in files else str(node.module) for inner in within}
        found &= set(files)
    assert len(list(TopologicalSorter(needs).static_order())) > 300


def test_solvers_do_not_import_board() -> None:
    """Only sampling, which creates boards, imports `Board`, so that no analysis can cheat."""
    users = {
        path.stem for path in (PACKAGE / "solver").rglob("*.py") if "board" in set(imported(path))
    }
    assert users <= {"sampling", "finding"}


def test_documented_layers_match() -> None:
    """The table of layers in docs/architecture.md matches the one used here."""
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGE.read_text("utf-8"), re.M)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == LAYERS
    assert set(LEVEL) - {"_core"} == {part(path) for path in MODULES} - {"__init__"}


def test_no_public_name_hides_a_module() -> None:
    """No name that a package exports is also the name of a module in it."""
    hidden = {}
    for package in (path.parent for path in MODULES if is_front(path)):
        name = ".".join(("sapper", *package.relative_to(PACKAGE).parts))
        exported = set(getattr(importlib.import_module(name), "__all__", ()))
        inside = {path.stem for path in package.glob("*.py")}
        inside |= {path.parent.name for path in package.glob("*/__init__.py")}
        hidden[name] = exported & inside
    assert len(hidden) > 20
    assert {name: names for name, names in hidden.items() if names} == {}
