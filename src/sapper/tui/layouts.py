"""The letters of keyboards that are not Latin, by the key that they are on.

A terminal sends characters, not keys. A letter that stands on the key of a command on one of these
keyboards, such as ``т`` on the key N of a Russian one, runs the command. Source: the layouts of the
X keyboard database (xkeyboard-config) for Russian, Ukrainian, Greek, Hebrew and Arabic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["with_layouts"]

_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"
# A space marks a key that has no letter, or one whose letter is ambiguous.
_LAYOUTS: Final = (
    "йцукенгшщзфывапролдячсмить",
    "йцукенгшщзфівапролдячсмить",
    "  ερτυθιοπασδφγηξκλζχψωβνμ",
    "  קראטוןםפשדגכעיחלךזסבהנמצ",
    "ضصثقفغعهخحشسيبلاتنمئءؤر ىة",
)


def with_layouts(keys: str) -> str:
    """Return key names with the letters of other keyboards, and with Shift and Caps Lock.

    >>> with_layouts("escape,q")
    'escape,q,Q,й,Й,ض'

    Args:
        keys: Names of keys as in a `textual.binding.Binding`, with lower-case letters.
    """
    return ",".join(dict.fromkeys(key for name in keys.split(",") for key in _same(name)))


def _same(name: str) -> Iterator[str]:
    yield name
    if name in _LATIN:
        at = _LATIN.index(name)
        for letter in (name, *(layout[at] for layout in _LAYOUTS)):
            if letter != " ":
                yield from (letter, letter.upper())
