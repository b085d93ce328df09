"""Player names: which are allowed, and which look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

from sapper.server.accounts.errors import BadName, not_installed
from sapper.translation import t

__all__ = ["LONGEST", "RESERVED", "SHORTEST", "Name"]

SHORTEST: Final = 2
LONGEST: Final = 20

RESERVED: Final = (
    *("admin", "administrator", "anonymous", "bot", "deleted", "everyone", "guest", "help"),
    *("me", "mod", "moderator", "nobody", "null", "official", "operator", "owner", "player"),
    *("root", "sapper", "security", "server", "staff", "support", "system", "team", "undefined"),
    *("unknown", "you"),
)
"""Words that are not names, because they could be taken for the operator or for nobody."""

_SEPARATORS: Final = " -_.'"
_BLANK: Final = "\u115f\u1160\u3164\uffa0"
"""Letters that are invisible."""
_MOST_MARKS: Final = 3
"""Marks that may follow one another, enough for all scripts."""
_ANY_SCRIPT: Final = {"COMMON", "INHERITED"}
_TOGETHER: Final = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that one name may mix: Unicode's restriction level "highly restrictive" (UTS 39)."""


class Name(NamedTuple):
    """An allowed name.

    Attributes:
        shown: The name as people read it, in normalization form NFKC.
        looks: The appearance of the name and of its lower-case form. Names that share one of them
            look alike, so only one account may have them.
    """

    shown: str
    looks: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        """Check a name.

        Raises:
            BadName: If the name is not allowed.
            MissingExtra: If the table of confusable characters is not installed.
        """
        shown = unicodedata.normalize("NFKC", text).strip()
        if not SHORTEST <= len(shown) <= LONGEST:
            raise BadName(
                t("a name must have {least} to {most} characters", least=SHORTEST, most=LONGEST)
            )
        _check_characters(shown)
        _check_scripts(shown)
        looks = frozenset(_looks(shown))
        bare = "".join(char for char in shown if char not in _SEPARATORS)
        if not _reserved_looks().isdisjoint(_looks(bare)):
            raise BadName(t("this name is reserved"))
        return cls(shown, looks)


def _check_characters(name: str) -> None:
    parts = [char in _SEPARATORS for char in name]
    crowded = any(one and other for one, other in pairwise(parts))
    if parts[0] or parts[-1] or crowded or not all(map(_is_allowed, name)):
        raise BadName(
            t(
                "a name consists of letters and digits; a space, hyphen, underscore, period or "
                "apostrophe is allowed between two of them"
            )
        )
    if not any(unicodedata.category(char).startswith("L") for char in name):
        raise BadName(t("a name needs at least one letter"))
    zeros = {ord(char) - unicodedata.decimal(char) for char in name if char.isdecimal()}
    if len(zeros) > 1 or _longest_marks(name) > _MOST_MARKS:
        raise _mixed()


def _is_allowed(char: str) -> bool:
    kind = unicodedata.category(char)
    return char in _SEPARATORS or ((kind[0] in "LM" or kind == "Nd") and char not in _BLANK)


def _longest_marks(name: str) -> int:
    longest = run = 0
    for char in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.category(char).startswith("M") else 0
        longest = max(longest, run)
    return longest


def _check_scripts(name: str) -> None:
    scripts = {_tables().script(char) for char in name} - _ANY_SCRIPT
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in _TOGETHER):
        raise _mixed()


def _mixed() -> BadName:
    return BadName(t("a name must use letters from a single script, such as Latin or Cyrillic"))


def _looks(name: str) -> Iterator[str]:
    """Yield the appearance of a name and of its lower-case form.

    Both count: I and l look alike in the name itself, Η and Н in lower case.
    """
    yield _folded(_skeleton(name))
    yield _folded(_skeleton(_folded(name)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _skeleton(text: str) -> str:
    """Return the skeleton of a string (UTS 39): equal for strings that look alike."""
    prototypes = _tables().prototypes
    parts = (prototypes.get(char, char) for char in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(parts))


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(look for word in RESERVED for look in _looks(word))


class _Tables:
    """Unicode's tables of scripts and confusable characters."""

    def __init__(self) -> None:
        try:
            from confusable_homoglyphs import categories, confusables
        except ImportError:
            raise not_installed() from None
        self._script = categories.alias
        self.prototypes: Final = dict(_prototypes(confusables.confusables_data))

    def script(self, char: str) -> str:
        """Return the name of a character's script."""
        return str(self._script(char))


@cache
def _tables() -> _Tables:
    return _Tables()


def _prototypes(data: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, str]]:
    """Yield each confusable character with the string that stands for its look-alikes.

    The package lists pairs in both directions. Such a string is paired with several characters,
    each of which is paired only with that string.
    """
    others = {char: [str(other["c"]) for other in found] for char, found in data.items()}
    for char, found in others.items():
        single = char.strip("\u200e")
        if len(single) != 1 or len(found) != 1:
            continue
        [other] = found
        if len(others.get(other, ())) > 1 or other < char:
            yield single, other.strip("\u200e")
