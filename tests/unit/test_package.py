"""The names in `import sapper`, and its lazy imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sapper


def test_every_public_name_exists() -> None:
    """Some names are imported only when they are first used."""
    assert [name for name in sapper.__all__ if not hasattr(sapper, name)] == []
    assert sapper.review is sapper.coach.review


def test_unknown_name_is_reported() -> None:
    """An unknown name raises the usual error."""
    with pytest.raises(AttributeError, match="module 'sapper' has no attribute 'mines'"):
        sapper.mines  # noqa: B018


def test_dir_lists_the_public_names_and_modules_only() -> None:
    """[#35] `dir` listed imported helpers such as `TYPE_CHECKING`."""
    listed = dir(sapper)
    assert set(sapper.__all__) < set(listed)
    assert {"coach", "env", "lab", "solver", "vision"} < set(listed)
    assert {"Any", "Final", "TYPE_CHECKING", "load_plugins", "plugins"}.isdisjoint(listed)


def test_missing_extra_of_a_module_is_reported() -> None:
    """[#35] The attribute error gives the pip command, and `hasattr` returns False."""
    script = """
import sys
sys.modules["gymnasium"] = None
import sapper
print(hasattr(sapper, "env"))
try:
    sapper.env
except AttributeError as problem:
    print(problem)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    message = "sapper.env: Gymnasium is not installed: pip install '.[env]'"
    assert run.stdout == f"False\n{message}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_public_modules_need_no_separate_import() -> None:
    """[#17, #35] Some public modules were attributes only after they were imported."""
    names = sorted(sapper._MODULES)
    script = f"""
import os, sapper
for name in {names}:
    # Each in a process that has imported nothing else.
    if os.fork():
        os.wait()
        continue
    print(getattr(sapper, name).__name__, flush=True)
    os._exit(0)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [f"sapper.{name}" for name in names], run.stderr


def test_the_package_runs_as_the_program() -> None:
    """[#35] `python -m sapper` failed because the package was not executable."""
    command = [sys.executable, "-m", "sapper"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"sapper {sapper.__version__}\n"
    wrong = subprocess.run([*command, "frob"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "sapper: no such command 'frob'; see sapper --help\n"
