"""docs/licences.md lists the licence of every dependency in the lock files."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "licences.md").read_text("utf-8")


def _rows(heading: str) -> dict[tuple[str, str], list[str]]:
    """Return the rows of a table by name and version."""
    table = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [row.strip("| ").split(" | ") for row in re.findall(r"^\|.*\|$", table, re.M)[2:]]
    return {(name, version): rest for name, version, *rest in cells}


def test_every_rust_crate_is_listed_and_no_compiled_crate_is_copyleft() -> None:
    """All crates in Cargo.lock except Sapper's own are listed."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))
    locked = {(one["name"], one["version"]) for one in lock["package"] if "source" in one}
    rows = _rows("Rust crates")
    assert set(rows) == locked, "run python docs/licences.py"
    compiled = [licence for licence, use in rows.values() if use == "compiled in"]
    assert len(compiled) > 5
    assert [licence for licence in compiled if "GPL" in licence] == []


def test_every_python_package_is_listed() -> None:
    """Each package in requirements-dev.lock is listed with its dependents."""
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8")
    locked = set(re.findall(r"^([^#\s=]+)==(\S+)$", lock, re.M))
    rows = _rows("Python packages")
    assert set(rows) == locked, "run python docs/licences.py"
    assert all(licence.strip() and use for licence, use in rows.values())


def test_every_npm_package_is_listed() -> None:
    """All packages in package-lock.json are listed."""
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    locked = {
        (path.rpartition("node_modules/")[2], one["version"])
        for path, one in lock["packages"].items()
        if path
    }
    rows = _rows("npm packages")
    assert set(rows) == locked, "run python docs/licences.py"
    assert all(licence.strip() for [licence] in rows.values())
