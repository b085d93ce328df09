"""Messages from the server to a room window."""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

from sapper.server.messages.outgoing import AnnouncementsMessage, ErrorMessage, SavingMessage
from sapper.server.messages.values import Cell

__all__ = ["ROOM_OUTGOING"]

RaceStatus = Literal["racing", "finished", "out", "left"]


class RoomMember(TypedDict):
    """A member of a room.

    Attributes:
        number: The number of the member, never reused in this room.
        colour: The number of the member's colour.
        name: The name of the account or bot; for a guest, a number such as `#137`, which the page
            shows as its colour 137 % 24 and its animal 137 // 24.
        plays: Whether the member plays; otherwise, the member watches.
        connected: Whether a window of the member is open.
        bot: The name of the bot, or null for people.
        strength: The strength of the bot, or null.
        waits: Whether a watcher has asked the host to play.
        votes: The number of votes for the removal of the player.
        rematch: Whether the player has asked for a rematch.
    """

    number: int
    colour: int
    name: str
    plays: bool
    connected: bool
    bot: str | None
    strength: str | None
    waits: bool
    votes: NotRequired[int]
    rematch: NotRequired[bool]


class BoardShape(TypedDict):
    """The board of a room's level.

    Attributes:
        width: The number of columns.
        height: The number of rows.
        mines: The mine total, or null if players do not know it.
        topology: The name of its shape.
    """

    width: int
    height: int
    mines: int | None
    topology: str


class RoomView(TypedDict):
    """The part of a view that all rooms have, and all that people who have not joined can see.

    Attributes:
        you: The number of the member that it is for; null for people who have not joined.
        time_ms: The room's clock; in a finished game on a shared board, its length.
        settings: The settings of the room.
        board_shape: The board of its level.
        members: The members.
        host: The number of the host, or null.
        locked: Whether only members can enter.
    """

    you: int | None
    time_ms: int
    settings: dict[str, bool | int | str]
    board_shape: BoardShape
    members: list[RoomMember]
    host: int | None
    locked: bool


class RaceBoard(TypedDict):
    """A player's own board in a race.

    Attributes:
        rows: Its rows; an opened mine is `*`.
        frozen_until_ms: The end of a freeze.
        status: The player's status.
        log: The number of actions so far.
    """

    rows: list[str]
    frozen_until_ms: int
    status: RaceStatus
    log: int


class RaceProgress(TypedDict):
    """A player's progress as the others see it.

    Attributes:
        number: The number of the member.
        status: The player's status.
        opened: The share of clear cells that are open, rounded down to a multiple of 0.05.
        map: Rows of blocks of at least 4x4 cells: `o` if at least half of the cells are open,
            otherwise `.`.
        frozen_until_ms: The end of a freeze.
        hits: The number of mines hit.
        silent: Whether the last action was too long ago.
        time_ms: The time of the last cell, or null.
    """

    number: int
    status: RaceStatus
    opened: float
    map: list[str]
    frozen_until_ms: int
    hits: int
    silent: bool
    time_ms: int | None


class RaceResult(TypedDict):
    """A player's result in a round.

    Attributes:
        number: The number of the member.
        name: The name.
        bot: The name of the bot, or null for people.
        status: The status at the end.
        time_ms: The time of the last cell, or null.
        opened: The number of opened clear cells.
        hits: The number of mines hit.
        place: The place, shared by equal results.
    """

    number: int
    name: str
    bot: str | None
    status: RaceStatus
    time_ms: int | None
    opened: int
    hits: int
    place: int


class RaceView(RoomView):
    """A race.

    Attributes:
        phase: The phase.
        round: The number of the round.
        wins: Numbers of members, each with the number of rounds won.
        phase_ends_ms: The end of a countdown or break.
        start_ms: The start of the round.
        progress: The progress of all players.
        board: The member's own board.
        results: After a round, its results.
        mines: After a round, the rows of its board; of the own one if the boards differ.
        over: After a round, whether the match is over.
    """

    kind: Literal["race"]
    phase: Literal["waiting", "countdown", "racing", "break", "over"]
    round: NotRequired[int]
    wins: NotRequired[list[list[int]]]
    phase_ends_ms: NotRequired[int]
    start_ms: NotRequired[int]
    progress: NotRequired[list[RaceProgress]]
    board: NotRequired[RaceBoard]
    results: NotRequired[list[RaceResult]]
    mines: NotRequired[list[str]]
    over: NotRequired[bool]


class SharedShare(TypedDict):
    """A member's share of the work on a shared board.

    Attributes:
        number: The number of the member.
        opened: The number of cells opened.
        flags: The number of flags set or removed.
        hits: The number of mines hit.
    """

    number: int
    opened: int
    flags: int
    hits: int


