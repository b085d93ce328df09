"""Messages from the server to a window."""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

from sapper.server.messages.automatic import AutomaticState
from sapper.server.messages.game import ClockTime, Daily, GameEvent, GameMessage, Standing
from sapper.server.messages.menu import Menu
from sapper.server.messages.values import AssistSettings, Cell, Settings

__all__ = [
    "OUTGOING",
    "AnnouncementsMessage",
    "AutomaticMessage",
    "CoverMessage",
    "DeltaMessage",
    "ErrorMessage",
    "GuessesMessage",
    "HintMessage",
    "MarksMessage",
    "OverlayMessage",
    "ReviewMessage",
    "SavingMessage",
    "StateMessage",
]


class ProofStep(TypedDict):
    """A step of a proof.

    Attributes:
        numbers: The numbers that it uses.
        total: Whether it also uses the mine total.
        safe: Cells that it proves safe.
        mined: Cells that it proves mined.
        assumed: Whether it assumes a mine on the cell of the hint.
        contradiction: Whether it ends in a contradiction.
        text: The step as text.
    """

    numbers: list[Cell]
    total: bool
    safe: list[Cell]
    mined: list[Cell]
    assumed: bool
    contradiction: bool
    text: str


class LeastRisky(TypedDict):
    """A least risky cell, if the hint is a different cell that wins more often.

    Attributes:
        cell: The cell.
        p_mine: Its chance of a mine.
        win_chance: The win chance if it is opened.
        error: The standard error of an estimate, or null.
    """

    cell: Cell
    p_mine: float
    win_chance: float
    error: float | None


class PatternName(TypedDict):
    """A named pattern on the board.

    Attributes:
        id: Its id in the pattern library.
        title: Its name, with its place and form.
        numbers: Its numbers.
    """

    id: str
    title: str
    numbers: list[Cell]


class Ways(TypedDict):
    """Two arrangements that fit a position.

    Attributes:
        mined: The mines of an arrangement with a mine on the cell, by index.
        clear: The mines of an arrangement without one.
    """

    mined: list[int]
    clear: list[int]


class Guess(TypedDict):
    """A guess of a finished game.

    Attributes:
        cell: The cell.
        p: The chance of a mine.
        least: The lowest chance on the board.
        safe: The number of cells that were proved safe.
        exploded: Whether it opened a mine.
        forbidden: Whether the rules made it a mine because they forbid such a guess.
    """

    cell: Cell
    p: float
    least: float
    safe: int
    exploded: bool
    forbidden: bool


class Problem(TypedDict):
    """An error.

    Attributes:
        code: Its code.
        message: Its text for players.
    """

    code: str
    message: str


class Answer(TypedDict):
    """A message that may answer another one.

    Attributes:
        re: The id of the message that this answers.
    """

    re: NotRequired[str | None]


class StateMessage(Answer):
    """Everything that a window shows; `welcome` is the first message.

    Attributes:
        game: The game.
        settings: The settings of the next game.
        questions: Whether a flag is followed by a question mark.
        assist: The help that is shown.
        automatic: Automatic mode.
        daily: The daily board.
        menu: In `welcome`, the choices.
    """

    type: Literal["welcome", "state"]
    game: GameMessage
    settings: Settings
    questions: bool
    assist: AssistSettings
    automatic: AutomaticState
    daily: Daily
    menu: NotRequired[Menu]


class DeltaMessage(Answer, Standing):
    """A change in the game.

    Attributes:
        cells: The cells that changed, by index, with their new characters.
        patch: If many cells of a big board changed, the board instead, with `=` for each
            unchanged cell.
        event: The cause of the change.
    """

    type: Literal["delta"]
    cells: list[tuple[int, str]]
    patch: NotRequired[str]
    event: GameEvent


class OverlayMessage(Answer):
    """The overlay of mine chances.

    Attributes:
        turn: The turn number of the position.
        whole: Whether it replaces the previous overlay; otherwise it has only the changes.
        chances: Cells beside numbers, by index, with a chance or the proved state; null for a cell
            that no longer has its own chance.
        outside: The same for all other unopened cells; null if there are none.
        solutions: The number of arrangements, or null.
        exact: Whether the chances are exact.
        weighted: Whether arrangements are weighted by a density.
    """

    type: Literal["overlay"]
    turn: int
    whole: bool
    chances: list[tuple[int, float | Literal["safe", "mine", "unknown"] | None]]
    outside: float | Literal["safe", "mine", "unknown"] | None
    solutions: str | None
    exact: bool
    weighted: bool


class Mark(TypedDict):
    """The mark of an overlay on a cell.

    Attributes:
        text: At most three characters.
        spoken: The text in words.
        tint: The tint of the cell; empty for none.
        heat: A colour from 0 to 1 instead of a tint, or null.
    """

    text: str
    spoken: str
    tint: str
    heat: float | None


class CoverMessage(Answer):
    """The marks of a registered overlay.

    Attributes:
        turn: The turn number of the position.
        overlay: The name of the overlay.
        whole: Whether it replaces all marks; otherwise it has only the changes.
        looks: The marks.
        cells: Cells by index, each with the number of its mark in `looks`; null for none.
    """

    type: Literal["cover"]
    turn: int
    overlay: str
    whole: bool
    looks: list[Mark]
    cells: list[tuple[int, int | None]]


