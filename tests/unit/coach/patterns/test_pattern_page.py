"""The library in the docs is up to date."""

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[4] / "docs"


def test_the_library_in_the_docs_is_current() -> None:
    """docs/patterns.md matches the output of ``python docs/patterns_reference.py``."""
    script = [sys.executable, str(DOCS / "patterns_reference.py"), "--check"]
    assert subprocess.run(script, capture_output=True, text=True, check=False).stdout == ""
