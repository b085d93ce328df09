"""What `import sapper` gives, and what it leaves for later."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sapper


def test_every_public_name_is_there() -> None:
    """Also those that are imported when they are first used."""
    assert [name for name in sapper.__all__ if not hasattr(sapper, name)] == []
    assert sapper.review is sapper.coach.review


def test_a_name_that_is_not_there_is_named() -> None:
    """By the usual error."""
    with pytest.raises(AttributeError, match="module 'sapper' has no attribute 'mines'"):
        sapper.mines  # noqa: B018


def test_reviews_and_replays_are_imported_when_used() -> None:
    """So that bots and commands start quickly."""
    script = "import sapper, sys; print({'sapper.coach', 'sapper.replay'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_a_public_module_needs_no_import_of_its_own() -> None:
    """[#17] `sapper.history` and `sapper.lab` were there only after an import of them."""
    script = "import sapper; print(sapper.history.History.__name__, sapper.lab.run.__name__)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "History run\n"
