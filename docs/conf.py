"""Build the docs as a website: ``pip install '.[docs]' && sphinx-build -W docs target/site``."""

from sphinx.application import Sphinx

from sapper import __version__

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

# In docstrings, text in single backticks is code; attributes are described by the class.
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
    ):
        if page not in ("benchmarks", "changelog", "contributing"):
            source[0] = source[0].replace(f"]({path}", f"]({name}")


def setup(app: Sphinx) -> None:
    """Register the hook."""
    app.connect("source-read", _within_the_site)
