"""Names of choices for players."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from sapper.translation.text import Text

__all__ = ["LabelledEnum", "in_words", "label_of"]


class LabelledEnum(StrEnum):
    """An enumeration whose members have a name for programs and a label for players.

    >>> from sapper.translation import t
    >>> class Win(LabelledEnum):
    ...     OPEN = "open", t("Open all clear cells")
    >>> Win.OPEN.value, Win.OPEN.label, Win("open") is Win.OPEN
    ('open', 'Open all clear cells', True)
    """

    label: Text

    def __new__(cls, value: str, label: str = "") -> Self:
        """Create a member from its value and its label."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = (
            label if isinstance(label, Text) else Text(label, {}) if label else in_words(value)
        )
        return member


def label_of(choice: object) -> Text:
    """Return the label of a choice, or its name in words if it has none.

    >>> label_of("guess_anywhere")
    'Guess anywhere'
    """
    label = getattr(choice, "label", None)
    if isinstance(label, Text):
        return label
    return Text(label, {}) if isinstance(label, str) and label else in_words(str(choice))


def in_words(name: str) -> Text:
    """Return a name with spaces and a capital letter."""
    words = name.replace("_", " ").replace("-", " ")
    return Text(words[:1].upper() + words[1:], {})
