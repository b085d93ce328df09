"""Update the catalogues in `src/sapper/locale`: ``python docs/translations.py``.

New messages are added without a translation, and unused ones are removed. With
``--check`` nothing is written: the script lists missing translations and exits with status 1 if
there are any, for use before a release. Sources:
``t`` and ``tn`` in Python and JavaScript, the pages' text, the trainer's lessons, and
the names and summaries of patterns, except names without a word.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from sapper.coach.patterns import patterns
from sapper.server.session.game_settings import menu
from sapper.translation import LANGUAGES, Text
from sapper.web.page_texts import page_texts

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "sapper"
STATIC = PACKAGE / "web" / "static"
LESSONS = PACKAGE / "coach" / "trainer" / "lessons.toml"
LIBRARY = PACKAGE / "coach" / "patterns" / "library"
STRING = r'("(?:[^"\\\n]|\\.)*")'
CALL = re.compile(rf"\b(tn?)\(\s*{STRING}(?:,\s*{STRING})?")
MARKED = re.compile(r"\btn?\(\s*[\"'`]")
KEYWORDS = {"t": (1,), "tn": (1, 2)}
PLURALS = {
    "cs": "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fil": "nplurals=2; plural=(n > 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
        "n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    ),
    "zh-Hans": "nplurals=1; plural=0;",
}

Source = str | tuple[str, ...]


def path_of(language: str) -> Path:
    """Return the path of a catalogue."""
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "sapper.po"


@cache
def sources() -> dict[str, tuple[Source, list[str]]]:
    """Return every message by its first form, with all its forms and the files that use it."""
    found: dict[str, tuple[Source, list[str]]] = {}
    for file, text in _all_texts():
        first = text if isinstance(text, str) else text[0]
        forms, files = found.setdefault(first, (text, []))
        if isinstance(forms, str) != isinstance(text, str):
            raise SystemExit(
                f"{first!r} is counted in one of {file}, {files[0]}, and not in the other"
            )
        if file not in files:
            files.append(file)
    return found


def _all_texts() -> Iterator[tuple[str, Source]]:
    for path in sorted((STATIC / "js").rglob("*.js")):
        # Babel does not find the messages in every template literal.
        for found in CALL.finditer(path.read_text("utf-8")):
            one, other = json.loads(found[2]), found[3]
            yield _name(path), (one, json.loads(other)) if found[1] == "tn" else one
    for path in sorted(PACKAGE.rglob("*.py")):
        # Babel is slow, and few files contain messages to translate.
        if MARKED.search(path.read_text("utf-8")):
            for _, text, _, _ in extract_from_file("python", path, KEYWORDS):
                yield _name(path), text
    for path in sorted(STATIC.rglob("*.html")):
        for text in page_texts(path.read_text("utf-8")):
            yield _name(path), text
    for text in lesson_texts():
        yield _name(LESSONS), text
    for text in pattern_texts():
        yield _name(LIBRARY), text
    for text in _registered(menu()):
        yield _name(PACKAGE / "server"), text


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


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def updated(language: str) -> bytes:
    """Return the updated catalogue of a language."""
    path = path_of(language)
    old = Catalog()
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file)
    new = Catalog(locale=language.replace("-", "_"))
    for first, (forms, files) in sorted(sources().items()):
        before: Message | None = old.get(first)
        message = new.add(forms, locations=[(file, 0) for file in files])
        if before is not None and isinstance(before.string, str) == isinstance(forms, str):
            message.string = before.string
    made = BytesIO()
    write_po(made, new, width=0, omit_header=True, include_lineno=False)
    return _header(language).encode() + made.getvalue()


def _header(language: str) -> str:
    return (
        f"# Translations of Sapper: {LANGUAGES[language]}.\n"
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {PLURALS[language]}\\n"\n\n'
    )


def missing(language: str) -> list[str]:
    """Return the messages without a translation into a language, which appear in English."""
    catalogue = read_po(BytesIO(updated(language)))
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not (message.string and all(message.string))
    ]


def main() -> int:
    """Write all catalogues, or list their missing translations."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.stderr.write("usage: python docs/translations.py [--check]\n")
        return 2
    check, lacking = bool(sys.argv[1:]), 0
    for language in PLURALS:
        if not check:
            path_of(language).parent.mkdir(parents=True, exist_ok=True)
            path_of(language).write_bytes(updated(language))
        texts = missing(language)
        lacking += len(texts)
        sys.stderr.write(f"{language}: {len(sources())} texts, {len(texts)} untranslated\n")
        if check:
            sys.stdout.writelines(f"{language}: {text}\n" for text in texts)
    return 1 if check and lacking else 0


if __name__ == "__main__":
    sys.exit(main())
