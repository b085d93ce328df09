"""Plugins: installed packages and Python files that extend Sapper.

A plugin adds bots, rule sets, topologies, replay formats or themes.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sapper import _startup
from sapper._util.foreign_errors import described
from sapper._util.interrupt import is_interrupt
from sapper._util.python_file import run_file
from sapper._util.shortening import shown
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "VARIABLE", "load_plugins", "plugin_files", "plugin_packages"]

GROUP: Final = "sapper"
"""The entry point group where packages name a module to import."""
VARIABLE: Final = "SAPPER_PLUGINS"
"""The environment variable that lists plugin files, separated as in PATH."""


def plugin_packages() -> list[EntryPoint]:
    """Return the entry points of installed plugins, sorted by name."""
    if not _may_be_installed():
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _may_be_installed() -> bool:
    """Return whether a package may have an entry point in the group.

    `importlib.metadata` is slow to import and to search, so it is used only if a folder on
    `sys.path` mentions the group, or if there are packages elsewhere, such as in a zip file.
    """
    finders = [finder for finder in sys.meta_path if finder is not PathFinder]
    if any(hasattr(finder, "find_distributions") for finder in finders):
        return True
    return any(map(_names_group, sys.path))


def _names_group(folder: str) -> bool:
    try:
        names = os.listdir(folder or ".")
    except NotADirectoryError:
        return True
    except OSError:
        return False
    infos = (name for name in names if name.endswith((".dist-info", ".egg-info", "EGG-INFO")))
    return any(_lists_group(os.path.join(folder, name, "entry_points.txt")) for name in infos)


def _lists_group(file: str) -> bool:
    try:
        with open(file, "rb") as text:
            return f"[{GROUP}]".encode() in text.read()
    except OSError:
        return False


def plugin_files() -> list[Path]:
    """Return the files listed in ``SAPPER_PLUGINS``."""
    return [Path(file) for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def load_plugins() -> None:
    """Import installed plugins, then run the files listed in ``SAPPER_PLUGINS``.

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
