"""Nicknames of guests: a colour and an animal, shown in each reader's language.

In rooms, messages and recordings, the name of a guest is a number such as ``#137``, which no
account can have as its name. The page has the same texts in ``room/nicknames.js``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from hashlib import sha256
from typing import Final

from sapper.translation import Text, t

__all__ = ["ANIMALS", "COLOURS", "FORM", "NICKNAMES", "free_nickname", "nickname", "words_of"]

COLOURS: Final = t(
    "Amber, Azure, Beige, Black, Blue, Bronze, Brown, Coral, Cream, Emerald, Golden, Grey, Green, "
    "Indigo, Ivory, Lilac, Lime, Orange, Pink, Purple, Red, Silver, Teal, White"
)
"""The colours, separated by commas in every language."""
ANIMALS: Final = t(
    "badger, bear, beaver, cat, crane, deer, dolphin, eagle, falcon, fox, frog, hare, hedgehog, "
    "heron, lynx, marten, otter, owl, panda, penguin, raven, seal, squirrel, wolf"
)
"""The animals, separated in the same way."""

FORM: Final = t("{colour} {animal}")
"""How a colour and an animal form a nickname."""

_EACH: Final = 24
NICKNAMES: Final = _EACH * _EACH
"""The number of nicknames: more than a room has members."""
_STEP: Final = 25
"""Step to the next nickname to try. It changes both words, and is coprime to `NICKNAMES`."""
_NAME: Final = re.compile(r"#([0-9]{1,3})")


def free_nickname(visitor: str, taken: Collection[str]) -> str:
    """Return the name of a guest, which is the same in every room where nobody else has it.

    Args:
        visitor: The session id of the guest.
        taken: The names of the others in the room.

    >>> free_nickname("ann", []), free_nickname("ann", ["#110"])
    ('#110', '#135')
    """
    number = int.from_bytes(sha256(visitor.encode()).digest()[:8], "big") % NICKNAMES
    for _ in range(NICKNAMES):
        if f"#{number}" not in taken:
            break
        number = (number + _STEP) % NICKNAMES
    return f"#{number}"


def nickname(name: str) -> str | Text:
    """Return the name of a member as people read it.

    Args:
        name: The name of an account or a bot, or a guest's number such as ``#137``.

    >>> str(nickname("#406")), str(nickname("Ann"))
    ('Teal otter', 'Ann')
    """
    match = _NAME.fullmatch(name)
    if match is None or int(match[1]) >= NICKNAMES:
        return name
    animal, colour = divmod(int(match[1]), _EACH)
    colours, animals = words_of(str(COLOURS)), words_of(str(ANIMALS))
    return t("{colour} {animal}", colour=colours[colour], animal=animals[animal])


def words_of(text: str) -> list[str]:
    """Return the words of a translated list of colours or animals."""
    return re.split(", |，", text)
