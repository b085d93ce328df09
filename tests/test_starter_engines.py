"""The engines in examples/engines: each passes the conformance checker."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.engine import check_engine, checking

_FOLDER = Path(__file__).parents[1] / "examples" / "engines"
_BUILDS = {
    "engine.c": ["gcc", "-O1", "-Wall", "-Werror", "-o"],
    "engine.go": ["go", "build", "-o"],
    "engine.rs": ["rustc", "-o"],
}
_COMMANDS = {"engine.js": ["node"], "engine.py": [sys.executable]}
_LANGUAGES = [
    *(name for name, build in _BUILDS.items() if shutil.which(build[0])),
    *(name for name, command in _COMMANDS.items() if shutil.which(command[0])),
]
"""Those whose compiler or interpreter is installed."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in ("engine.go", "engine.rs")))
        for name in _LANGUAGES
    ],
)
def test_a_starter_passes_every_check(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each starter conforms to the protocol, and wins games."""
    monkeypatch.setattr(checking, "_END_S", 300.0)
    file = str(_FOLDER / name)
    command = [*_COMMANDS.get(name, []), file]
    if name in _BUILDS:
        # gcc alone, without the C library's files, cannot build programs, and rustc needs it.
        if name != "engine.go" and not _links(tmp_path):
            pytest.skip("no C compiler that can link; run apt install gcc libc6-dev")
        command = [str(tmp_path / "engine")]
        subprocess.run([*_BUILDS[name], *command, file], check=True)
    results = list(check_engine(shlex.join(command), games=20, seconds=300))
    assert [result for result in results if result.passed is False] == []
    assert len((_FOLDER / name).read_text("utf-8").splitlines()) < 60
    [games] = [result.reason for result in results if result.name == "plays whole games"]
    assert int(games.split()[0]) >= 8


def _links(folder: Path) -> bool:
    source = folder / "main.c"
    source.write_text('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
    command = ["cc", str(source), "-o", str(folder / "main")]
    with contextlib.suppress(OSError):
        return subprocess.run(command, capture_output=True).returncode == 0
    return False
