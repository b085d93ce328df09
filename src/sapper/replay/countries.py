"""Find country codes for the English and Chinese names written by Metasweeper and Arbiter."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["country_code"]

_CODE: Final = re.compile("[A-Za-z]{2}")
_LANGUAGES: Final = ("en", "zh", "zh_Hant")
_NO_COUNTRIES: Final = {"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"}
"""Codes of unions and test codes."""
_OTHER_NAMES: Final = {
    "america": "US", "united states of america": "US", "usa": "US",
    "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB",
    "korea": "KR", "republic of korea": "KR", "people's republic of china": "CN",
    "russian federation": "RU", "czech republic": "CZ", "turkey": "TR", "viet nam": "VN",
    "holland": "NL", "the netherlands": "NL", "macau": "MO", "ivory coast": "CI",
    "中华人民共和国": "CN", "台灣": "TW",
}  # fmt: skip
"""Common names that are missing from the Unicode names."""


def country_code(country: str) -> str:
    """Return the two-letter code of a country given by code or name; empty for other strings.

    Names are English or Chinese; case does not matter.

    >>> [country_code(name) for name in ("CZ", "Switzerland", "中国", "Atlantis")]
    ['CZ', 'CH', 'CN', '']
    """
    text = country.strip()
    if _CODE.fullmatch(text) and text == country:
        return text
    return _codes().get(_plain(text), "")


@cache
def _codes() -> dict[str, str]:
    # Imported here because the import is slow, and few commands need it.
    from babel import Locale

    codes = dict(_OTHER_NAMES)
    for language in _LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if not _CODE.fullmatch(code) or code in _NO_COUNTRIES:
                continue
            # Also accept parts of names such as `Myanmar (Burma)` and `Hong Kong SAR China`.
            short = re.sub(r"[（(].*[）)]|SAR China$|^中国|^中國|特别行政区$|特別行政區$", "", name)
            for each in (name, short, *re.findall(r"[（(](.*?)[）)]", name)):
                codes.setdefault(_plain(each), code)
    codes.pop("", None)
    return codes


def _plain(name: str) -> str:
    return name.strip().casefold().replace("’", "'").replace(" & ", " and ")
