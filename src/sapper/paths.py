"""The folders where Sapper stores its files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["GAMES_FILE", "LOCK_FILE", "state_dir"]

GAMES_FILE: Final = "play.sqlite3"
"""The name of the saved games file."""
LOCK_FILE: Final = "play.lock"
"""The name of the file that a server locks, in the same folder."""


def state_dir() -> Path:
    """Return the directory for saved games, following the conventions of the platform.

    ``SAPPER_HOME`` overrides it. The folder may not exist yet.
    """
    if home := os.environ.get("SAPPER_HOME"):
        return Path(home)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "Sapper"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sapper"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "sapper"
