"""Read the gettext catalogues, one per language, and translate messages."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final

from sapper.translation.text import Text, fill

__all__ = [
    "LANGUAGES",
    "LOCALE",
    "PARTIAL",
    "Catalogue",
    "catalogue",
    "preferred_language",
    "read_catalogue",
]

LOCALE: Final = Path(__file__).parents[1] / "locale"

LANGUAGES: Final = {
    "en": "English",
    "cs": "Čeština",
    "de": "Deutsch",
    "es": "Español",
    "fil": "Filipino",
    "fr": "Français",
    "pl": "Polski",
    "ru": "Русский",
    "zh-Hans": "简体中文",
}
"""The native name of each language by code. English is the source and needs no catalogue."""

PARTIAL: Final[frozenset[str]] = frozenset()
"""Languages in which a release may still show some texts in English."""

# Filipino is the national form of Tagalog. Readers of Traditional Chinese get Simplified Chinese
# rather than English.
_OTHER_CODES: Final = {"tl": "fil", "zh": "zh-Hans"}

_CHINESE_MARKS: Final = {"} {": "}{", "}, {": "}，{", "}: {": "}：{", "}.": "}。"}
"""Marks between the parts of a message that is not in a catalogue."""

_LINE: Final = re.compile(r'(?:(msgid_plural|msgid|msgstr(?:\[\d\])?)\s+)?("(?:[^"\\]|\\.)*")\s*$')
_PLURALS: Final = re.compile(r"nplurals=(\d+);\s*plural=(.+?);")

_PERIOD: Final = 100
"""For large counts, every plural rule depends only on the last two digits."""


@dataclass(frozen=True)
class Catalogue:
    """The translations into one language.

    Attributes:
        language: Its code.
        plurals: The number of plural forms, from its header.
        forms: The plural form for each count up to twice the period of the plural rule.
        messages: The forms of each translated text, by its source.
    """

    language: str
    plurals: int
    forms: tuple[int, ...]
    messages: Mapping[str, tuple[str, ...]]

    def text(self, value: object) -> str:
        """Return a value as text in this language, or in English if there is no translation."""
        if isinstance(value, (list, tuple)):
            return ("，" if self._chinese else ", ").join(map(self.text, value))
        if not isinstance(value, Text):
            return str(value)
        forms = self.messages.get(value.source)
        if forms is None:
            # Even without a translation of the whole text, its parts may be translated.
            source = value.plural if value.plural and value.counted != 1 else value.source
            if self._chinese:
                for mark, chinese in _CHINESE_MARKS.items():
                    source = source.replace(mark, chinese)
        else:
            source = forms[self._form(value.counted) if value.plural else 0]
        text = fill(source, value.values, self.text)
        return text[:1].upper() + text[1:] if value.capital else text

    @property
    def _chinese(self) -> bool:
        """Chinese has its own full stop and list comma, and no spaces after them."""
        return self.language == "zh-Hans"

    def _form(self, count: int) -> int:
        count = abs(count)
        return self.forms[count if count < len(self.forms) else _PERIOD + count % _PERIOD]

    def message(self, message: Any) -> Any:
        """Return a JSON message with its text in this language.

        Lists of numbers and lists of lists contain no text, and are returned unchanged.
        """
        if isinstance(message, str):
            return self.text(message)
        if isinstance(message, Mapping):
            return {name: self.message(value) for name, value in message.items()}
        if isinstance(message, (list, tuple)) and message and isinstance(message[0], (str, dict)):
            return [self.message(value) for value in message]
        return message

    def to_json(self, sources: Container[str]) -> dict[str, Any]:
        """Return the translations of the given texts, for the pages' scripts."""
        return {
            "language": self.language,
            "forms": "".join(map(str, self.forms)),
            "messages": {
                source: forms[0] if len(forms) == 1 else list(forms)
                for source, forms in self.messages.items()
                if source in sources
            },
        }


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, empty for English and unknown languages."""
    path = LOCALE / language / "LC_MESSAGES" / "sapper.po"
    if language not in LANGUAGES or not path.exists():
        return Catalogue(language, 2, (1, 0, *(1,) * (2 * _PERIOD - 2)), {})
    return read_catalogue(language, path.read_text("utf-8"))


def read_catalogue(language: str, text: str) -> Catalogue:
    """Return the catalogue in a ``.po`` file.

    Messages without a translation are left out, and so are those that do not have one for each of
    the plural forms in the header.
    """
    entries = {
        entry["msgid"]: entry
        for entry in map(_entry, re.split(r"\n\s*\n", text))
        if "msgid" in entry
    }
    header = _PLURALS.search(entries.pop("", {}).get("msgstr", ""))
    plurals, rule = (int(header[1]), header[2]) if header else (2, "n != 1")
    messages: dict[str, tuple[str, ...]] = {}
    for source, entry in entries.items():
        forms = tuple(value for name, value in entry.items() if name.startswith("msgstr"))
        if len(forms) == (plurals if "msgid_plural" in entry else 1) and all(forms):
            messages[source] = forms
    return Catalogue(language, plurals, tuple(map(c2py(rule), range(2 * _PERIOD))), messages)


def _entry(block: str) -> dict[str, str]:
    entry: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        found = None if line.startswith("#") else _LINE.match(line)
        if found is not None:
            name = found[1] or name
            entry[name] = entry.get(name, "") + json.loads(found[2])
    return entry


def preferred_language(chosen: str | None, accepted: str) -> str:
    """Return the language code to use.

    Args:
        chosen: The visitor's choice, if any.
        accepted: The header ``Accept-Language`` of a browser.

    >>> preferred_language(None, "sk,cs;q=0.8,en;q=0.5")
    'cs'
    """
    if chosen in LANGUAGES:
        return chosen
    ranked = []
    for at, part in enumerate(accepted.split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        try:
            ranked.append((-float(quality or 1), at, name.partition("-")[0].lower()))
        except ValueError:
            continue
    codes = (_OTHER_CODES.get(name, name) for _, _, name in sorted(ranked))
    return next((code for code in codes if code in LANGUAGES), "en")
