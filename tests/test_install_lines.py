"""Every install command in the docs and in messages works for somebody with the checkout alone."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from sapper._util.installing import SOURCE, pip_install
from sapper._util.python_file import run_file

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Other packages that pages and messages name, all on PyPI.
OTHERS = {"cma", "ms_toollib", "ray[rllib]", "sb3-contrib", "stable-baselines3", "torch"}


def _script() -> ModuleType:
    return run_file(ROOT / "docs/install_lines.py", "script")


def _texts() -> Iterator[tuple[Path, str]]:
    """Yield the docs and the code that users read."""
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "packages").glob("*/README.md"),
        *(ROOT / "examples").rglob("*.py"),
        *(path for path in (ROOT / "src/sapper").rglob("*") if path.suffix in (".py", ".html")),
        *(ROOT / "src/sapper/locale").rglob("*.po"),
    ):
        if path.name != "installing.py":
            yield path, path.read_text("utf-8")


def _arguments(command: str) -> Iterator[tuple[Path, str]]:
    """Yield the packages that a command installs, wherever it is used."""
    for path, text in _texts():
        for found in re.finditer(rf"\b{command} ([^`\n<]*)", text):
            words = re.split(r" && |;|\|| \(| #|\s\s|, |\. |: ", found[1])[0]
            yield from ((path, word.strip("'\",)").rstrip("`")) for word in words.split())


def test_pip_installs_only_what_exists() -> None:
    """36 lines named a package that is not on PyPI."""
    extras = set(PROJECT["optional-dependencies"])
    seen = set()
    previous = ""
    for path, word in _arguments("pip install"):
        is_file, previous = previous in ("-r", "-c"), word
        found = re.fullmatch(r"([\w.-]*)\[([\w,]+)\]", word)
        if word.startswith(("-", "{")) or word in ("", ".", *OTHERS):
            continue
        if is_file:
            assert (ROOT / word).is_file(), f"{path}: {word}"
        elif word == "../other[test]":
            # Another checkout, to compare with.
            continue
        else:
            assert found is not None, f"{path}: pip install ... {word}"
            assert found[1] in {".", SOURCE}, f"{path}: pip install ... {word}"
            assert set(found[2].split(",")) <= extras, f"{path}: {word}"
            seen.add(path.name)
    assert {"README.md", "hosting.md", "lab.md", "lab.html"} <= seen


def test_npm_installs_only_what_exists() -> None:
    """`npm install sapper-engine` found nothing; `npm pack` writes the file that the docs name."""
    package = json.loads((ROOT / "packages/sapper-engine/package.json").read_text("utf-8"))
    packed = f"{package['name']}-{package['version']}.tgz"
    script = _script()
    named = {word for _, word in _arguments("npm install")}
    assert named == {script.ENGINE}
    assert script.ENGINE in (package["name"], f"../sapper/{packed}")


def test_extras_are_not_named_with_the_package() -> None:
    """`sapper[lab]` looks like a package that can be installed."""
    if SOURCE == ".":
        assert [path for path, text in _texts() if re.search(r"\bsapper\[\w", text)] == []


def test_commands_follow_from_two_constants() -> None:
    """On the day of publication, a script updates the docs and the web app."""
    script = _script()
    for path in script.files():
        text = path.read_text("utf-8")
        assert script.updated(text) == text, f"run python docs/install_lines.py: {path}"
        later = script.updated(text, "sapper", "sapper-engine")
        assert script.updated(later) == text
    page = (ROOT / "docs/hosting.md").read_text("utf-8")
    assert "pip install --upgrade 'sapper[metrics,accounts]'" in script.updated(page, "sapper")
    text = "pip install '.[test]' && npm install ../sapper/sapper-engine-1.1.0.tgz"
    assert script.updated(text, "sapper", "sapper-engine") == (
        "pip install '.[test]' && npm install sapper-engine"
    )


def test_messages_name_the_command() -> None:
    """All messages about missing parts get the command from one place."""
    assert pip_install("lab") == f"pip install '{SOURCE}[lab]'"
    assert pip_install("lab", force=True) == f"pip install --force-reinstall '{SOURCE}[lab]'"
    written = [
        path.name
        for path in (ROOT / "src/sapper").rglob("*.py")
        if re.search(r"pip install [^{\n]*\[", path.read_text("utf-8"))
    ]
    assert written == []
