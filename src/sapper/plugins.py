"""Plugins: Python files that add bots, rule sets, shapes, replay formats and themes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from sapper import _startup
from sapper._util.python_file import run_file
from sapper.errors import BadSetting

__all__ = ["VARIABLE", "load_plugins", "plugin_files"]

VARIABLE: Final = "SAPPER_PLUGINS"
"""The environment variable that lists the files, separated as in PATH."""


def plugin_files() -> list[Path]:
    """Return the files that ``SAPPER_PLUGINS`` lists."""
    return [Path(file) for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def load_plugins() -> None:
    """Run the files that ``SAPPER_PLUGINS`` lists, in order.

    Importing `sapper` does this, in worker processes as well, since they inherit the variable.

    Raises:
        BadSetting: If a file does not exist, or cannot be run.
    """
    try:
        _load()
    except BadSetting as problem:
        if not _startup.IS_PROGRAM:
            raise
        # The program has not begun yet, so it cannot report errors itself.
        sys.stderr.write(f"sapper: {problem}\n")
        sys.exit(2)


def _load() -> None:
    for path in plugin_files():
        if not path.is_file():
            raise BadSetting(f"{VARIABLE} lists {str(path)!r:.200}, which does not exist")
        run_file(path, "sapper_plugin")
