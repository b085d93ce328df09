"""Build the docs as a website: ``pip install '.[docs]' && sphinx-build -W docs target/site``."""

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

from sapper import __version__
from sapper.server.session.game_settings import local_menu
from sapper.web import STATIC
from sapper.web.site import write_site

project = "Sapper"
copyright = "the Sapper authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
root_doc = "index"
html_theme = "furo"
html_title = f"Sapper {release}"
html_favicon = "../src/sapper/web/static/icon.svg"
html_copy_source = False

# The copy button leaves out prompts and output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Generate links to sections as GitHub does.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

# In docstrings, single backticks mark code, and a class's docstring describes its attributes.
default_role = "code"
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"


def _within_the_site(app: Sphinx, page: str, source: list[str]) -> None:
    """Redirect links to files above this folder to their pages on the site."""
    for path, name in (
        ("../benchmarks/README.md", "benchmarks.md"),
        ("../CHANGELOG.md", "changelog.md"),
        ("../CONTRIBUTING.md", "contributing.md"),
        ("../examples/engines/README.md", "engine-protocol.md"),
    ):
        if page not in ("benchmarks", "changelog", "contributing"):
            source[0] = source[0].replace(f"]({path}", f"]({name}")


_PICTURE = re.compile(r"!\[[^]]*\]\([^)]*\)<!-- board (.*?) -->")
"""A picture of a position, followed by the attributes of `<sapper-board>`."""


def _with_live_boards(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace pictures of positions by boards that can be played."""
    if app.builder.format == "html":
        source[0] = _PICTURE.sub(r"<sapper-board \1></sapper-board>", source[0])


def _add_board(app: Sphinx) -> None:
    """Add `<sapper-board>`, which shows positions on the pages."""
    engine = Path(app.outdir) / "_static" / "engine"
    shutil.copytree(STATIC / "engine", engine, dirs_exist_ok=True)


def _add_game(app: Sphinx, problem: Exception | None) -> None:
    """Write the game without a server, at ``try/``."""
    if problem is None and app.builder.format == "html":
        write_site(Path(app.outdir) / "try", local_menu())


def setup(app: Sphinx) -> None:
    """Register the hooks."""
    app.connect("source-read", _within_the_site)
    app.connect("source-read", _with_live_boards)
    app.connect("builder-inited", _add_board)
    app.connect("build-finished", _add_game)
    app.add_js_file("engine/sapper-board.js", type="module")