class SharedView(RoomView):
    """The view of a board that many players share.

    Attributes:
        phase: The phase.
        rows: The rows of the board; an opened mine is `*`.
        owners: Cells by index, each with the number of the member that opened or flagged it.
        shares: Each member's share of the work.
        lives: The lives left.
        start_ms: The start of the game.
        won: After the end, whether the game was won.
        mines: After the end, the rows of the board.
    """

    kind: Literal["shared"]
    phase: Literal["waiting", "playing", "won", "lost"]
    rows: NotRequired[list[str]]
    owners: NotRequired[list[list[int]]]
    shares: NotRequired[list[SharedShare]]
    lives: NotRequired[int]
    start_ms: NotRequired[int]
    won: NotRequired[bool]
    mines: NotRequired[list[str]]


class FlagsView(RoomView):
    """A game of Flags.

    Attributes:
        phase: The phase.
        rows: The rows of the board; a found mine is `*`.
        sides: The numbers of the members on both sides.
        owners: Found mines by index, each with the side that found it.
        turn: The side to move, 0 or 1.
        turn_ends_ms: The end of the turn.
        scores: The mines found by each side.
        bombs: Whether each side still has its bomb.
        winner: After the end, the side that won.
        mines: After the end, the rows of the board.
    """

    kind: Literal["flags"]
    phase: Literal["waiting", "playing", "over"]
    rows: NotRequired[list[str]]
    sides: NotRequired[list[int]]
    owners: NotRequired[list[list[int]]]
    turn: NotRequired[int]
    turn_ends_ms: NotRequired[int]
    scores: NotRequired[list[int]]
    bombs: NotRequired[list[bool]]
    winner: NotRequired[int | None]
    mines: NotRequired[list[str]]


class RoomAnswer(TypedDict):
    """A message about a room.

    Attributes:
        now_ms: The room's clock; for watchers of rated games, it lags like everything they see.
        re: The id of the message that this answers.
    """

    now_ms: int
    re: NotRequired[str]


class RoomViewMessage(RoomAnswer):
    """Everything that the window may see: the first message, and after joining.

    Attributes:
        code: The room's code.
        public: Whether the room is listed.
        view: The view.
    """

    type: Literal["view"]
    code: str
    public: bool
    view: RaceView | SharedView | FlagsView


class RoomMembersMessage(RoomAnswer):
    """The members after a change.

    Attributes:
        members: All members.
        host: The number of the host, or null.
        locked: Whether only members can enter.
    """

    type: Literal["members"]
    members: list[RoomMember]
    host: int | None
    locked: bool


class RoomPhraseMessage(RoomAnswer):
    """A phrase that a player says.

    Attributes:
        number: The number of the member.
        phrase: The name of the phrase.
    """

    type: Literal["phrase"]
    number: int
    phrase: str


class RoomEndMessage(RoomAnswer):
    """The end for this visitor.

    `left`: no longer a member. `removed`: removed by the host or the other players. `closed`: the
    room no longer exists.
    """

    type: Literal["left", "removed", "closed"]


class RoomDoneMessage(RoomAnswer):
    """The answer to a message that changed nothing for this member."""

    type: Literal["done"]


class RaceCountdownMessage(RoomAnswer):
    """A round is about to start.

    Attributes:
        round: The number of the round.
        starts_ms: Its start.
    """

    type: Literal["countdown"]
    round: int
    starts_ms: int


class RaceStoppedMessage(RoomAnswer):
    """The countdown has stopped, because all others have left; the room waits for players."""

    type: Literal["stopped"]


class RaceBoardMessage(RoomAnswer):
    """The member's board at the start of a round, or after joining it late.

    Attributes:
        board: The board.
        start_ms: The start of the round.
    """

    type: Literal["board"]
    board: RaceBoard
    start_ms: int


class RoomCellsMessage(RoomAnswer):
    """Changed cells of the member's own board in a race, or of the shared board.

    Attributes:
        cells: Rows, columns and characters.
        number: On a shared board, the number of the member that changed them.
        lives: On a shared board, the lives left.
    """

    type: Literal["cells"]
    cells: list[tuple[int, int, str]]
    number: NotRequired[int]
    lives: NotRequired[int]


class RaceMineMessage(RoomAnswer):
    """The member has hit a mine in a race.

    Attributes:
        status: The member's status.
        frozen_until_ms: The end of the freeze.
    """

    type: Literal["mine"]
    status: RaceStatus
    frozen_until_ms: int


class RaceProgressMessage(RoomAnswer):
    """The progress of players since the last message, at most every 200 milliseconds.

    Attributes:
        racers: The players.
    """

    type: Literal["progress"]
    racers: list[RaceProgress]


