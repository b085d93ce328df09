"""Shell completion: the scripts that shells load, their installation, and the answers to them.

Scripts that earlier versions installed still work, so the names of variables are fixed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from sapper._util.names import either
from sapper.cli.exit_status import ExitStatus
from sapper.errors import BadSetting

__all__ = ["VARIABLE", "answer", "current_shell", "install", "script"]

VARIABLE: Final = "_SAPPER_COMPLETE"
"""The environment variable in which a shell says what it asks for."""

_BASH: Final = """\
_sapper_completion() {
    local IFS=$'\\n'
    COMPREPLY=( $( env COMP_WORDS="${COMP_WORDS[*]}" \\
                   COMP_CWORD=$COMP_CWORD \\
                   _SAPPER_COMPLETE=complete_bash $1 ) )
    return 0
}

complete -o default -F _sapper_completion sapper
"""
_ZSH: Final = """\
#compdef sapper

_sapper_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _SAPPER_COMPLETE=complete_zsh sapper)
}

compdef _sapper_completion sapper
"""
_FISH_CALL: Final = (
    "env _SAPPER_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION={} "
    "_TYPER_COMPLETE_ARGS=(commandline -cp) sapper"
)
_FISH: Final = (
    f'complete --command sapper --no-files --arguments "({_FISH_CALL.format("get-args")})" '
    f'--condition "{_FISH_CALL.format("is-args")}"\n'
)
_POWERSHELL: Final = """\
Import-Module PSReadLine
Set-PSReadLineKeyHandler -Chord Tab -Function MenuComplete
$scriptblock = {
    param($wordToComplete, $commandAst, $cursorPosition)
    $Env:_SAPPER_COMPLETE = "complete_powershell"
    $Env:_TYPER_COMPLETE_ARGS = $commandAst.ToString()
    $Env:_TYPER_COMPLETE_WORD_TO_COMPLETE = $wordToComplete
    sapper | ForEach-Object {
        $parts = $_ -Split ":::"
        [System.Management.Automation.CompletionResult]::new(
            $parts[0], $parts[0], 'ParameterValue', $parts[1])
    }
    $Env:_SAPPER_COMPLETE = ""
    $Env:_TYPER_COMPLETE_ARGS = ""
    $Env:_TYPER_COMPLETE_WORD_TO_COMPLETE = ""
}
Register-ArgumentCompleter -Native -CommandName sapper -ScriptBlock $scriptblock
"""
_SCRIPTS: Final = {
    "bash": _BASH,
    "zsh": _ZSH,
    "fish": _FISH,
    "powershell": _POWERSHELL,
    "pwsh": _POWERSHELL,
}

_ZSH_LINES: Final = ("fpath+=~/.zfunc; autoload -Uz compinit; compinit",)
_ZSH_STYLE: Final = "zstyle ':completion:*' menu select"


def script(shell: str) -> str:
    """Return the script that a shell loads.

    Raises:
        BadSetting: If the shell is not supported.
    """
    if shell not in _SCRIPTS:
        names = either(list(_SCRIPTS))
        raise BadSetting(f"the shell must be {names} for completion, got {shell or 'none'}")
    return _SCRIPTS[shell]


def current_shell() -> str:
    """Return the name of the shell that runs the program, or an empty string."""
    import shellingham

    try:
        return str(shellingham.detect_shell()[0])
    except shellingham.ShellDetectionFailure:
        return ""


def install(shell: str) -> Path:
    """Let a shell load its script, and return the file with the script.

    Raises:
        BadSetting: If the shell is not supported, or PowerShell does not name its profile.
    """
    text = script(shell)
    home = Path.home()
    if shell in ("powershell", "pwsh"):
        return _install_powershell(shell, text)
    if shell == "bash":
        file = home / ".bash_completions/sapper.sh"
        _add_lines(home / ".bashrc", f"source '{file}'")
    elif shell == "zsh":
        file = home / ".zfunc/_sapper"
        _add_lines(home / ".zshrc", *_ZSH_LINES)
        if "zstyle" not in (home / ".zshrc").read_text("utf-8"):
            _add_lines(home / ".zshrc", _ZSH_STYLE)
    else:
        file = home / ".config/fish/completions/sapper.fish"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def _add_lines(file: Path, *lines: str) -> None:
    """Append those of the lines that the file does not contain."""
    text = file.read_text("utf-8") if file.is_file() else ""
    for line in lines:
        if line not in text.splitlines():
            text += f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    file.write_text(text, "utf-8")


def _install_powershell(shell: str, text: str) -> Path:
    # Otherwise Windows does not run a profile.
    allow = "Set-ExecutionPolicy RemoteSigned -Scope CurrentUser"
    subprocess.run([shell, "-NoProfile", "-Command", allow], capture_output=True, check=False)
    asked = [shell, "-NoProfile", "-Command", "echo $profile"]
    done = subprocess.run(asked, capture_output=True, check=False)
    name = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode or not name:
        raise BadSetting(f"{shell} does not name its profile")
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    known = file.read_text("utf-8") if file.is_file() else ""
    if text not in known:
        file.write_text(f"{known}{text}", "utf-8")
    return file


def answer(program: click.Command, instruction: str) -> int:
    """Answer a request of a shell, such as ``complete_bash``, and return the exit status."""
    action, _, shell = instruction.partition("_")
    if action == "source":
        print(script(shell), end="")
        return ExitStatus.DONE
    script(shell)
    return _ANSWERS[shell](program)


def _found(program: click.Command, words: list[str], incomplete: str) -> list[CompletionItem]:
    """Return the completions of a word after others; file names are left to the shell."""
    found = ShellComplete(program, {}, "sapper", VARIABLE).get_completions(words, incomplete)
    return [one for one in found if one.type == "plain"]


def _split(line: str) -> tuple[list[str], str]:
    """Return the words of a command line after the program, and the incomplete last one."""
    words = split_arg_string(line)[1:]
    return (words[:-1], words[-1]) if words and not line.endswith(" ") else (words, "")


def _answer_bash(program: click.Command) -> int:
    words = split_arg_string(os.environ["COMP_WORDS"])
    at = int(os.environ["COMP_CWORD"])
    incomplete = words[at] if at < len(words) else ""
    print(*(one.value for one in _found(program, words[1:at], incomplete)), sep="\n")
    return ExitStatus.DONE


def _answer_zsh(program: click.Command) -> int:
    def quoted(text: str) -> str:
        for char, replaced in {'"': '""', "'": "''", "$": "\\$", "`": "\\`", ":": "\\\\:"}.items():
            text = text.replace(char, replaced)
        return f'"{text}"'

    found = _found(program, *_split(os.environ.get("_TYPER_COMPLETE_ARGS", "")))
    items = "\n".join(":".join(map(quoted, filter(None, (one.value, one.help)))) for one in found)
    print(f"_arguments '*: :(({items}))'" if items else "_files")
    return ExitStatus.DONE


def _answer_fish(program: click.Command) -> int:
    found = _found(program, *_split(os.environ.get("_TYPER_COMPLETE_ARGS", "")))
    if os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        # With 1, fish completes file names.
        return ExitStatus.DONE if found else ExitStatus.NEGATIVE
    for one in found:
        print("\t".join(filter(None, (one.value, " ".join((one.help or "").split())))))
    return ExitStatus.DONE


def _answer_powershell(program: click.Command) -> int:
    words = split_arg_string(os.environ.get("_TYPER_COMPLETE_ARGS", ""))[1:]
    incomplete = os.environ.get("_TYPER_COMPLETE_WORD_TO_COMPLETE", "")
    for one in _found(program, words[:-1] if incomplete else words, incomplete):
        print(f"{one.value}:::{one.help or ' '}")
    return ExitStatus.DONE


_ANSWERS: Final[dict[str, Callable[[click.Command], int]]] = {
    "bash": _answer_bash,
    "zsh": _answer_zsh,
    "fish": _answer_fish,
    "powershell": _answer_powershell,
    "pwsh": _answer_powershell,
}
