"""Check that commits to the core or the solver end with ``Bench: SIGNATURE``.

The script looks at the commits since the last tag, or since this file was added if there is no tag,
and compares the newest signature with that of the installed package. Run it in a checkout with its
history: ``python .ci/check_bench_lines.py``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATHS = ("rust/core/src", "src/sapper/solver")
LINE = re.compile(r"^Bench: (\d+)$", re.M)


def git(*arguments: str) -> str:
    """Return the output of a git command."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def first_checked() -> str:
    """Return the commit after which messages are checked."""
    found = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--tags", "--abbrev=0"],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode == 0:
        return found.stdout.strip()
    added = git("log", "--diff-filter=A", "--format=%H", "--", ".ci/check_bench_lines.py")
    return added.splitlines()[-1] if added else "HEAD"


def commits(since: str) -> list[tuple[str, str]]:
    """Return the commits that touch the core or the solver, newest first, with their messages."""
    names = git("log", "--no-merges", "--format=%H", f"{since}..HEAD", "--", *PATHS).split()
    return [(name[:9], git("log", "-1", "--format=%B", name)) for name in names]


def problems(found: list[tuple[str, str]], signature: str) -> list[str]:
    """Return one problem per message that lacks the line, and one for an outdated signature."""
    lines = [
        f"{name} {message.splitlines()[0]!r} needs a line 'Bench: SIGNATURE'; see sapper bench"
        for name, message in found
        if not LINE.search(message)
    ]
    newest = next((LINE.findall(message) for _, message in found if LINE.search(message)), [])
    if newest and newest[-1] != signature:
        lines.append(
            f"the newest commit says 'Bench: {newest[-1]}', but the signature is {signature}"
        )
    return lines


def bench() -> str:
    """Return the signature of the installed package."""
    command = [sys.executable, "-m", "sapper", "bench", "--passes", "1", "--json"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout
    return re.search(r'"signature": *"?(\d+)', text)[1]  # type: ignore[index]


def main() -> int:
    """Print the problems, and return the exit status."""
    found = problems(commits(first_checked()), bench())
    print("\n".join(found) or "every commit to the core or the solver has its signature")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
