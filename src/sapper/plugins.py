"""Plugins: installed packages and Python files that extend Sapper.

A plugin adds bots, rule sets, topologies, replay formats or themes.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from sapper import _startup
from sapper._util.foreign_errors import described
from sapper._util.interrupt import is_interrupt
from sapper._util.python_file import run_file
from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["GROUP", "VARIABLE", "load_plugins", "plugin_files", "plugin_packages"]

GROUP: Final = "sapper"
"""The entry point group in which packages name a module to import."""
VARIABLE: Final = "SAPPER_PLUGINS"
"""The environment variable that lists plugin files, separated as in PATH."""


def plugin_packages() -> list[EntryPoint]:
    """Return the entry points of installed plugins, sorted by name."""
    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def plugin_files() -> list[Path]:
    """Return the files that ``SAPPER_PLUGINS`` lists."""
    return [Path(file) for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def load_plugins() -> None:
    """Import installed plugins, then run the files that ``SAPPER_PLUGINS`` lists.

    Importing `sapper` calls this, including in worker processes.

    Raises:
        BadSetting: If a file does not exist, or a plugin cannot be loaded.
    """
    try:
        _load()
    except BadSetting as problem:
        if not _startup.IS_PROGRAM:
            raise
        # The program has not started yet, so it cannot report errors itself.
        sys.stderr.write(f"sapper: {problem}\n")
        sys.exit(2)


def _load() -> None:
    for entry in plugin_packages():
        _import(entry)
    for path in plugin_files():
        if not path.is_file():
            raise BadSetting(f"{VARIABLE} lists {shown(str(path), 200)}, which does not exist")
        run_file(path, "sapper_plugin")


def _import(entry: EntryPoint) -> None:
    try:
        entry.load()
    except BaseException as problem:
        if is_interrupt(problem):
            raise
        package = "an unknown package" if entry.dist is None else f"the package {entry.dist.name}"
        raise BadSetting(
            f"the plugin {shown(entry.name)} of {package} cannot be loaded: {described(problem)}"
        ) from problem
