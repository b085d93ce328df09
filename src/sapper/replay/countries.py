"""Find the country codes for country names, as Metasweeper and Arbiter write them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["TABLE", "country_code", "plain"]

TABLE: Final = Path(__file__).with_name("countries.txt")
"""A code and its names on each line, separated by tabs; `docs/countries.py` writes it."""
_CODE: Final = re.compile("[A-Za-z]{2}")


def country_code(country: str) -> str:
    """Return the two-letter code of a country given by code or name; empty for other strings.

    Names are in one of Sapper's languages or in Traditional Chinese; case does not matter.

    >>> [country_code(name) for name in ("CZ", "Switzerland", "中国", "Česko", "Atlantis")]
    ['CZ', 'CH', 'CN', 'CZ', '']
    """
    text = country.strip()
    if _CODE.fullmatch(text) and text == country:
        return text
    return _codes().get(plain(text), "")


@cache
def _codes() -> dict[str, str]:
    codes: dict[str, str] = {}
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            code, *names = line.split("\t")
            codes.update((plain(name), code) for name in names)
    return codes


def plain(name: str) -> str:
    """Return a name in a form that ignores case and the choice of quotes and conjunction."""
    return name.strip().casefold().replace("’", "'").replace(" & ", " and ")
