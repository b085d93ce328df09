"""The game in messages from the server: its state, its events and the daily board."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from sapper.server.messages.values import AssistSettings, Cell, Settings, Status

__all__ = [
    "Before",
    "ClockTime",
    "Daily",
    "DayResult",
    "GameEvent",
    "GameMessage",
    "Result",
    "Standing",
]


class ClockTime(TypedDict):
    """The displayed time.

    Attributes:
        seconds: The seconds so far.
        running: Whether it runs.
    """

    seconds: float
    running: bool


class Standing(TypedDict):
    """The state of a game, sent with every change.

    Attributes:
        turn: The turn number, increased by one with every change.
        status: The status.
        mines_left: The mine total minus the flags; null if there is no total.
        clock: The clock.
        can_undo: Whether there is an action to undo.
        actions: The number of actions so far.
        helped: The reason why the game does not count, or null.
        seed: The seed, once the game is over.
    """

    turn: int
    status: Status
    mines_left: int | None
    clock: ClockTime
    can_undo: bool
    actions: int
    helped: str | None
    seed: int | None


class DayResult(TypedDict):
    """The first finished attempt at a daily board.

    Attributes:
        day: The day.
        won: Whether it was won.
        seconds: Its time.
        bbbv: The 3BV of the board.
        clicks: The clicks, including the one that opened the start.
        helped: The help that was used, or null.
    """

    day: str
    won: bool
    seconds: float
    bbbv: int
    clicks: int
    helped: str | None


class Daily(TypedDict):
    """The daily board; days are YYYY-MM-DD in UTC.

    Attributes:
        today: Today's date.
        yesterday: Yesterday's date.
        streak: The number of consecutive days won without help.
        results: The results of both days, null if there is none.
        calendar: For each month (YYYY-MM) in which a board was started, one character per day: `w`
            won, `h` won with help, `l` lost, `a` abandoned, `p` being played, `.` not played.
    """

    today: str
    yesterday: str
    streak: int
    results: dict[str, DayResult | None]
    calendar: dict[str, str]


class Before(TypedDict):
    """A player's best figures before a win.

    Attributes:
        seconds: The time.
        bbbv_s: The 3BV per second.
        efficiency: The 3BV divided by the clicks.
    """

    seconds: float
    bbbv_s: float | None
    efficiency: float | None


class Result(TypedDict):
    """The figures of a finished game; wins also have the fields from `rank` on.

    Attributes:
        seconds: The time.
        bbbv: The 3BV.
        solved: The 3BV solved.
        clicks: The clicks.
        helped: The reason why the game does not count, or null.
        rank: The rank by time among `wins`, or null if the win is not compared.
        wins: The number of wins compared.
        best: The previous best time.
        before: The previous best figures, if any.
        streak: The number of consecutive wins, including this one.
        longest: The longest earlier streak.
    """

    seconds: float
    bbbv: int
    solved: int
    clicks: int
    helped: str | None
    rank: NotRequired[int | None]
    wins: NotRequired[int | None]
    best: NotRequired[float | None]
    before: NotRequired[Before | None]
    streak: NotRequired[int]
    longest: NotRequired[int]


class GameMessage(Standing):
    """The complete game.

    Attributes:
        key: Changes with every game.
        day: The date of a daily board; otherwise null.
        attempt: Whether this is the attempt that counts.
        width: The number of columns.
        height: The number of rows.
        mines: The mine total, or null.
        density: On a board with a density, the chance of a mine on each cell; otherwise null.
        topology: The shape of the board.
        settings: The settings of the game.
        result: The figures of the finished game; null if only a bot played it.
        rows: One string per row.
        packed: On a board of more than 10,000 cells, the whole board instead of `rows`.
    """

    key: str
    day: str | None
    attempt: bool
    width: int
    height: int
    mines: int | None
    density: float | None
    topology: str
    settings: Settings
    result: Result | None
    rows: NotRequired[list[str]]
    packed: NotRequired[str]


class GameEvent(TypedDict):
    """The cause of a change. An event that ends the game also has the fields of a `Result`.

    Attributes:
        kind: The effect; `nothing` if there was none.
        tried: The action.
        why: The reason why a chord opened nothing.
        cell: The cell.
        shows: The character that shows the cell once it has been marked.
        bot: The bot that acted.
        assist: The help that is shown.
        daily: The daily board, if its attempt is over.
        game: The id of the finished game in the history.
    """

    kind: Literal["open", "chord", "mark", "undo", "nothing", "assist"]
    tried: NotRequired[Literal["open", "chord", "mark", "undo"]]
    why: NotRequired[Literal["flags", "finished", "unopened"]]
    cell: NotRequired[Cell]
    shows: NotRequired[str]
    bot: NotRequired[str]
    assist: NotRequired[AssistSettings]
    daily: NotRequired[Daily]
    game: NotRequired[str]
    seconds: NotRequired[float]
    bbbv: NotRequired[int]
    solved: NotRequired[int]
    clicks: NotRequired[int]
    helped: NotRequired[str | None]
    rank: NotRequired[int | None]
    wins: NotRequired[int | None]
    best: NotRequired[float | None]
    before: NotRequired[Before | None]
    streak: NotRequired[int]
    longest: NotRequired[int]