class MarksMessage(Answer):
    """Kaboom's debug view.

    Attributes:
        turn: The turn number of the position.
        marks: One character per cell: `.` safe, `!` mined, `?` neither, `o` away from numbers, a
            space if open.
        frontier: The number of unopened cells beside numbers.
        outside: The number of other unopened cells.
        least: The fewest mines beside numbers, if known.
        most: The most mines beside numbers, if known.
        ms: The duration of the analysis, in milliseconds.
        advice: Kaboom's hint, or null.
    """

    type: Literal["marks"]
    turn: int
    marks: str
    frontier: int
    outside: int
    least: int | None
    most: int | None
    ms: float
    advice: str | None


class HintMessage(Answer):
    """A cell to open, and the reason.

    Attributes:
        turn: The turn number of the position.
        cell: The cell.
        action: The action to perform on it.
        p_mine: Its chance of a mine.
        proved: Whether it is proved safe.
        sentence: The reason as text.
        because: The numbers that prove it.
        win_chance: For a guess, the win chance, if known.
        kind: Whether the win chance is exact or an estimate.
        least_risky: A least risky cell, if the hint is a different one that wins more often.
        steps: The proof of a proved cell.
        pattern: The pattern that proves the cell, or null.
        ways: If nothing is proved, an arrangement with a mine on the cell and one without; null if
            they take too long.
        safe_count: The number of cells that are proved safe.
        exact: Whether the analysis is exact.
        first: Whether this is the first click of the game.
        granted: Whether the rules allow this guess.
        rules: The rule set.
        advice: The rule set's own hint.
    """

    type: Literal["hint"]
    turn: int
    cell: Cell
    action: str
    p_mine: float
    proved: bool
    sentence: str
    because: list[Cell]
    win_chance: NotRequired[float | None]
    kind: NotRequired[Literal["exact", "estimated"] | None]
    least_risky: NotRequired[LeastRisky | None]
    steps: NotRequired[list[ProofStep]]
    pattern: NotRequired[PatternName | None]
    ways: NotRequired[Ways | None]
    safe_count: int
    exact: bool
    first: NotRequired[bool]
    granted: NotRequired[bool]
    rules: NotRequired[str]
    advice: NotRequired[str]


class GuessesMessage(Answer):
    """The guesses so far, in Assisted and after the end.

    Attributes:
        turn: The turn number of the position.
        made: The number of guesses.
        forced: The number of guesses made when no cell was safe.
        needless: The number of guesses made when a cell was safe.
        each: After the end, each guess.
    """

    type: Literal["guesses"]
    turn: int
    made: int
    forced: int
    needless: int
    each: NotRequired[list[Guess]]


class ReviewMessage(Answer):
    """The explanation of a loss.

    Attributes:
        turn: The turn number of the position.
        cell: The mine that was opened.
        p: Its chance of a mine before the click.
        least: The lowest chance on the board.
        safe: The cells that were proved safe.
        mined: The mines of the board, by index; empty for a big board.
        clear: The mines of a board that fits and has none on the cell, or null.
        sentence: The explanation.
        pattern: The pattern that proved one of the safe cells, or null.
        wrong_flags: The wrong flags around a chord.
        exact: Whether the chances are exact.
    """

    type: Literal["review"]
    turn: int
    cell: Cell
    p: float
    least: float
    safe: list[Cell]
    mined: list[int]
    clear: list[int] | None
    sentence: str
    pattern: PatternName | None
    wrong_flags: list[Cell]
    exact: bool


class AutomaticMessage(Answer):
    """A change in automatic mode.

    Attributes:
        automatic: Its state.
        clock: The clock.
    """

    type: Literal["automatic"]
    automatic: AutomaticState
    clock: ClockTime


class SavingMessage(Answer):
    """Whether moves are saved, sent before the first answer that it applies to.

    Attributes:
        problem: The reason why moves are not saved; null once they are saved again.
        restart: Whether only a restart of the server helps.
    """

    type: Literal["saving"]
    problem: str | None
    restart: NotRequired[bool]


class AnnouncementEntry(TypedDict):
    """An announcement by the operator.

    Attributes:
        id: Its id.
        text: Its text, not translated; may be empty for a restart.
        restart: Whether it announces a restart of the server.
        in_ms: Milliseconds until the announced event, or null; negative after it.
        ends_in_ms: Milliseconds until the announcement ends.
    """

    id: str
    text: str
    restart: bool
    in_ms: int | None
    ends_in_ms: int


class BanEntry(TypedDict):
    """The ban of the account that was signed in.

    Attributes:
        name: The name of the account.
        reason: The operator's reason.
        until_ms: When it ends, in milliseconds since 1970, or null.
    """

    name: str
    reason: str
    until_ms: int | None


class AnnouncementsMessage(Answer):
    """All current announcements; replaces the previous ones.

    Attributes:
        announcements: The announcements, oldest first.
        ban: In the first one, the ban that makes this window a guest, if any.
    """

    type: Literal["announcements"]
    announcements: list[AnnouncementEntry]
    ban: NotRequired[BanEntry]


class ErrorMessage(Answer):
    """An error; it has no `type`.

    Attributes:
        error: The error.
    """

    error: Problem


OUTGOING: Final[dict[str, Any]] = {
    "welcome": StateMessage,
    "state": StateMessage,
    "delta": DeltaMessage,
    "overlay": OverlayMessage,
    "cover": CoverMessage,
    "marks": MarksMessage,
    "automatic": AutomaticMessage,
    "hint": HintMessage,
    "saving": SavingMessage,
    "guesses": GuessesMessage,
    "review": ReviewMessage,
    "announcements": AnnouncementsMessage,
    "": ErrorMessage,
}
"""Every kind of message from the server, by its field ``type``; errors have none."""
