"""Load bots from files: ``my_bot.py:MyBot``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from sapper._util.python_file import run_file
from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["load"]


def load(spec: str) -> Callable[..., Any]:
    """Return the class or function given as ``FILE.py:NAME``.

    The file is executed as if imported, so only load files that you trust.

    Raises:
        BadSetting: If the file does not exist, cannot be run, or does not define the bot.
    """
    file, colon, name = spec.rpartition(":")
    if not colon or not file or not name:
        raise BadSetting(f"a bot in a file must be given as FILE.py:NAME, got {shown(spec)}")
    path = Path(file)
    if not path.is_file():
        raise BadSetting(f"cannot load bot {name!r}: no file {file!r}")
    module = run_file(path, "sapper_bot")
    made = getattr(module, name, None)
    if made is None:
        names = ", ".join(_classes(module)) or "none"
        raise BadSetting(f"{file!r} has no bot {name!r}; its classes: {names}")
    if not callable(made):
        raise BadSetting(f"{name!r} in {file!r} is not a class or function that returns a bot")
    if inspect.isclass(made) and not callable(getattr(made, "choose", None)):
        raise BadSetting(f"{name!r} in {file!r} is not a bot: it has no method choose(position)")
    return made  # type: ignore[no-any-return]


def _classes(module: ModuleType) -> list[str]:
    return [
        name
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and thing.__module__ == module.__name__
    ]