class RaceFinishedMessage(RoomAnswer):
    """A player has opened all clear cells.

    Attributes:
        number: The number of the member.
        time_ms: The time.
    """

    type: Literal["finished"]
    number: int
    time_ms: int


class RoundOverMessage(RoomAnswer):
    """The end of a round.

    Attributes:
        results: The results, in order.
        mines: The rows of the board; if the boards differ, of the own one, and none for watchers.
        wins: Numbers of members, each with the number of rounds won.
        over: Whether the match is over.
    """

    type: Literal["round_over"]
    results: list[RaceResult]
    mines: list[str]
    wins: list[list[int]]
    over: bool


class SharedPointerMessage(RoomAnswer):
    """A member's pointer on a shared board.

    Attributes:
        number: The number of the member.
        x: Its distance from the left side of the board in 16ths of a cell.
        y: Its distance from the top side.
    """

    type: Literal["pointer"]
    number: int
    x: int
    y: int


class RoomGameMessage(RoomAnswer):
    """The start of a game on a shared board, or of Flags.

    Attributes:
        rows: The rows of the board.
        owners: As in the view.
        shares: On a shared board, each member's share of the work.
        lives: On a shared board, the lives left.
        start_ms: On a shared board, the start of the game.
        sides: In Flags, the numbers of the members on both sides.
        turn: In Flags, the side to move.
        turn_ends_ms: In Flags, the end of the turn.
        scores: In Flags, the mines found by each side.
        bombs: In Flags, whether each side still has its bomb.
    """

    type: Literal["game"]
    rows: list[str]
    owners: list[list[int]]
    shares: NotRequired[list[SharedShare]]
    lives: NotRequired[int]
    start_ms: NotRequired[int]
    sides: NotRequired[list[int]]
    turn: NotRequired[int]
    turn_ends_ms: NotRequired[int]
    scores: NotRequired[list[int]]
    bombs: NotRequired[list[bool]]


class RoomGameOverMessage(RoomAnswer):
    """The end of a game on a shared board, or of Flags.

    Attributes:
        mines: The rows of the board.
        won: On a shared board, whether the game was won.
        time_ms: On a shared board, the length of the game.
        shares: On a shared board, each member's share of the work.
        winner: In Flags, the side that won.
    """

    type: Literal["game_over"]
    mines: list[str]
    won: NotRequired[bool]
    time_ms: NotRequired[int]
    shares: NotRequired[list[SharedShare]]
    winner: NotRequired[int | None]


class FlagsTurnMessage(RoomAnswer):
    """A turn in Flags exceeded its time limit.

    Attributes:
        turn: The side to move.
        turn_ends_ms: The end of the turn.
        scores: The mines found by each side.
        bombs: Whether each side still has its bomb.
    """

    type: Literal["turn"]
    turn: int
    turn_ends_ms: int
    scores: list[int]
    bombs: list[bool]


class FlagsMoveMessage(RoomAnswer):
    """A move in Flags.

    Attributes:
        side: The side that moved.
        cell: The cell.
        bomb: Whether it was the bomb.
        found: The number of mines found.
        cells: The changed cells: rows, columns and characters.
        turn: The side to move.
        turn_ends_ms: The end of the turn.
        scores: The mines found by each side.
        bombs: Whether each side still has its bomb.
    """

    type: Literal["move"]
    side: int
    cell: Cell
    bomb: bool
    found: int
    cells: list[tuple[int, int, str]]
    turn: int
    turn_ends_ms: int
    scores: list[int]
    bombs: list[bool]


ROOM_OUTGOING: Final[dict[str, Any]] = {
    "view": RoomViewMessage,
    "members": RoomMembersMessage,
    "phrase": RoomPhraseMessage,
    "left": RoomEndMessage,
    "removed": RoomEndMessage,
    "closed": RoomEndMessage,
    "done": RoomDoneMessage,
    "countdown": RaceCountdownMessage,
    "stopped": RaceStoppedMessage,
    "board": RaceBoardMessage,
    "cells": RoomCellsMessage,
    "mine": RaceMineMessage,
    "progress": RaceProgressMessage,
    "finished": RaceFinishedMessage,
    "round_over": RoundOverMessage,
    "pointer": SharedPointerMessage,
    "game": RoomGameMessage,
    "game_over": RoomGameOverMessage,
    "turn": FlagsTurnMessage,
    "move": FlagsMoveMessage,
    "saving": SavingMessage,
    "announcements": AnnouncementsMessage,
    "": ErrorMessage,
}
"""Every kind of message to a room window, by its field ``type``; errors have none."""
