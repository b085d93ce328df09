"""Shorten values and strings in messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from reprlib import Repr
from typing import Final

__all__ = ["first_line", "joined", "shortened", "shown"]

_MOST: Final = 80
"""Default maximum number of characters of a value in a message."""
_ELLIPSIS: Final = "…"

_repr = Repr()
_repr.maxlist = _repr.maxtuple = _repr.maxset = _repr.maxfrozenset = _repr.maxdict = 4
_repr.maxarray = _repr.maxdeque = 4
_repr.maxstring = _repr.maxlong = 40
_repr.maxother = 1000
_repr.fillvalue = _ELLIPSIS


def shown(value: object, most: int = _MOST) -> str:
    """Return the repr of a value on one line, shortened, or its type if its repr fails.

    >>> print(shown(None), shown("ab"), shown([1] * 100))
    None 'ab' [1, 1, 1, 1, …]
    >>> print(shown("the quick brown fox jumps over the lazy dog", most=30))
    'the quick brown fox jumps…'
    """
    try:
        if isinstance(value, (str, bytes)):
            # The repr adds quotes, so a value that is cut here is cut again below.
            written = repr(value[:most])
        else:
            written = " ".join(_repr.repr(value).split())
    except BaseException:
        written = f"<{type(value).__name__} object>"
    if len(written) <= most:
        return written
    quote = written[-1] if isinstance(value, (str, bytes)) else ""
    return f"{shortened(written, most - len(quote))}{quote}"


def shortened(text: str, most: int = _MOST) -> str:
    """Cut a string to at most `most` characters, between words if possible, with an ellipsis.

    >>> print(shortened("the quick brown fox jumps over the lazy dog", 20))
    the quick brown fox…
    >>> print(shortened("a" * 50, 10))
    aaaaaaaaa…
    """
    if len(text) <= most:
        return text
    start = text[: most - 1]
    words = start if text[most - 1].isspace() else start.rpartition(" ")[0]
    return f"{(words if 2 * len(words) >= most else start).rstrip(' ,;:')}{_ELLIPSIS}"


def joined(values: Iterable[object], most: int = 4) -> str:
    """Return the first values, separated by commas, and an ellipsis if there are more.

    >>> joined([(0, 1), (2, 3)])
    '(0, 1), (2, 3)'
    >>> print(joined(range(9)))
    0, 1, 2, 3, …
    """
    first = [str(value) for value in islice(values, most + 1)]
    return ", ".join([*first[:most], _ELLIPSIS] if first[most:] else first)


def first_line(problem: object, most: int = 200) -> str:
    """Return the first line of an error's text, or its type if it has none.

    >>> first_line(ValueError("no end of line")), first_line(KeyError())
    ('no end of line', 'KeyError')
    """
    lines = str(problem).strip().splitlines()
    return shortened(lines[0], most) if lines else type(problem).__name__
