from __future__ import annotations

import pytest

from sapper.community import PHRASES
from sapper.errors import BadSetting
from sapper.translation import LANGUAGES, catalogue
from support.races import HOST, started


def test_phrases_have_distinct_emoji_and_a_translation_in_every_language() -> None:
    """There are a dozen phrases."""
    assert len({phrase.emoji for phrase in PHRASES.values()}) == len(PHRASES) == 12
    for language in LANGUAGES:
        texts = {catalogue(language).text(phrase.text) for phrase in PHRASES.values()}
        assert len(texts) == 12
        if language != "en":
            assert texts != {str(phrase.text) for phrase in PHRASES.values()}


def test_everyone_gets_a_phrase_at_most_every_two_seconds() -> None:
    """Phrases are sent by name and shown in each window's language; watchers cannot send any."""
    race = started("beginner")
    race.join(6_500, "eve", "Eve", watch=True)
    race.tick(7_000)
    [message] = race.say(7_000, HOST, "wow")
    assert set(message.to) == {HOST, "p1", "eve"}
    assert message.body == {"type": "phrase", "number": 0, "phrase": "wow"}
    race.tick(8_999)
    assert race.say(8_999, HOST, "ouch") == []
    assert race.say(8_999, "p1", "ouch")
    assert race.say(9_000, HOST, "ouch")
    assert race.say(9_000, "eve", "hello") == []
    with pytest.raises(BadSetting, match="unknown phrase"):
        race.say(20_000, HOST, "free text")
