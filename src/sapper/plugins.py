"""Plugins: installed packages and Python files that extend Sapper.

A plugin adds bots, rule sets, topologies, overlays, replay formats or themes. Plugins are loaded
when a registry is listed, or searched for a name that is not built in.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper import _startup
from sapper._util.foreign_errors import described
from sapper._util.interrupt import is_interrupt, watched
from sapper._util.python_file import run_file
from sapper._util.shortening import shown
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "GROUP",
    "VARIABLE",
    "LoadedPlugin",
    "load_plugins",
    "note_entry",
    "plugin_files",
    "plugin_packages",
]

GROUP: Final = "sapper"
"""The entry point group where packages name a module to import."""
VARIABLE: Final = "SAPPER_PLUGINS"
"""The environment variable that lists plugin files, separated as in PATH."""
_NONE: Final = "none"
"""The value of the variable that skips all plugins."""


class LoadedPlugin(NamedTuple):
    """A plugin and the result of loading it.

    Attributes:
        name: The module of an installed plugin, or the path of a file.
        problem: Why it was skipped; empty if it was loaded.
    """

    name: str
    problem: str = ""


def plugin_packages() -> list[EntryPoint]:
    """Return the entry points of installed plugins, sorted by name."""
    if os.environ.get(VARIABLE) == _NONE or not _may_be_installed():
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
    listed = os.environ.get(VARIABLE, "")
    return [] if listed == _NONE else [Path(file) for file in listed.split(os.pathsep) if file]


class _Plugins:
    """The plugins of this process, loaded at most once."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.is_loading = False
        self.loaded: tuple[LoadedPlugin, ...] | None = None
        self.entries: list[tuple[dict[str, Any], str]] = []
        """The entries of the plugin that is being loaded."""


_plugins = _Plugins()


def load_plugins() -> tuple[LoadedPlugin, ...]:
    """Import installed plugins and run the files in ``SAPPER_PLUGINS``, once per process.

    A plugin that cannot be loaded is skipped with a one-line warning.

    Returns:
        Every plugin with the result; nothing while plugins are being loaded by this thread.
    """
    if _plugins.loaded is not None:
        return _plugins.loaded
    with _plugins.lock:
        if _plugins.loaded is None and not _plugins.is_loading:
            _plugins.is_loading = True
            try:
                with watched():
                    done = tuple(_load(*each) for each in _found())
            finally:
                # After Ctrl-C, the next use loads all of them again.
                _plugins.is_loading = False
            _plugins.loaded = done
            for plugin in done:
                if plugin.problem:
                    _warn(plugin)
        return _plugins.loaded or ()


def _found() -> list[tuple[str, EntryPoint | Path]]:
    return [
        *((entry.value, entry) for entry in plugin_packages()),
        *((str(path), path) for path in plugin_files()),
    ]


def _load(name: str, plugin: EntryPoint | Path) -> LoadedPlugin:
    _plugins.entries.clear()
    try:
        _import(plugin)
    except BaseException as problem:
        # A plugin may also raise SystemExit or KeyboardInterrupt.
        if is_interrupt(problem):
            raise
        for registry, entry in _plugins.entries:
            registry.pop(entry, None)
        return LoadedPlugin(name, _described(plugin, problem))
    return LoadedPlugin(name)


def note_entry(registry: dict[str, Any], name: str) -> None:
    """Note a new entry of a registry, which is removed if its plugin cannot be loaded."""
    if _plugins.is_loading:
        _plugins.entries.append((registry, name))


def _import(plugin: EntryPoint | Path) -> None:
    if not isinstance(plugin, Path):
        plugin.load()
    elif not plugin.is_file():
        raise BadSetting(f"{VARIABLE} lists {shown(str(plugin), 200)}, which does not exist")
    else:
        run_file(plugin, "sapper_plugin")


def _described(plugin: EntryPoint | Path, problem: BaseException) -> str:
    if isinstance(plugin, Path):
        return str(problem) if isinstance(problem, BadSetting) else described(problem)
    package = "an unknown package" if plugin.dist is None else f"the package {plugin.dist.name}"
    name = shown(plugin.name)
    return f"the plugin {name} of {package} cannot be loaded: {described(problem)}"


def _warn(plugin: LoadedPlugin) -> None:
    parent = getattr(sys.modules.get("multiprocessing.process"), "parent_process", lambda: None)
    if parent() is not None:
        # The main process has warned already.
        return
    if _startup.IS_PROGRAM:
        sys.stderr.write(f"sapper: skipped a plugin: {plugin.problem}\n")
    else:
        warnings.warn(f"skipped a plugin: {plugin.problem}", RuntimeWarning, stacklevel=2)
