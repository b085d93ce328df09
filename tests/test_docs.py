"""The docs keep up: every public name and command has an entry, and links lead somewhere."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import sapper
from sapper import errors
from sapper.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("[bd]*/**/*.md"))]


def test_every_public_name_has_an_entry_with_an_example() -> None:
    """docs/api.md names it in a list, and an example there uses it."""
    page = (DOCS / "api.md").read_text("utf-8")
    names = {*sapper.__all__, *errors.__all__} - {"__version__"}
    assert [name for name in names if not re.search(rf"^- .*`{name}`", page, re.M)] == []
    example = r"^(>>>|\.\.\.) .*sapper\.{}\b"
    assert [name for name in names if not re.search(example.format(name), page, re.M)] == []


def _dotted_names() -> set[str]:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    # A name that goes on is a file, such as sapper.toml, or a web address.
    return set(re.findall(r"(?<![\w./-])sapper(?:\.[A-Za-z_]\w*)+(?![\w/-])", text))


def test_every_dotted_name_resolves() -> None:
    """What the docs call sapper.something.name can be imported under that name."""
    for name in sorted(_dotted_names()):
        found: object = importlib.import_module("sapper")
        path = "sapper"
        for part in name.split(".")[1:]:
            path = f"{path}.{part}"
            is_module = not hasattr(found, part)
            found = importlib.import_module(path) if is_module else getattr(found, part)


@pytest.mark.parametrize("name", typer.main.get_command(app).commands)  # type: ignore[attr-defined]
def test_every_command_has_an_entry(name: str) -> None:
    """A command has its section in docs/cli.md."""
    assert f"## sapper {name}\n" in (DOCS / "cli.md").read_text("utf-8")


def test_the_command_line_reference_is_current() -> None:
    """docs/cli.md is what ``python docs/cli_reference.py`` writes."""
    script = [sys.executable, str(DOCS / "cli_reference.py"), "--print"]
    written = subprocess.run(script, capture_output=True, text=True, check=True, encoding="utf-8")
    assert written.stdout == (DOCS / "cli.md").read_text("utf-8")


def test_links_lead_somewhere() -> None:
    """A link or picture within the repository is there."""
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page} links to {target}"


def test_the_first_screen_of_the_readme_holds_the_two_lines() -> None:
    """How to play and how to test stand in the first 30 lines."""
    top = (ROOT / "README.md").read_text("utf-8").splitlines()[:30]
    assert "pip install . && sapper play" in top
    assert "pip install '.[test]' && pytest" in top


def test_every_glossary_entry_has_a_source() -> None:
    """A term without a source, or the mark that it is ours, does not go in."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (.*?) \|$", (DOCS / "glossary.md").read_text("utf-8"), re.M
    )
    assert len(rows) > 20
    assert all(source for _, _, source in rows)
    words = [word.lower() for word, _, _ in rows[2:]]
    assert words == sorted(words, key=lambda word: word.replace("3bv", "three"))
