"""Update the catalogues in `src/sapper/locale`: ``python docs/translations.py``.

New messages are added without a translation, and unused ones are removed. With
``--check`` nothing is written: the script lists missing translations and exits with status 1 if a
language that is not in `PARTIAL` has any, for use before a release. Sources:
``t`` and ``tn`` in Python and JavaScript, the pages' text, the trainer's lessons, and
the names and summaries of patterns, except names without a word.

A language without a catalogue gets one. The header of each catalogue is kept, and its
``Plural-Forms`` says how many forms a message has.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.plurals import get_plural

from sapper.coach.patterns import patterns
from sapper.server.session.game_settings import menu
from sapper.translation import LANGUAGES, Text
from sapper.translation.catalogues import LOCALE, PARTIAL, Catalogue, read_catalogue
from sapper.web.assets import STATIC
from sapper.web.page_texts import page_texts
from sapper.web.script_texts import script_texts

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "sapper"
LESSONS = PACKAGE / "coach" / "trainer" / "lessons.toml"
LIBRARY = PACKAGE / "coach" / "patterns" / "library"
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def path_of(language: str) -> Path:
    """Return the path of a catalogue."""
    return LOCALE / language / "LC_MESSAGES" / "sapper.po"


@cache
def sources() -> dict[str, tuple[str, ...]]:
    """Return the one or two forms of every message, by its first form."""
    found: dict[str, tuple[tuple[str, ...], Path]] = {}
    for file, forms in _all_texts():
        before, first = found.setdefault(forms[0], (forms, file))
        if len(before) != len(forms):
            raise SystemExit(
                f"{forms[0]!r} is counted in one of {file}, {first}, and not in the other"
            )
    return {first: forms for first, (forms, _) in found.items()}


def _all_texts() -> Iterator[tuple[Path, tuple[str, ...]]]:
    for path in sorted((STATIC / "js").rglob("*.js")):
        for forms in script_texts(path.read_text("utf-8")):
            yield path, forms
    for path in sorted(PACKAGE.rglob("*.py")):
        for forms in python_texts(path.read_text("utf-8")):
            yield path, forms
    for path in sorted(STATIC.rglob("*.html")):
        for text in page_texts(path.read_text("utf-8")):
            yield path, (text,)
    for text in lesson_texts():
        yield LESSONS, (text,)
    for text in pattern_texts():
        yield LIBRARY, (text,)
    for text in _registered(menu()):
        yield PACKAGE / "server", (text,)


def python_texts(source: str) -> Iterator[tuple[str, ...]]:
    """Yield the texts of the calls of `t` and `tn` in a Python module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            count = {"t": 1, "tn": 2}.get(node.func.id, 0)
            forms = [each.value for each in node.args[:count] if isinstance(each, ast.Constant)]
            if count and len(forms) == count:
                yield tuple(map(str, forms))


def _registered(found: object) -> Iterator[str]:
    """Yield the English labels and summaries, such as those made from names."""
    if isinstance(found, Text):
        yield found.source
    elif isinstance(found, dict):
        for value in found.values():
            yield from _registered(value)
    elif isinstance(found, list):
        for value in found:
            yield from _registered(value)


def lesson_texts() -> Iterator[str]:
    """Yield the lessons' visible text."""
    for lesson in tomllib.loads(LESSONS.read_text("utf-8"))["lesson"]:
        yield from (lesson["title"], lesson["text"])
        yield from (board["prompt"] for board in lesson["board"])


def pattern_texts() -> Iterator[str]:
    """Yield the names and summaries of patterns; names such as 1-2C are the same everywhere."""
    for pattern in patterns().values():
        if re.search(r"[A-Za-z]{2}", pattern.name):
            yield pattern.name
        yield pattern.summary


def updated(language: str) -> str:
    """Return the updated catalogue of a language."""
    path = path_of(language)
    before = path.read_text("utf-8") if path.exists() else _new_header(language)
    # The header is the first entry, up to the first blank line.
    header = before.rstrip("\n").partition("\n\n")[0] + "\n"
    words = read_catalogue(language, before)
    return "\n".join([header, *(_entry(forms, words) for _, forms in sorted(sources().items()))])


def _new_header(language: str) -> str:
    return (
        f'# Translations of Sapper: {LANGUAGES[language]}.\nmsgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {get_plural(language.partition("-")[0]).plural_forms}\\n"\n'
    )


def _entry(forms: tuple[str, ...], words: Catalogue) -> str:
    counted = len(forms) == 2
    translated = words.messages.get(forms[0], ("",) * (words.plurals if counted else 1))
    names = ["msgid", "msgid_plural"][: len(forms)]
    names += [f"msgstr[{at}]" for at in range(words.plurals)] if counted else ["msgstr"]
    return "".join(
        f"{name} {json.dumps(text, ensure_ascii=False)}\n"
        for name, text in zip(names, (*forms, *translated), strict=True)
    )


def missing(language: str, text: str) -> list[str]:
    """Return the messages that appear in English to a reader of a catalogue."""
    words = read_catalogue(language, text)
    return [source for source in sorted(sources()) if source not in words.messages]


def main() -> int:
    """Write all catalogues, or list their missing translations."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.stderr.write("usage: python docs/translations.py [--check]\n")
        return 2
    check, lacking = bool(sys.argv[1:]), 0
    for language in TRANSLATED:
        if not check:
            text = updated(language)
            path_of(language).parent.mkdir(parents=True, exist_ok=True)
            path_of(language).write_text(text, "utf-8")
        texts = missing(language, path_of(language).read_text("utf-8"))
        if language not in PARTIAL:
            lacking += len(texts)
        sys.stderr.write(f"{language}: {len(sources())} texts, {len(texts)} untranslated\n")
        if check:
            sys.stdout.writelines(f"{language}: {text}\n" for text in texts)
    return 1 if check and lacking else 0


if __name__ == "__main__":
    sys.exit(main())
