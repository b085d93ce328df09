"""Describe errors in code outside Sapper, such as bots, with their location and cause.

Such code is unpredictable: its exceptions need not be subclasses of `Exception`, and formatting its
exceptions or values may raise.
"""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from sapper._util.shortening import shortened
from sapper.errors import SapperError

__all__ = ["defined_at", "described", "said", "trace_of"]

_PACKAGE: Final = str(Path(__file__).resolve().parents[1]) + os.sep
_HELPERS: Final = str(Path(__file__).resolve().parent) + os.sep
_STANDARD: Final = os.path.dirname(os.__file__) + os.sep
_MAX_LENGTH: Final = 200
"""Maximum length of an exception's text in characters."""
_FRAMES: Final = 12
"""Maximum number of frames of a traceback: one third from the start, the rest from the end."""

_CAUSES: Final = 5
"""Maximum number of chained errors."""


def described(problem: BaseException, what: str = "") -> str:
    """Return the location and description of an error: ``mine.py:31 in choose: KeyError: 3``.

    The location is the innermost line in the first file outside Sapper; a file outside the working
    directory is named without its folder.

    Args:
        problem: The error.
        what: Description of the error (default: its type and text, or only the text for Sapper's
            errors).
    """
    frames = list(_frames(problem.__traceback__))
    if not frames:
        return what or (_text(problem) if isinstance(problem, SapperError) else said(problem))
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    place = f"{_name(own[-1].filename)}:{own[-1].lineno} in {own[-1].name}"
    return f"{place}: {what or said(problem)}"


def defined_at(thing: object, method: str) -> str:
    """Return a method's location, as in ``mine.py:12 in choose``; empty if unknown."""
    with suppress(Exception):
        function = getattr(thing, method)
        code = inspect.unwrap(getattr(function, "__func__", function)).__code__
        return f"{_name(code.co_filename)}:{code.co_firstlineno} in {method}"
    return ""


def trace_of(problem: BaseException, what: str = "") -> str:
    """Return the lines outside Sapper that led to an error, with their locations.

    Causes come first. Paths of files in the working directory are relative.

    Args:
        problem: The error.
        what: Description of the error (default: its type and text).
    """
    if not any(_frames(problem.__traceback__)):
        return ""
    parts: list[str] = []
    seen: set[int] = set()
    error: BaseException | None = problem
    while error is not None and id(error) not in seen and len(seen) < _CAUSES:
        last = what if error is problem and what else said(error)
        parts.insert(0, "\n".join([*_lines(error), last]))
        seen.add(id(error))
        hidden = error.__suppress_context__
        error = error.__cause__ or (None if hidden else error.__context__)
    return "\nThen:\n".join(parts)


def _lines(error: BaseException) -> Iterator[str]:
    frames = list(_frames(error.__traceback__))
    left_out = max(0, len(frames) - _FRAMES)
    first = _FRAMES // 3
    for number, frame in enumerate(frames):
        if left_out and number == first:
            yield f"... {left_out} more calls"
        if first <= number < first + left_out:
            continue
        yield f"{_path(frame.filename)}:{frame.lineno}: in {frame.name}"
        if frame.line:
            yield f"    {frame.line}"


def _frames(trace: TracebackType | None) -> Iterator[traceback.FrameSummary]:
    """Yield the frames, starting with the first one outside Sapper and the standard library."""
    frames = traceback.extract_tb(trace)
    # When a time limit is exceeded, the last frame is in Sapper.
    while frames and frames[-1].filename.startswith(_HELPERS):
        frames.pop()
    outside = (n for n, frame in enumerate(frames) if not _is_library(frame.filename))
    first = next(outside, None)
    if first is not None:
        yield from frames[first:]


def _is_library(file: str) -> bool:
    if file.startswith((_PACKAGE, "<frozen ")):
        return True
    return file.startswith(_STANDARD) and "site-packages" not in file


def said(problem: BaseException) -> str:
    """Return the type and the text of an error."""
    text = _text(problem)
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


def _text(problem: BaseException) -> str:
    """Return the first line of an exception's text."""
    try:
        text = str(problem)
    except BaseException as other:
        return f"its text cannot be shown ({type(other).__name__} in __str__)"
    # Surrogates cannot be encoded, and control characters would affect a terminal.
    line = "".join(char if char.isprintable() else "?" for char in (text.splitlines() or [""])[0])
    return shortened(line, _MAX_LENGTH)


def _path(file: str) -> str:
    """Return a path, made relative if the file is in the working directory."""
    with suppress(OSError, ValueError):
        relative = os.path.relpath(file)
        return file if relative.startswith(os.pardir) else relative
    return file


def _name(file: str) -> str:
    path = _path(file)
    return os.path.basename(path) if os.path.isabs(path) else path
