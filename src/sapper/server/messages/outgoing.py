"""Messages from the server to a window, and the values in them."""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

from sapper.server.messages.values import AssistSettings, Cell, Settings, Status

__all__ = [
    "OUTGOING",
    "AutomaticMessage",
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
        turn: Increased by one with every change.
        status: The status.
        mines_left: The mine total minus the flags; null if there is no total.
        clock: The clock.
        can_undo: Whether there is an action to undo.
        actions: The number of actions so far.
        helped: Why the game does not count, or null.
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
    """The first finished attempt at the board of a day.

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
        calendar: For each month (YYYY-MM) with a board that was started, one character per day: `w`
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
        solved: The part of the 3BV that is open.
        clicks: The clicks.
        helped: Why the game does not count, or null.
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
        day: The day whose board this is, or null.
        attempt: Whether it is the attempt that counts.
        width: The number of columns.
        height: The number of rows.
        mines: The mine total, or null.
        density: On a board by density, the chance of a mine on each cell; otherwise null.
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


class MenuChoice(TypedDict):
    """A choice of the menu.

    Attributes:
        name: Its name in messages.
        label: Its label for players.
    """

    name: str
    label: str


class FirstClickChoice(MenuChoice):
    """A promise of the first click.

    Attributes:
        keeps_clear: The cells without mines: none, the first cell, or its neighbours too.
    """

    keeps_clear: Literal["nothing", "cell", "neighbours"]


class Level(MenuChoice):
    """A level of the menu.

    Attributes:
        width: The number of columns.
        height: The number of rows.
        mines: The mine total.
    """

    width: int
    height: int
    mines: int


class RuleOption(MenuChoice):
    """An option of a rule set: a switch or a choice.

    Attributes:
        default: Its default.
        summary: Its description.
        choices: The choices; empty for a switch.
    """

    default: bool | str
    summary: str
    choices: list[MenuChoice]


class RuleSet(MenuChoice):
    """A rule set of the menu.

    Attributes:
        max_cells: The cells of the largest board that may be played.
        summary: Its description.
        first_clicks: The promises of the first click that it allows.
        wins: The ways to win that it allows.
        options: Its options.
        aid: Its own overlay: `states`, `marks` or empty.
        invitation: The text of a button that offers these rules to new players; empty for most.
    """

    max_cells: int
    summary: str
    first_clicks: list[FirstClickChoice]
    wins: list[MenuChoice]
    options: list[RuleOption]
    aid: str
    invitation: str


class BotEntry(MenuChoice):
    """A bot of the menu.

    Attributes:
        summary: Its description.
    """

    summary: str


class Menu(TypedDict):
    """The choices on the page, as `/api/menu` returns them.

    Attributes:
        levels: The levels.
        rules: The rule sets.
        chords: The conditions for chords.
        bots: The bots.
    """

    levels: list[Level]
    rules: list[RuleSet]
    chords: list[MenuChoice]
    bots: list[BotEntry]


class LogEntry(TypedDict):
    """An earlier choice of a bot.

    Attributes:
        number: Counted from 1 in each game.
        by: The method that decided.
        risk: The bot's estimate of the chance of a mine, or null.
        guess: Whether it is a guess.
        opens: The number of cells to open.
        marks: The number of cells to mark.
        first: The first of these cells, if there is one.
    """

    number: int
    by: str
    risk: float | None
    guess: bool
    opens: int
    marks: int
    first: list[Cell]


class BotChoice(TypedDict):
    """The current choice of a bot.

    Attributes:
        number: Counted from 1 in each game.
        by: The method that decided.
        risk: The bot's estimate of the chance of a mine, or null.
        guess: Whether it is a guess.
        opens: The cells to open, by index.
        marks: The cells to mark, by index.
    """

    number: int
    by: str
    risk: float | None
    guess: bool
    opens: list[int]
    marks: list[int]


class AutomaticState(TypedDict):
    """Automatic mode.

    Attributes:
        bot: The bot.
        delay_ms: Milliseconds between two actions; 0 plays as fast as the page draws.
        loop: Whether the bot starts another game after the end of one.
        running: Whether it plays.
        thinking: Whether it has been thinking for a while.
        problem: Why it stopped, or null.
        choice: Its current choice, or null.
        log: Its last choices in this game, oldest first.
        games: The number of games that it finished without the player.
        wins: The number of these that it won.
    """

    bot: str
    delay_ms: int
    loop: bool
    running: bool
    thinking: bool
    problem: str | None
    choice: BotChoice | None
    log: list[LogEntry]
    games: int
    wins: int


class GameEvent(TypedDict):
    """What caused a change. If it ends the game, it also has the figures of a `Result`.

    Attributes:
        kind: The effect; `nothing` if there was none.
        tried: The action.
        why: Why a chord opened nothing.
        cell: The cell.
        shows: What the cell shows after a mark.
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
    """A least risky cell, if the hint is another cell that wins more often.

    Attributes:
        cell: The cell.
        p_mine: Its chance of a mine.
        win_chance: The chance to win if it is opened.
        error: The standard error of an estimate, or null.
    """

    cell: Cell
    p_mine: float
    win_chance: float
    error: float | None


class Ways(TypedDict):
    """Two arrangements that fit a position.

    Attributes:
        mined: The mines of one with a mine on the cell, by index.
        clear: The mines of one without.
    """

    mined: list[int]
    clear: list[int]


class Guess(TypedDict):
    """A guess of a finished game.

    Attributes:
        cell: The cell.
        p: The chance of a mine.
        least: The least chance on the board.
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
    """A change of the game.

    Attributes:
        cells: The cells that changed, by index, with their new characters.
        patch: If many cells of a big board changed, the board instead, with `=` for each
            unchanged cell.
        event: What caused the change.
    """

    type: Literal["delta"]
    cells: list[tuple[int, str]]
    patch: NotRequired[str]
    event: GameEvent


class OverlayMessage(Answer):
    """The overlay of mine chances.

    Attributes:
        turn: The turn of the position.
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


class MarksMessage(Answer):
    """Kaboom's debug view.

    Attributes:
        turn: The turn of the position.
        marks: One character per cell: `.` safe, `!` mined, `?` neither, `o` away from numbers, a
            space if open.
        frontier: The number of unopened cells beside numbers.
        outside: The number of other unopened cells.
        least: The fewest mines beside numbers, if known.
        most: The most mines beside numbers, if known.
        ms: The time of the analysis in milliseconds.
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
    """A cell to open, and why.

    Attributes:
        turn: The turn of the position.
        cell: The cell.
        action: The action to perform on it.
        p_mine: Its chance of a mine.
        proved: Whether it is proved safe.
        sentence: The reason as text.
        because: The numbers that prove it.
        win_chance: For a guess, the chance to win, if known.
        kind: Whether that is exact or an estimate.
        least_risky: A least risky cell, if the hint is another one that wins more often.
        steps: The proof of a proved cell.
        ways: If nothing is proved, an arrangement with a mine on the cell and one without; null if
            they take too long.
        safe_count: The number of cells that are proved safe.
        exact: Whether the analysis is exact.
        first: Whether this is the first click of the game.
        granted: Whether the rules allow this guess.
        rules: The rule set.
        advice: The hint of the rule set itself.
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
        turn: The turn of the position.
        made: The number of guesses.
        forced: The number made when no cell was safe.
        needless: The number made when a cell was safe.
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
        turn: The turn of the position.
        cell: The mine that was opened.
        p: Its chance of a mine before the click.
        least: The least chance on the board.
        safe: The cells that were proved safe.
        mined: The mines of the board, by index; empty for a big board.
        clear: The mines of a board that fits and has none on the cell, or null.
        sentence: The explanation.
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
    wrong_flags: list[Cell]
    exact: bool


class AutomaticMessage(Answer):
    """A change of automatic mode.

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
        problem: Why moves are not saved; null once they are saved again.
        restart: Whether only a restart of the server helps.
    """

    type: Literal["saving"]
    problem: str | None
    restart: NotRequired[bool]


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
    "marks": MarksMessage,
    "automatic": AutomaticMessage,
    "hint": HintMessage,
    "saving": SavingMessage,
    "guesses": GuessesMessage,
    "review": ReviewMessage,
    "": ErrorMessage,
}
"""Every kind of message from the server, by its field ``type``; errors have none."""
