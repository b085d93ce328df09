"""Write the names of countries that replays may contain: ``python docs/countries.py``.

The table is `src/sapper/replay/countries.txt`, made from the Unicode data that Babel contains, so
that Sapper does not need Babel. Run the script after an update of Babel, and review the diff. With
``--check`` nothing is written, and the exit status is 1 if the table differs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import babel
from babel import Locale

from sapper.replay.countries import TABLE, plain
from sapper.translation import LANGUAGES

# English and Chinese come first: Metasweeper and Arbiter write these, so their names win.
LOCALES = (
    *("en", "zh_Hans", "zh_Hant"),
    *sorted(set(LANGUAGES) - {"en", "zh-Hans"}),
)
# Unions and test codes.
NO_COUNTRIES = {"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"}
# Common names that are missing from the Unicode data.
OTHER_NAMES = {
    "CI": ["Ivory Coast"],
    "CN": ["People's Republic of China", "中华人民共和国"],
    "CZ": ["Czech Republic"],
    "GB": ["Great Britain", "England", "Scotland", "Wales"],
    "KR": ["Korea", "Republic of Korea"],
    "MO": ["Macau"],
    "NL": ["Holland", "The Netherlands"],
    "RU": ["Russian Federation"],
    "TR": ["Turkey"],
    "TW": ["台灣"],
    "US": ["America", "United States of America", "USA"],
    "VN": ["Viet Nam"],
}
# Parts that are left out of short names such as `Hong Kong SAR China` and `中国香港特别行政区`.
LEFT_OUT = re.compile(r"[（(].*[）)]|SAR China$|^中国|^中國|特别行政区$|特別行政區$")


def names() -> dict[str, list[str]]:
    """Return the names of each country by code; each name, written plainly, belongs to one."""
    owners = {plain(name): code for code, own in OTHER_NAMES.items() for name in own}
    found = {code: list(own) for code, own in OTHER_NAMES.items()}
    for locale in LOCALES:
        for code, name in sorted(Locale.parse(locale).territories.items()):
            if not re.fullmatch("[A-Z]{2}", code) or code in NO_COUNTRIES:
                continue
            # Also accept parts of names such as `Myanmar (Burma)`.
            for part in (name, LEFT_OUT.sub("", name), *re.findall(r"[（(](.*?)[）)]", name)):
                each = part.strip()
                if each and plain(each) not in owners:
                    owners[plain(each)] = code
                    found.setdefault(code, []).append(each)
    return dict(sorted(found.items()))


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Names of countries. Written by docs/countries.py; do not edit."
    yield f"# From the Unicode CLDR data in Babel {babel.__version__}; its licence follows."
    licence = Path(babel.__file__).parent / "locale-data" / "LICENSE.unicode"
    for line in licence.read_text("utf-8").strip().splitlines():
        yield f"# {line.rstrip()}".rstrip()
    for code, own in names().items():
        yield "\t".join((code, *own))


def main() -> None:
    """Write or check the table."""
    text = "\n".join(table()) + "\n"
    if "--check" in sys.argv[1:]:
        if TABLE.read_text("utf-8") != text:
            raise SystemExit(f"{TABLE.name} is out of date: python docs/countries.py")
    else:
        TABLE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
