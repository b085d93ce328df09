"""Guests are named after a colour and an animal, in each reader's language."""

from __future__ import annotations

import re

import pytest

from sapper.community.members import MOST_WATCHERS
from sapper.community.nicknames import (
    ANIMALS,
    COLOURS,
    FORM,
    NICKNAMES,
    free_nickname,
    nickname,
    words_of,
)
from sapper.server.rooms.making import SETTINGS
from sapper.translation import LANGUAGES
from sapper.translation.catalogues import catalogue
from sapper.web.assets import STATIC


def test_the_members_of_a_room_have_different_nicknames() -> None:
    """There are enough for the largest room, and everyone gets one that is free."""
    most = max(getattr(each(), "most", 2) for each in SETTINGS.values()) + MOST_WATCHERS
    taken: set[str] = set()
    for number in range(most):
        taken.add(free_nickname(f"visitor {number}", taken))
    assert len(taken) == most < NICKNAMES
    assert len({str(nickname(one)) for one in taken}) == most


def test_a_visitor_keeps_the_nickname() -> None:
    """It is the same in every room where nobody else has it."""
    name = free_nickname("ann", ())
    assert free_nickname("ann", ["#1", "Bob"]) == name
    assert free_nickname("ann", [name]) != name


@pytest.mark.parametrize("name", ["Ann", "Guest 3", "#576", "#1000", "#", "Casual bot"])
def test_other_names_stay_as_they_are(name: str) -> None:
    """Rooms and recordings made by earlier versions have other names for guests."""
    assert nickname(name) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_the_words(language: str) -> None:
    """No two nicknames are the same, and none is longer than a name may be."""
    parts = [COLOURS, ANIMALS, FORM]
    texts = [one.source if language == "en" else catalogue(language).text(one) for one in parts]
    colours, animals = words_of(texts[0]), words_of(texts[1])
    all_of = {texts[2].format(colour=c, animal=a) for c in colours for a in animals}
    assert len(all_of) == NICKNAMES
    assert max(map(len, all_of)) <= 30


def test_the_page_uses_the_same_texts() -> None:
    """The page and the server share the lists of colours and animals."""
    script = (STATIC / "js" / "room" / "nicknames.js").read_text("utf-8")
    texts = re.findall(r'\bt\("([^"]*)"', script)
    assert texts == [COLOURS.source, ANIMALS.source, FORM.source]
