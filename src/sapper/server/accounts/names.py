"""Player names: which are allowed, and which look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

from sapper.community.nicknames import ANIMALS, COLOURS, FORM, words_of
from sapper.server.accounts.errors import BadName, not_installed
from sapper.translation import LANGUAGES, t
from sapper.translation.catalogues import catalogue

__all__ = ["LONGEST", "RESERVED", "RESERVED_PARTS", "SHORTEST", "Name"]

SHORTEST: Final = 2
LONGEST: Final = 20

RESERVED: Final = (
    *("everyone", "help", "me", "nobody", "null", "owner", "player", "root", "security", "server"),
    *("team", "undefined", "unknown", "you"),
)
"""Words that cannot be names, because they would not look like a person's name."""

RESERVED_PARTS: Final = (
    *("admin", "administrator", "anonymous", "bot", "deleted", "guest", "mod", "moderator"),
    *("official", "operator", "sapper", "staff", "support", "system"),
    # The same in the other languages of the pages.
    *("správce", "správa", "moderátor", "host", "hosté", "smazaný", "anonymní", "podpora"),
    *("gast", "gelöscht", "anonym", "offiziell"),
    *("administrador", "moderador", "invitado", "anónimo", "oficial", "soporte", "eliminado"),
    *("panauhin", "tagapangasiwa", "opisyal"),
    *("administrateur", "modérateur", "invité", "anonyme", "officiel", "supprimé"),
    *("gość", "usunięty", "anonimowy", "oficjalny", "wsparcie"),
    *("админ", "администратор", "модератор", "модер", "гость", "бот", "поддержка"),
    *("официальный", "удалённый", "аноним", "оператор"),
    *("管理员", "管理員", "版主", "官方", "客服", "游客", "访客", "机器人", "匿名"),
)
"""Words that cannot be part of a name, because it could be mistaken for the operator, a bot, a
guest or a deleted player."""

_INSIDE: Final = (
    "admin",
    "moderator",
    "админ",
    "модератор",
    "管理员",
    "管理員",
    "版主",
    "官方",
    "客服",
)
"""The words among these that cannot begin or end a part either."""

_DIGITS: Final = str.maketrans("0134578", "oleastb")
"""The letters that digits can stand for."""
_SPLIT: Final = re.compile(r"[ \-_.']")
_CAPITALS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

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
        if _is_reserved(shown):
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


def _is_reserved(name: str) -> bool:
    """Return whether a name, or a part of it, looks like a reserved word.

    Parts begin at separators and capitals. Adjacent parts are also checked together: A-d min.
    """
    parts = [word for part in _SPLIT.split(name) for word in _CAPITALS.split(part) if word]
    whole = "".join(parts)
    if _folded(whole) in _nicknames():
        return True
    reserved = _reserved()
    if not reserved.names.isdisjoint(_readings(whole)):
        return True
    return any(
        reading in reserved.parts
        or reading.startswith(reserved.inside)
        or reading.endswith(reserved.inside)
        for begin in range(len(parts))
        for end in range(begin + 1, len(parts) + 1)
        for reading in _readings("".join(parts[begin:end]))
    )


@cache
def _nicknames() -> frozenset[str]:
    """Return the nicknames of guests in all languages.

    Most languages put brackets in them, which no account name can contain.
    """
    parts = (COLOURS, ANIMALS, FORM)
    texts = [[part.source for part in parts]]
    texts += [[catalogue(one).text(part) for part in parts] for one in LANGUAGES if one != "en"]
    return frozenset(
        _folded("".join(_SPLIT.split(form.format(colour=colour, animal=animal))))
        for colours, animals, form in texts
        for colour in words_of(colours)
        for animal in words_of(animals)
    )


def _readings(text: str) -> set[str]:
    """Return the possible readings of a text, ignoring case, accents, numbers and plural."""
    bare = text.strip("0123456789")
    words = {_skeleton_of_word(word.translate(_DIGITS)) for word in (text, bare) if word}
    return words | {word.removesuffix("s") for word in words}


def _skeleton_of_word(word: str) -> str:
    """Return a form that is the same for similar words, ignoring accents and reading I as l."""
    found = "".join(
        char
        for char in unicodedata.normalize("NFD", _skeleton(_folded(word)))
        if not unicodedata.category(char).startswith("M")
    )
    return _folded(found).replace("i", "l")


class _Reserved(NamedTuple):
    """The readings of reserved words.

    Attributes:
        names: Those that cannot be a whole name.
        parts: Those that cannot be a part of a name.
        inside: Those that cannot begin or end a part.
    """

    names: frozenset[str]
    parts: frozenset[str]
    inside: tuple[str, ...]


@cache
def _reserved() -> _Reserved:
    # Imported here because the bots are not needed to read names from the store.
    from sapper.solver.bots.registry import bots

    names, parts, inside = (
        frozenset(_skeleton_of_word(_SPLIT.sub("", word)) for word in words)
        for words in ((*RESERVED, *bots), RESERVED_PARTS, _INSIDE)
    )
    return _Reserved(names, parts, tuple(inside))


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
