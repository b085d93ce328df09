"""Run Python files that are not part of a package: bots and plugins."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from sapper._util.foreign_errors import described, trace_of
from sapper._util.interrupt import is_interrupt
from sapper.errors import BadSetting

__all__ = ["run_file"]


def run_file(path: Path, prefix: str) -> ModuleType:
    """Run a file as if it were imported, and return its module, named PREFIX_STEM.

    Raises:
        BadSetting: If the file is not a Python file, or raises an exception.
    """
    # The prefix prevents a file called random.py from hiding another module.
    name = f"{prefix}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadSetting(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up their module by name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        del sys.modules[name]
        if is_interrupt(problem):
            raise
        refused = BadSetting(f"{str(path)!r} cannot be loaded: {described(problem)}")
        if trace := trace_of(problem):
            refused.add_note(trace)
        raise refused from problem
    return module
