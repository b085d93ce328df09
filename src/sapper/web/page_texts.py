"""Translate a page's text and its readable attributes.

``translate="no"`` excludes the text of an element. The content of an element with ``data-whole``,
including its child elements, is translated as one message.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["page_texts", "with_texts"]

_TAG: Final = re.compile(r'<(?:!--.*?--|!doctype [^>]*|/?[a-zA-Z](?:[^>"]|"[^"]*")*)>', re.S)
_NAME: Final = re.compile(r"</?([\w-]+)")
_READ: Final = re.compile(r' (?:title|aria-label|placeholder|alt|label)="([^"]+)"')
_DESCRIPTION: Final = re.compile(r'<meta name="description" content="([^"]+)"')
_VOID: Final = {"meta", "link", "input", "img", "br", "hr", "path", "rect", "circle", "source"}
_UNREAD: Final = {"script", "style", "kbd", "code", "pre", "svg"}
_OWN_NAME: Final = "Sapper"
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")


def page_texts(page: str) -> list[str]:
    """Return a page's translatable text in order."""
    texts: list[str] = []

    def note(text: str) -> str:
        texts.append(text)
        return text

    with_texts(page, note)
    return texts


def with_texts(page: str, translate: Callable[[str], str]) -> str:
    """Return a page with its text translated."""
    return "".join(_parts(page, translate))


def _parts(page: str, translate: Callable[[str], str]) -> Iterator[str]:
    at = 0
    skipped: list[str] = []
    whole: list[str] = []
    begin = 0
    for tag in _TAG.finditer(page):
        if not whole:
            between = page[at : tag.start()]
            yield between if skipped else _translated(between, translate)
            yield _with_attributes(tag[0], translate)
        at = tag.end()
        name = _NAME.match(tag[0])
        if name is None or name[1] in _VOID or tag[0].endswith("/>"):
            continue
        closing = tag[0].startswith("</")
        if whole:
            if closing:
                whole.pop()
            else:
                whole.append(name[1])
            if not whole:
                yield _translated(page[begin : tag.start()], translate, markup=True) + tag[0]
        elif skipped:
            if closing:
                skipped.pop()
            else:
                skipped.append(name[1])
        elif not closing and (name[1] in _UNREAD or 'translate="no"' in tag[0]):
            skipped.append(name[1])
        elif not closing and " data-whole" in tag[0]:
            whole, begin = [name[1]], at
    yield page[at:]


def _translated(text: str, translate: Callable[[str], str], *, markup: bool = False) -> str:
    source = " ".join(text.split())
    if not _LETTERS.search(source) or source == _OWN_NAME:
        return text
    if markup:
        result = translate(source)
    else:
        result = html.escape(translate(html.unescape(source)), quote=False)
    start = text[: len(text) - len(text.lstrip())]
    return start + result + text[len(text.rstrip()) :]


def _with_attributes(tag: str, translate: Callable[[str], str]) -> str:
    def attribute(match: re.Match[str]) -> str:
        if not _LETTERS.search(match[1]):
            return match[0]
        translated = html.escape(translate(html.unescape(match[1])))
        return match[0].replace(match[1], translated, 1) if translated != match[1] else match[0]

    return _DESCRIPTION.sub(attribute, _READ.sub(attribute, tag))
