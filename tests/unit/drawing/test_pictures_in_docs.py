"""The pictures of positions in the docs are up to date."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.slow
def test_the_pictures_in_the_docs_are_current() -> None:
    """docs/images matches the output of ``python docs/pictures.py``."""
    script = [sys.executable, str(DOCS / "pictures.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
