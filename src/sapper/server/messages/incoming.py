"""Messages from a window to the server, and the registry of their handlers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, Generic, Literal, NotRequired, TypedDict, TypeVar

from sapper._util.shortening import shown
from sapper.server import limits
from sapper.server.messages.checking import Checked, Range, checked
from sapper.server.messages.values import Cell, Mode, OverlayKind
from sapper.server.protocol import BadMessage, Json

__all__ = [
    "ID_CHARACTERS",
    "INCOMING",
    "JOBS",
    "AssistChange",
    "AutomaticChange",
    "AutomaticSettings",
    "DailyBoard",
    "Drawn",
    "Effect",
    "Handlers",
    "Kind",
    "Move",
    "New",
    "Nothing",
    "SettingsChange",
    "SharedPosition",
    "Thinking",
    "Undo",
    "fields_in",
    "parse",
    "reply_id",
]

_Handler = TypeVar("_Handler", bound=Callable[..., Any])

ID_CHARACTERS: Final = 40
"""Maximum length of an id that is repeated in the answer."""

PointerPath = Annotated[list[int], Checked("a list of whole numbers", "number[]")]
SomeSettings = Annotated[
    dict[str, Any], Checked("some of the settings of a game", "Partial<Settings>")
]
Seed = Annotated[int, Checked("a whole number from 0 to 2**64 - 1", "number")]
Day = Annotated[str, Checked("a date as YYYY-MM-DD", "string")]
RulesName = Annotated[str, Checked("the name of a rule set", "string")]
RulesOptions = Annotated[
    dict[str, Any], Checked("options of the rule set", "Record<string, boolean | string>")
]
PositionJson = Annotated[dict[str, Any], Checked("a position in its JSON form", "object")]
BotName = Annotated[str, Checked("the name of a bot", "string")]


class Nothing(TypedDict):
    """No fields."""


class Move(TypedDict):
    """An action on a cell.

    Attributes:
        cell: The cell.
        pointer: The path of the pointer since the last move.
    """

    cell: Cell
    pointer: NotRequired[PointerPath]


class Undo(TypedDict):
    """An undo.

    Attributes:
        pointer: The path of the pointer since the last move.
    """

    pointer: NotRequired[PointerPath]


class New(TypedDict):
    """A new game.

    Attributes:
        settings: The settings to change.
        seed: The seed of the board; a game with a given seed does not count.
    """

    settings: NotRequired[SomeSettings]
    seed: NotRequired[Seed]


class SettingsChange(TypedDict):
    """Settings of the next game.

    Attributes:
        settings: The settings to change.
        questions: Whether a flag is followed by a question mark.
    """

    settings: NotRequired[SomeSettings]
    questions: NotRequired[bool]


class AssistChange(TypedDict):
    """Changes to the help settings.

    Attributes:
        mode: Who plays: the player, the player with help, or a bot.
        overlay: The overlay on unopened cells in Assisted and Automatic.
        show_states: Whether Fair shows its evaluation of each cell.
        debug: Whether Kaboom shows its debug view.
    """

    mode: NotRequired[Mode]
    overlay: NotRequired[OverlayKind]
    show_states: NotRequired[bool]
    debug: NotRequired[bool]


class AutomaticSettings(TypedDict):
    """Changes to the settings of automatic mode.

    Attributes:
        bot: The bot.
        delay_ms: Milliseconds between two actions; 0 plays as fast as the page draws.
        loop: Whether the bot starts another game after the end of one.
    """

    bot: NotRequired[BotName]
    delay_ms: NotRequired[Annotated[int, Range(0, limits.SLOWEST_MS)]]
    loop: NotRequired[bool]


class AutomaticChange(AutomaticSettings):
    """Changes to automatic mode.

    Attributes:
        do: Whether to play, pause or perform one action.
    """

    do: NotRequired[Literal["play", "pause", "step"]]


class DailyBoard(TypedDict):
    """A daily board.

    Attributes:
        day: The date (default: today in UTC).
    """

    day: NotRequired[Day]


class Drawn(TypedDict):
    """A turn that has been drawn.

    Attributes:
        turn: The turn number.
    """

    turn: Annotated[int, Range()]


class Thinking(TypedDict):
    """Where chances are computed.

    Attributes:
        here: Whether this window computes chances, and counts guesses in Assisted.
    """

    here: bool


class SharedPosition(TypedDict):
    """A position to continue.

    Attributes:
        position: The position; it has a mine total or a density.
        rules: The rule set (default: `classic`).
        options: Its options.
    """

    position: NotRequired[PositionJson]
    rules: NotRequired[RulesName]
    options: NotRequired[RulesOptions]


class Effect(Enum):
    """The effect of a message on the game; a bot that is playing is paused for it."""

    NONE = "none"
    CELL = "cell"
    """It acts on a cell. While a bot plays, it only pauses the bot."""
    GAME = "game"
    """It changes or replaces the game."""


@dataclass(frozen=True)
class Kind:
    """A kind of message from a window.

    Attributes:
        name: The value of its field ``type``.
        fields: Its other fields, a `TypedDict`.
        purpose: Its purpose.
        effect: Its effect on the game.
        replaces: Whether it starts another game, so that it need not wait for a slow move.
    """

    name: str
    fields: Any
    purpose: str
    effect: Effect = Effect.NONE
    replaces: bool = False


INCOMING: Final = {
    kind.name: kind
    for kind in (
        Kind("open", Move, "Open a cell.", Effect.CELL),
        Kind(
            "chord",
            Move,
            "Open the other neighbours of a number whose flags match it.",
            Effect.CELL,
        ),
        Kind(
            "mark",
            Move,
            "Change the mark of a cell: nothing, flag, question mark (if enabled), nothing.",
            Effect.CELL,
        ),
        Kind("undo", Undo, "Undo the last action; this counts as help.", Effect.GAME),
        Kind("new", New, "Start a new game.", replaces=True),
        Kind("again", Nothing, "Replay the same board once the game is over.", Effect.GAME),
        Kind("daily", DailyBoard, "Play a daily board.", Effect.GAME, replaces=True),
        Kind(
            "position",
            SharedPosition,
            "Continue from a shared position.",
            Effect.GAME,
            replaces=True,
        ),
        Kind(
            "settings",
            SettingsChange,
            "Set up the next game; a game that has not started is replaced immediately.",
        ),
        Kind("assist", AssistChange, "Choose the help to show."),
        Kind("automatic", AutomaticChange, "Choose a bot and how it plays; start or stop it."),
        Kind("drawn", Drawn, "Report that a bot's action was drawn. There is no answer."),
        Kind("hint", Nothing, "Request a hint, which counts as help."),
        Kind(
            "analyze",
            Nothing,
            "Report that the player opens the position on the analysis board, which counts as "
            "help in a running game.",
        ),
        Kind("sync", Nothing, "Request the full state."),
        Kind(
            "thinking",
            Thinking,
            "Report whether this window computes chances itself. If all windows do, the server "
            "sends no `overlay` and, in Assisted, no `guesses`. There is no answer.",
        ),
        Kind("guesses", Nothing, "Request the number of guesses so far."),
    )
}
"""Every kind of message that a window may send, by name."""


class Handlers(Generic[_Handler]):
    """Functions that handle messages, by kind."""

    def __init__(self) -> None:
        self.by_kind: dict[str, _Handler] = {}

    def register(self, *kinds: str) -> Callable[[_Handler], _Handler]:
        """Return a decorator for the function that handles messages of these kinds.

        Raises:
            ValueError: If there is no such kind, or it already has a handler.
        """

        def add(handler: _Handler) -> _Handler:
            for kind in kinds:
                if kind not in INCOMING or kind in self.by_kind:
                    raise ValueError(f"{kind!r} is no kind of message, or has a handler already")
                self.by_kind[kind] = handler
            return handler

        return add


JOBS: Final = Handlers[Callable[..., Any]]()
"""Functions that return a job, given the session, the fields and the id to answer."""


def parse(text: str | bytes | None, most: int = limits.MESSAGE_CHARACTERS) -> Json:
    """Parse a window's message.

    Args:
        text: The message.
        most: Its maximum length.

    Raises:
        BadMessage: If it is not a JSON object.
    """
    if not isinstance(text, str):
        raise BadMessage("a message must be text, got binary data")
    if len(text) > most:
        raise BadMessage(f"a message must have at most {most} characters, got {len(text)}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage(f"a message must be one JSON object, got {shown(text)}") from None
    if not isinstance(message, dict):
        raise BadMessage(f"a message must be one JSON object, got {shown(text)}")
    return message


def reply_id(message: Json) -> str | None:
    """Return the id for the answer, if the message has a valid one."""
    given = message.get("id")
    return given if isinstance(given, str) and len(given) <= ID_CHARACTERS else None


def fields_in(
    message: Json, kinds: Mapping[str, Kind] = INCOMING
) -> tuple[Kind, Mapping[str, Any]]:
    """Return the kind of a message and its fields.

    Args:
        message: The message.
        kinds: The kinds that the window may send.

    Raises:
        BadMessage: If there is no such kind, or a field is missing, unknown or invalid.
    """
    name = message.get("type")
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        known = ", ".join(sorted(kinds))
        raise BadMessage(f"unknown message type {shown(name)}; choose from: {known}")
    return kind, checked(message, kind.fields, ("type", "id"))
