"""English messages that keep their source and values for later translation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

__all__ = ["Text", "capital", "fill", "percent", "seconds", "sentences", "t", "tn"]

_PLACE: Final = re.compile(r"\{(\w+)\}")


def _written(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def fill(source: str, values: Mapping[str, object], write: Callable[[Any], str] = _written) -> str:
    """Fill in a message's ``{name}`` placeholders; list items are separated by commas."""
    return _PLACE.sub(
        lambda found: write(values[found[1]]) if found[1] in values else found[0], source
    )


class Text(str):
    """An English string that can be translated.

    It passes through JSON, threads and processes like any string. `Catalogue.text` translates it.
    Combining it with an f-string or ``+`` gives plain English, so pass it to another `t` as a value
    instead.

    Attributes:
        source: The English source text, with placeholders ``{name}``.
        plural: The source text for counts other than one; empty if there is no count.
        counted: The count that selects the form.
        values: The placeholder values, which may be translatable themselves.
        capital: Whether to capitalise the first letter.
    """

    source: str
    plural: str
    counted: int
    values: dict[str, Any]
    capital: bool

    def __new__(
        cls,
        source: str,
        values: Mapping[str, Any],
        plural: str = "",
        count: int = 1,
        capital: bool = False,
    ) -> Self:
        """Return the text in English."""
        english = fill(source if count == 1 or not plural else plural, values)
        made = super().__new__(cls, english[:1].upper() + english[1:] if capital else english)
        made.source, made.plural, made.counted = source, plural, count
        made.values, made.capital = dict(values), capital
        return made

    def __str__(self) -> str:
        # Return the text itself: an exception's message is the ``str`` of its argument, which must
        # stay translatable.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Text, (self.source, self.values, self.plural, self.counted, self.capital)


def t(source: str, /, **values: object) -> Text:
    """Return a translatable text.

    >>> t("row {row}, column {column}", row=1, column=2)
    'row 1, column 2'
    """
    return Text(source, values)


def tn(one: str, other: str, count: int, /, **values: object) -> Text:
    """Return a translatable text that depends on a count, which is also its value ``{n}``.

    >>> tn("{n} mine", "{n} mines", 3)
    '3 mines'
    """
    return Text(one, {"n": count, **values}, other, count)


def capital(text: str) -> str:
    """Return the text with a capital first letter, still translatable if it was."""
    if isinstance(text, Text):
        return Text(text.source, text.values, text.plural, text.counted, capital=True)
    return text[:1].upper() + text[1:]


def sentences(*texts: str) -> Text:
    """Join several sentences into one message."""
    return Text(
        " ".join(f"{{s{at}}}" for at in range(len(texts))),
        {f"s{at}": text for at, text in enumerate(texts)},
    )


def percent(share: float) -> Text:
    """Return a share from 0 to 1 as a percentage with one decimal place.

    >>> percent(0.12345)
    '12.3 %'
    """
    whole, fraction = f"{100 * share:.1f}".split(".")
    return t("{whole}.{fraction} %", whole=whole, fraction=fraction)


def seconds(value: float) -> Text:
    """Return a time with one decimal place.

    >>> seconds(12.345)
    '12.3 s'
    """
    whole, fraction = f"{value:.1f}".split(".")
    return t("{whole}.{fraction} s", whole=whole, fraction=fraction)
