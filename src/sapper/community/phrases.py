"""The preset phrases that players can send. There is no free text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.translation import Text, t

__all__ = ["PHRASES", "PHRASE_MS", "Phrase", "check_phrase"]

PHRASE_MS: Final = 2_000
"""Minimum time between two phrases of a member; others are dropped."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A preset phrase.

    Attributes:
        emoji: The emoji.
        text: The text, which each member sees in their own language.
    """

    emoji: str
    text: Text


PHRASES: Final[dict[str, Phrase]] = {
    "hello": Phrase("👋", t("Hello!")),
    "good-luck": Phrase("🍀", t("Good luck!")),
    "ready": Phrase("👍", t("I am ready!")),
    "wait": Phrase("⏳", t("One moment, please!")),
    "nice": Phrase("👏", t("Nice move!")),
    "wow": Phrase("😮", t("Wow!")),
    "ouch": Phrase("💥", t("Ouch!")),
    "close": Phrase("😅", t("That was close!")),
    "sorry": Phrase("🙈", t("Sorry!")),
    "thanks": Phrase("🙏", t("Thank you!")),
    "good-game": Phrase("🤝", t("Good game!")),
    "again": Phrase("🔁", t("Another game?")),
}
"""Every phrase by name."""


def check_phrase(name: str) -> None:
    """Reject names that are not phrases.

    Raises:
        BadSetting: If there is no such phrase.
    """
    if name not in PHRASES:
        raise BadSetting(f"unknown phrase {shown(name)}; choose from: {', '.join(PHRASES)}")
