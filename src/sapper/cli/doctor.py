"""`sapper doctor`: check which parts work on this machine."""

from __future__ import annotations

from typing import Annotated, Final

from sapper.cli.output import emit
from sapper.cli.signatures import Option

__all__ = ["EXAMPLE", "doctor"]

EXAMPLE = "sapper doctor --json"

_BROKEN: Final = 1


def doctor(
    full: Annotated[
        bool,
        Option(
            "--full",
            help="Also start the browsers, take screenshots and import every extra.",
        ),
    ] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Check the installation on this machine.

    Check Python, the engine, the plugins, the folder of saved games, the web app, its port, the
    browser, the terminal, the display, and every optional extra. Each problem is printed with a
    one-line fix. Parts that are present but were not tested, and checks that would show a window,
    are reported as "untried": `--full` tries them, which takes half a minute or more.

    Exit status: 0 if everything that Sapper needs works, even if an optional part is missing; 1
    otherwise.
    """
    # Imported here because loading every optional library takes seconds.
    from sapper.cli.checks import CheckState, checks

    done = []
    for check in checks(full=full):
        done.append(check)
        if not as_json:
            print(f"{check.state:8} {check.name:13} {check.result}", flush=True)
            if check.fix:
                print(f"{'':8} {'':13} fix: {check.fix}", flush=True)
    broken = [check.name for check in done if check.state is CheckState.BROKEN]
    missing = [check.name for check in done if check.state is CheckState.MISSING]
    untried = [check.name for check in done if check.state is CheckState.UNTRIED]
    if as_json:
        emit({"ok": not broken, "checks": [check.to_json() for check in done]})
    elif broken:
        print(f"\nSapper does not work here: {', '.join(broken)}.")
    elif missing or untried:
        lists = {"Optional and missing": missing, "Not tried": untried}
        rest = " ".join(f"{what}: {', '.join(names)}." for what, names in lists.items() if names)
        advice = "" if full else " sapper doctor --full tries everything."
        print(f"\nSapper works here. {rest}{advice}")
    else:
        print("\nEverything works here.")
    return _BROKEN if broken else 0
