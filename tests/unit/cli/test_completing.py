"""Shell completion of commands, options and values."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.cli import shell_completion
from sapper.dealer import RULES
from sapper.overlays import OVERLAYS
from sapper.rules import LEVELS
from sapper.solver.bots import bots
from sapper.topology import TOPOLOGIES
from support.marks import slow
from support.program import PROGRAM, sapper

Complete = Callable[[str], list[str]]


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Request completions in this process, as bash would."""

    def completions(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_SAPPER_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        done = sapper()
        assert (done.code, done.err) == (0, "")
        return done.out.split()

    return completions


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("sapper la", ["lab"]),
        ("sapper lab cal", ["calibrate"]),
        ("sapper lab run --bot-s", ["--bot-seconds"]),
        ("sapper lab run --bot ", list(bots)),
        ("sapper lab run --bot sw", ["swift"]),
        ("sapper lab replay --bot ch", ["champion"]),
        ("sapper lab compare exact o", ["optimal"]),
        ("sapper lab calibrate ch", ["champion"]),
        ("sapper lab sweep --rules k", ["kaboom", "kind"]),
        ("sapper lab run --level ", list(LEVELS)),
        ("sapper lab run --rules ", list(RULES)),
        ("sapper lab run --topology ", list(TOPOLOGIES)),
        ("sapper lab run --first-click ", ["any", "safe", "opening"]),
        ("sapper lab reproduce f", ["fair"]),
        ("sapper lab report ", []),
        ("sapper analyze --overlay ", list(OVERLAYS)),
        ("sapper generate --method ", ["uniform", "fast"]),
        ("sapper generate --level e", ["expert"]),
        ("sapper tui --language p", ["pl"]),
        ("sapper tui --theme d", ["dark"]),
        ("sapper tui --bot gr", ["grandmaster", "groups"]),
        ("sapper train --focus t", ["two", "total"]),
        ("sapper history list --level b", ["beginner"]),
        ("sapper replay convert --to ", ["json", "rawvf", "evf"]),
        ("sapper bot --theme km", ["kmines"]),
    ],
)
def test_names_are_completed(complete: Complete, line: str, names: list[str]) -> None:
    """Commands, options and fixed values are completed; paths are left to the shell."""
    assert complete(line) == names


SCRIPT = """
eval "$(_SAPPER_COMPLETE=source_bash sapper)"
complete -p sapper
for line in "$@"; do
    read -ra COMP_WORDS <<< "$line"
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    _sapper_completion sapper
    echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.slow
def test_bash_completes(tmp_path: Path) -> None:
    """The script's function stores the names in COMPREPLY."""
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", SCRIPT, "bash", "sapper his", "sapper lab compare exact sw"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path, "HOME": str(tmp_path)},
    )
    assert done.stdout.splitlines() == [
        "complete -o default -F _sapper_completion sapper", "history", "swift"
    ]  # fmt: skip
    assert done.stderr == ""


@pytest.mark.parametrize("shell", ["zsh", "fish", slow("powershell")])
def test_other_shells_are_completed(monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    """Each shell gets completions in its own format."""
    monkeypatch.setenv("_SAPPER_COMPLETE", f"source_{shell}")
    assert "sapper" in sapper().out
    monkeypatch.setenv("_SAPPER_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "sapper lab rep")
    monkeypatch.setenv("_TYPER_COMPLETE_WORD_TO_COMPLETE", "rep")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    done = sapper()
    assert done.code == 0
    assert "report" in done.out
    assert "reproduce" in done.out
    if shell == "fish":
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "is-args")
        assert sapper().code == 0
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "sapper lab report runs")
        # In this case, the shell completes file names.
        assert sapper().code == 1


@pytest.mark.parametrize(
    ("shell", "script", "settings", "lines"),
    [
        ("bash", ".bash_completions/sapper.sh", ".bashrc", 2),
        ("zsh", ".zfunc/_sapper", ".zshrc", 3),
        ("fish", ".config/fish/completions/sapper.fish", None, 0),
    ],
)
def test_completion_is_installed_once(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shell: str,
    script: str,
    settings: str | None,
    lines: int,
) -> None:
    """The script is written, and the shell's settings load it; a second time changes nothing."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(shell_completion, "current_shell", lambda: shell)
    if settings is not None:
        (tmp_path / settings).write_text("alias ll='ls -l'", "utf-8")
    for _ in range(2):
        done = sapper("--install-completion")
        assert (done.code, done.err) == (0, "")
        assert str(tmp_path / script) in done.out
        assert (tmp_path / script).read_text("utf-8") == sapper("--show-completion").out
        if settings is not None:
            kept = (tmp_path / settings).read_text("utf-8").splitlines()
            assert kept[0] == "alias ll='ls -l'"
            assert len(kept) == len(set(kept)) == lines


def test_an_unknown_shell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message lists the shells that are supported."""
    monkeypatch.setattr(shell_completion, "current_shell", lambda: "tcsh")
    for option in ("--install-completion", "--show-completion"):
        done = sapper(option)
        assert done.code == 2
        assert "must be bash, zsh, fish, powershell or pwsh" in done.err
        assert "tcsh" in done.err
    monkeypatch.setenv("_SAPPER_COMPLETE", "complete_tcsh")
    assert sapper().code == 2
