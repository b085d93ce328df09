"""The language requested by a terminal's environment."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sapper.translation import preferred_language

__all__ = ["language_of"]


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language code of an environment, by the rules of gettext.

    LC_ALL takes precedence over LC_MESSAGES and LANG. LANGUAGE may list languages that precede
    these, except in the locale ``C``.

    >>> language_of({"LANG": "cs_CZ.UTF-8"})
    'cs'
    >>> language_of({"LANG": "zh_CN.UTF-8"})
    'zh-Hans'
    >>> language_of({"LANG": "en_GB.UTF-8", "LANGUAGE": "sk:de"})
    'de'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    codes = [_code(locale)]
    if codes != ["C"]:
        codes = [*map(_code, environment.get("LANGUAGE", "").split(":")), *codes]
    return preferred_language(None, ",".join(codes))


def _code(locale: str) -> str:
    """Return ``cs`` for ``cs_CZ.UTF-8``, and ``C`` for locales without a language."""
    code = re.split(r"[_.@]", locale)[0]
    return "C" if code == "POSIX" else code
