"""The docs are up to date: every public name and command has an entry, and links resolve."""

import dataclasses
import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper import errors
from sapper.cli import app
from sapper.dealer import RULES
from sapper.rules import Settings
from sapper.server import create_app
from sapper.server.storage.store import Store

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = Path(sapper.__file__).parent
_PROGRAM: Any = app
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("[bd]*/**/*.md"))]


def test_every_public_name_has_an_entry_with_an_example() -> None:
    """docs/api.md lists each public name, and one of its examples uses it."""
    page = (DOCS / "api.md").read_text("utf-8")
    names = {*sapper.__all__, *errors.__all__} - {"__version__"}
    assert [name for name in names if not re.search(rf"^- .*`{name}`", page, re.M)] == []
    example = r"^(>>>|\.\.\.) .*sapper\.{}\b"
    assert [name for name in names if not re.search(example.format(name), page, re.M)] == []


def test_reference_covers_every_public_module() -> None:
    """The reference covers names that `import sapper` does not provide, and inherited members."""
    page = (DOCS / "reference.md").read_text("utf-8")
    listed = dict(re.findall(r"automodule:: sapper\.(\w+)\n   :members: (.*)", page))
    named = set(re.findall(r"\bsapper\.([a-z]+)\b", (DOCS / "library.md").read_text("utf-8")))
    assert {"coach", "generation", "history", "simulation", "solver", "topology"} <= set(listed)
    rooms = named & {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert [name for name in rooms if f"automodule:: sapper.{name}" not in page] == []
    for name, members in listed.items():
        module = importlib.import_module(f"sapper.{name}")
        missing = (n for n in module.__all__ if vars(sapper).get(n) is not getattr(module, n))
        assert set(members.split(", ")) >= set(missing) - set(sapper.__all__), name
    # The methods of a game come from its base classes.
    assert "automodule:: sapper\n   :members:\n" in page
    assert ":inherited-members:" in page


def _dotted_names() -> set[str]:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    # A longer name is a file such as sapper.toml, or a URL.
    return set(re.findall(r"(?<![\w./-])sapper(?:\.[A-Za-z_]\w*)+(?![\w/-])", text))


def test_every_dotted_name_resolves() -> None:
    """Every `sapper.something.name` in the docs can be imported as written."""
    # This module needs Stable-Baselines3, which no extra installs because it needs PyTorch.
    for name in sorted(_dotted_names() - {"sapper.env.sb3"}):
        found: object = importlib.import_module("sapper")
        path = "sapper"
        for part in name.split(".")[1:]:
            path = f"{path}.{part}"
            is_module = not hasattr(found, part)
            found = importlib.import_module(path) if is_module else getattr(found, part)


@pytest.mark.parametrize("name", _PROGRAM.commands)
def test_every_command_has_an_entry(name: str) -> None:
    """Each command has a section in docs/cli.md."""
    assert f"## sapper {name}\n" in (DOCS / "cli.md").read_text("utf-8")


def _command_lines() -> list[tuple[str, str]]:
    """Return the command lines in the docs, each with its page."""
    found = []
    for page in PAGES:
        language = None
        for line in page.read_text("utf-8").splitlines():
            if line.lstrip().startswith("```"):
                language = line.strip("` ") if language is None else None
            elif language in ("", "sh"):
                found += [(page.name, part.strip()) for part in re.split(r"&&|\|", line)]
            elif language is None:
                found += [(page.name, code) for code in re.findall(r"`([^`]+)`", line)]
    # A line may begin with environment variables.
    plain = [(page, re.sub(r"^([A-Z_]+=\S+ )+", "", line)) for page, line in found]
    # Benchmark output begins with the version.
    return [(page, line) for page, line in plain if re.match(r"(sapper|python) (?!\d)", line)]


def _unknown(words: list[str]) -> list[str]:
    """Return the parts of a command line that do not exist."""
    command: Any = _PROGRAM
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return [words[0]]
        command = command.commands[words.pop(0)]
    known = {name for option in command.params for name in option.opts}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return sorted(given - known - {"--help"})


def test_every_command_line_in_the_docs_is_valid() -> None:
    """The command, its options, and the scripts that it runs all exist."""
    wrong, seen = [], 0
    for page, line in _command_lines():
        program, *words = shlex.split(line.partition(" > ")[0])
        if program == "sapper":
            wrong += [f"{page}: {line}: no {name}" for name in _unknown(words)]
        elif program == "python" and words[0].endswith(".py"):
            wrong += [] if (ROOT / words[0]).is_file() else [f"{page}: no {words[0]}"]
        else:
            continue
        seen += 1
    assert seen > 100
    assert wrong == []
    assert _unknown(["lab", "run", "--bots", "exact", "-n", "3"]) == ["--bots"]
    assert _unknown(["lab", "race"]) == ["race"]


def test_the_command_line_reference_is_current() -> None:
    """docs/cli.md matches the output of ``python docs/cli_reference.py``."""
    script = [sys.executable, str(DOCS / "cli_reference.py"), "--print"]
    written = subprocess.run(script, capture_output=True, text=True, check=True, encoding="utf-8")
    assert written.stdout == (DOCS / "cli.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["settings_reference", "module_map"])
def test_generated_parts_of_pages_are_current(name: str) -> None:
    """The settings in docs/hosting.md and the module map match the code."""
    script = [sys.executable, str(DOCS / f"{name}.py"), "--check"]
    assert subprocess.run(script).returncode == 0


def test_websocket_messages_are_documented() -> None:
    """docs/websocket.md and the page's types match `sapper.server.messages`."""
    script = [sys.executable, str(DOCS / "websocket_reference.py"), "--check"]
    assert subprocess.run(script, capture_output=True, text=True, check=False).stdout == ""


def test_every_row_of_the_command_line_reference_is_complete() -> None:
    """Each row has three columns and a name; an argument of `history export` was called None."""
    rows = re.findall(r"^\| `.*$", (DOCS / "cli.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 100
    for row in rows:
        assert not row.startswith("| `None`"), row
        assert len(re.findall(r"(?<!\\)\|", row)) in (3, 4), row


def test_links_resolve() -> None:
    """Links and pictures within the repository exist."""
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page} links to {target}"


def test_every_board_shows_a_possible_position() -> None:
    """Boards that can be played, and those that replace pictures on the website."""
    found = []
    for page in PAGES:
        text = re.sub(r"```html\n.*?```", "", page.read_text("utf-8"), flags=re.S)
        for board in re.findall(r"<(?:sapper-board|!-- board) (.*?)>", text):
            given = dict(re.findall(r'(\w+)="([^"]*)"', board))
            rows = given.pop("position").split("|")
            head = [f"{name}: {value}" for name, value in given.items()]
            position = sapper.Position.parse("\n".join([*head, *rows]))
            assert sapper.analyze(position).solutions, board
            found.append(page.name)
    assert {"no-guess.md", "library.md", "patterns.md", "site.md", "topologies.md"} <= {*found}


def test_readme_starts_with_how_to_play_and_test() -> None:
    """The first 30 lines of the README show how to play and how to run the tests."""
    top = (ROOT / "README.md").read_text("utf-8").splitlines()[:30]
    venv = "python3 -m venv .venv && .venv/bin"
    assert f"{venv}/pip install . && .venv/bin/sapper play" in top
    assert f"{venv}/pip install '.[test]' && .venv/bin/pytest" in top


def test_every_page_is_linked_from_the_index() -> None:
    """docs/index.md links to every page."""
    listed = set((DOCS / "index.md").read_text("utf-8").split())
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")]
    assert len(pages) > 25
    assert [page for page in pages if page not in listed and page != "index"] == []


def test_every_route_is_documented(tmp_path: Path) -> None:
    """Each URL of the web app is in docs/http.md or docs/web.md, with named parameters."""
    text = "".join((DOCS / name).read_text("utf-8") for name in ("http.md", "web.md"))
    with Store(tmp_path / "games.sqlite") as store:
        routes = [getattr(route, "path", "") for route in create_app(store).routes]
    assert len(routes) > 15
    written = (re.sub(r"\\\{\w+(?::path)?\\\}", r"[A-Z]+", re.escape(route)) for route in routes)
    missing = [route for route in written if not re.search(rf"{route}(?![\w-])", text)]
    assert missing == []


def test_every_setting_is_documented() -> None:
    """The pages on rules and games cover all rule sets, options and settings."""
    rules = (DOCS / "rules.md").read_text("utf-8")
    names = [*RULES, *(option.name for kind in RULES.values() for option in kind.options)]
    assert [name for name in names if f"`{name}`" not in rules] == []
    text = rules + "".join(_source(DOCS / name) for name in ("library.md", "websocket.md"))
    settings = [field.name for field in dataclasses.fields(Settings)]
    assert [name for name in settings if f"`{name}`" not in text] == []
    variables = set(re.findall(r"SAPPER_[A-Z]+", "".join(map(_source, PACKAGE.rglob("*.py")))))
    assert variables
    pages = "".join(map(_source, DOCS.glob("*.md")))
    assert [name for name in variables if name not in pages] == []


def _source(path: Path) -> str:
    return path.read_text("utf-8")


def test_every_glossary_entry_has_a_source() -> None:
    """Each term cites a source or is noted as Sapper's own."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (.*?) \|$", (DOCS / "glossary.md").read_text("utf-8"), re.M
    )
    assert len(rows) > 20
    assert all(source for _, _, source in rows)
    words = [word.lower() for word, _, _ in rows[2:]]
    assert words == sorted(words, key=lambda word: word.replace("3bv", "three"))
