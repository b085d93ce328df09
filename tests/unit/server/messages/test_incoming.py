"""The table of messages that a window can send."""

from __future__ import annotations

import random

import pytest

from fuzz.websocket_messages import LEVELS, valid_message
from sapper.rules import LEVELS as NAMED
from sapper.rules import Level
from sapper.server.messages.checking import fields_of
from sapper.server.messages.incoming import INCOMING, JOBS, Effect, Handlers, fields_in
from sapper.server.session.client import REQUESTS


def test_every_kind_of_message_has_one_handler() -> None:
    """Messages are handled by a job or by the client itself."""
    assert JOBS.by_kind.keys() | REQUESTS.by_kind.keys() == INCOMING.keys()
    assert not JOBS.by_kind.keys() & REQUESTS.by_kind.keys()


@pytest.mark.parametrize("kind", ["open", "cheat"])
def test_handlers_of_unknown_or_taken_kinds_are_rejected(kind: str) -> None:
    """Handlers register for a kind in the table, once per kind."""
    handlers = Handlers[object]()
    handlers.register("open")(print)
    with pytest.raises(ValueError, match=kind):
        handlers.register(kind)(print)


def test_only_messages_that_act_on_a_cell_name_one() -> None:
    """If a bot is running, a click on the board pauses it and has no other effect."""
    with_cell = {name for name, kind in INCOMING.items() if "cell" in fields_of(kind.fields)}
    assert with_cell == {name for name, kind in INCOMING.items() if kind.effect is Effect.CELL}


def test_the_fuzzer_sends_every_message_with_every_field() -> None:
    """The fuzzer's messages come from the table and are valid until it corrupts them."""
    rng, seen = random.Random(1), dict[str, set[str]]()
    for _ in range(3000):
        message = valid_message(rng)
        kind, fields = fields_in(message)
        seen.setdefault(kind.name, set()).update(fields)
    assert seen == {name: {*fields_of(kind.fields)} for name, kind in INCOMING.items()}


def test_the_levels_of_the_fuzzer_exist() -> None:
    """Every level and topology that the fuzzer sends can be played."""
    assert set(NAMED) <= set(LEVELS)
    assert all(Level.parse(level).mines is not None for level in LEVELS)
