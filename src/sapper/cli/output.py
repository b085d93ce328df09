"""Output of commands: JSON on standard output, and messages on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from io import TextIOWrapper
from typing import Any, Final

from sapper._util.shortening import shortened
from sapper.cli.exit_status import ExitStatus
from sapper.cli.terminal import InPlace
from sapper.errors import BadSetting, SapperError

__all__ = [
    "MOST_LISTED",
    "Complaints",
    "complain",
    "complain_of",
    "emit",
    "open_streams",
    "without_credentials",
]

MOST_LISTED: Final = 10
"""Maximum number of messages or names of one kind to print; the rest are only counted."""

_MAX_LENGTH: Final = 300
"""Maximum length of a message in characters."""
_CREDENTIALS: Final = re.compile(
    r"(:/+)\S*@|(password=)[^\s&]*"
    # If the host is missing, the password is in the port's place.
    r"|(:/+)[^\s/:@]+:(?!\d+(?:[/?\s;,'\")]|$))[^\s;,'\"]+"
)


def emit(obj: Any) -> None:
    """Print a JSON value on one line, and flush it so that pipes get it immediately."""
    InPlace.make_room()
    sys.stdout.write(json.dumps(obj, allow_nan=False) + "\n")
    sys.stdout.flush()


def complain(message: str) -> None:
    """Print a message as exactly one line of at most 300 characters on standard error.

    The user and the password in an address are left out.
    """
    line = without_credentials(f"sapper: {' '.join(message.split())}")
    InPlace.make_room()
    print(shortened(line, _MAX_LENGTH), file=sys.stderr)


def without_credentials(text: str) -> str:
    """Return a string without the users and passwords of the URLs in it."""
    return _CREDENTIALS.sub(_hide, text)


def _hide(found: re.Match[str]) -> str:
    return f"{found[1]}***@" if found[1] else f"{found[2] or found[3]}***"


def complain_of(problem: SapperError) -> None:
    """Print an error on standard error: one line, or more if it has notes.

    The traceback of a bot's error comes first, then a line for the error and one for each other
    note, such as the command that replays the game.
    """
    InPlace.make_room()
    notes = list(dict.fromkeys([getattr(problem, "trace", ""), *getattr(problem, "__notes__", [])]))
    for note in notes:
        if "\n" in note:
            print(note, file=sys.stderr)
    complain(str(problem))
    for note in notes:
        if note and "\n" not in note:
            print(f"sapper: {note}", file=sys.stderr)


class Complaints:
    """Messages of one kind, such as one per unreadable file.

    The first ten are printed immediately; `end` prints the number of others.
    """

    def __init__(self) -> None:
        self._count = 0

    def add(self, message: str) -> None:
        """Print a message like `complain` if it is one of the first ten."""
        self._count += 1
        if self._count <= MOST_LISTED:
            complain(message)

    def end(self, what: str) -> None:
        """Print how many messages were not printed, if any.

        Args:
            what: The kind of message, such as ``files cannot be read``.
        """
        if self._count > MOST_LISTED:
            complain(f"{self._count - MOST_LISTED:,} more {what}")


def open_streams() -> int:
    """Ensure that the standard streams are open and accept any text; return the exit status 0.

    Raises:
        BadSetting: If standard output is closed.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # A file opened later must not get the descriptor of a standard stream.
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the end)
    if sys.stdout is None:
        raise BadSetting("standard output is closed")
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        # Characters missing from the locale's encoding must not abort the command.
        sys.stdout.reconfigure(errors="replace")
    return ExitStatus.DONE
