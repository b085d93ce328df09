"""The effect of each action in a game."""

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.dealer.fixed import ClassicDealer
from sapper.errors import BadPosition, BadSetting, IllegalAction, InconsistentPosition, SapperError
from sapper.game import Counts, Game
from sapper.game.events import (
    Chorded,
    Event,
    Exploded,
    Flagged,
    Hinted,
    Opened,
    Questioned,
    Restarted,
    Started,
    Undone,
    Unflagged,
    Unquestioned,
    Won,
)
from sapper.position import UNOPENED, Position
from sapper.topology import topology
from support.chi_square import chi_square_p

# Two mines on the left, an opening on the right and an island cell at (2, 0).
BOARD = Board.parse("""
*200
*200
1100
""")


class FakeTime:
    """A time source that tests can advance."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def game() -> Game:
    """A new game on BOARD."""
    return Game.from_board(BOARD)


def rows(game: Game) -> str:
    """Return the position on one line."""
    return "/".join(game.position.rows)


def test_new_game_is_ready_and_unopened() -> None:
    """Before the first click, nothing is open, and the counter shows the mine total."""
    game = Game("beginner", seed=1)
    assert (game.status, game.over, game.mines_left) == ("ready", False, 10)
    assert game.position == Position.parse("\n".join(["." * 9] * 9), mines=10)
    assert game.counts == Counts()


def test_number_opens_only_itself(game: Game) -> None:
    """A cell next to mines shows their number, and the game continues."""
    assert game.open((2, 0))
    assert (rows(game), game.status) == ("..../..../1...", "playing")


def test_zero_opens_its_opening() -> None:
    """A zero opens its neighbours, and so does each zero among them."""
    game = Game.from_board(Board.parse("00111\n001*1\n00111"))
    game.open((0, 0))
    assert rows(game) == "001../001../001.."


def test_win_flags_the_mines(game: Game) -> None:
    """A won position has a flag on every mine, and the counter shows 0."""
    game.open((0, 3))
    assert game.status == "playing"
    game.open((2, 0))
    assert (game.status, rows(game)) == ("won", "F200/F200/1100")
    assert game.mines_left == 0
    assert game.board == BOARD


def test_opening_a_mine_loses(game: Game) -> None:
    """The position shows the opened mine; the other mines are only on the board."""
    game.open((2, 0))
    assert game.open((0, 0))
    assert (game.status, rows(game)) == ("lost", "*.../..../1...")
    assert game.board == BOARD


@pytest.mark.parametrize("act", [Game.open, Game.flag, Game.question, Game.chord])
def test_finished_game_rejects_actions(
    game: Game, act: Callable[[Game, tuple[int, int]], bool]
) -> None:
    """Any action in a finished game raises an error."""
    game.open((0, 0))
    with pytest.raises(IllegalAction, match=r"cannot \w+ \(2, 0\): the game is lost"):
        act(game, (2, 0))
    assert game.counts.clicks == 1


@pytest.mark.parametrize("act", [Game.open, Game.flag, Game.question, Game.chord])
def test_cell_off_the_board_is_rejected(
    game: Game, act: Callable[[Game, tuple[int, int]], bool]
) -> None:
    """A cell off the board raises an error and does not count as a click."""
    with pytest.raises(BadSetting, match=r"no cell \(3, 0\)"):
        act(game, (3, 0))
    assert game.counts.clicks == 0
    assert game.log == ()


def test_flagged_cell_does_not_open(game: Game) -> None:
    """Opening a flagged cell has no effect; flagging it again removes the flag."""
    assert game.flag((0, 0))
    assert not game.open((0, 0))
    assert (rows(game), game.mines_left, game.status) == ("F.../..../....", 1, "ready")
    assert game.flag((0, 0))
    assert (rows(game), game.mines_left) == ("..../..../....", 2)


def test_flood_stops_at_flags() -> None:
    """Flagged cells stay closed, and so do cells that are reached only through them."""
    game = Game.from_board(Board.parse("000001*1"))
    game.flag((0, 2))
    game.open((0, 0))
    assert rows(game) == "00F....."


def test_number_of_flags_is_not_limited(game: Game) -> None:
    """With too many flags, the counter is negative."""
    for cell in BOARD.topology.cells():
        game.flag(cell)
    assert game.mines_left == 2 - 12
    assert game.status == "ready"


def test_question_mark_replaces_flag(game: Game) -> None:
    """Right clicks cycle through flag, question mark and nothing; one undo restores a flag."""
    game.flag((0, 0))
    assert game.question((0, 0))
    assert (rows(game)[0], game.questions) == (".", {(0, 0)})
    game.question((0, 0))
    assert game.questions == frozenset()
    game.question((0, 0))
    game.flag((0, 0))
    assert (rows(game)[0], game.questions) == ("F", frozenset())


def test_cell_with_question_mark_opens(game: Game) -> None:
    """A cell with a question mark opens and loses the mark."""
    game.question((2, 0))
    assert game.open((2, 0))
    assert game.questions == frozenset()


def test_open_cell_cannot_be_flagged(game: Game) -> None:
    """Flagging an open cell has no effect."""
    game.open((2, 0))
    assert not game.flag((2, 0))
    assert not game.question((2, 0))
    assert rows(game) == "..../..../1..."


def test_chord_opens_unflagged_neighbours(game: Game) -> None:
    """Two flags next to a 2 let it open its other neighbours, zeros with their openings."""
    game.open((1, 1))
    game.flag((0, 0))
    game.flag((1, 0))
    assert game.chord((1, 1))
    assert game.status == "won"


def test_chord_needs_exactly_matching_flags(game: Game) -> None:
    """With one flag too few or too many, a chord has no effect."""
    game.open((1, 1))
    assert not game.chord((1, 1))
    for cell in [(0, 0), (0, 1), (0, 2)]:
        game.flag(cell)
    assert not game.chord((1, 1))
    assert rows(game) == "FFF./.2../...."


def test_at_least_allows_extra_flags() -> None:
    """If extra flags are allowed, a 2 can be chorded with three flags, but not with one."""
    game = Game.from_board(BOARD, chord="at_least")
    game.open((1, 1))
    game.flag((0, 0))
    assert not game.chord((1, 1))
    game.flag((1, 0))
    game.flag((0, 1))
    assert game.chord((1, 1))
    assert rows(game) == "FF00/F200/1100"


def test_chord_on_wrong_flag_can_lose(game: Game) -> None:
    """If a flag is wrong, a chord opens neighbours in row order up to the first mine."""
    game.open((1, 1))
    game.flag((0, 1))
    game.flag((1, 0))
    assert game.chord((1, 1))
    assert (game.status, rows(game)) == ("lost", "*F../F2../....")


@pytest.mark.parametrize("cell", [(0, 0), (2, 0), (0, 3)])
def test_chord_on_other_cells_does_nothing(game: Game, cell: tuple[int, int]) -> None:
    """Unopened cells, flags, and numbers without unopened neighbours cannot be chorded."""
    game.flag((2, 0))
    game.open((0, 3))
    before = rows(game)
    assert not game.chord(cell)
    assert rows(game) == before


def test_flags_can_win() -> None:
    """If flags are required to win, only flagging exactly the mines wins."""
    game = Game.from_board(BOARD, win="flags")
    game.open((0, 3))
    game.open((2, 0))
    assert game.status == "playing"
    game.flag((0, 0))
    game.flag((1, 0))
    assert game.status == "won"


def test_extra_flag_prevents_the_win() -> None:
    """One extra flag prevents the win; removing it wins."""
    game = Game.from_board(BOARD, win="flags")
    game.open((2, 0))
    for cell in [(0, 1), (0, 0), (1, 0)]:
        game.flag(cell)
    assert game.status == "playing"
    game.flag((0, 1))
    assert (game.status, rows(game)) == ("won", "F.../F.../1...")


def test_win_by_question_mark_can_be_undone() -> None:
    """Turning the only wrong flag into a question mark wins by flags, and can be undone."""
    game = Game.from_board(BOARD, win="flags")
    game.open((2, 0))
    for cell in [(0, 1), (0, 0), (1, 0)]:
        game.flag(cell)
    game.question((0, 1))
    assert (game.status, game.questions) == ("won", {(0, 1)})
    game.undo()
    assert (rows(game), game.questions) == ("FF../F.../1...", frozenset())


@pytest.mark.parametrize("by", ["open", "flags"])
def test_flags_or_openings_can_win(by: str) -> None:
    """If flags or openings can win, whichever is complete first wins."""
    game = Game.from_board(BOARD, win="either")
    game.open((0, 3))
    if by == "open":
        game.open((2, 0))
    else:
        game.flag((0, 0))
        game.flag((1, 0))
    assert game.status == "won"


def test_flags_before_the_first_opening_never_win() -> None:
    """An untouched board cannot be won by flags."""
    game = Game.from_board(BOARD, win="flags")
    game.flag((0, 0))
    game.flag((1, 0))
    assert game.status == "ready"


def test_board_without_mines_is_won_at_once() -> None:
    """The first opening wins under every win rule."""
    for win in ("open", "flags", "either"):
        game = Game("5x5:0", win=win, seed=1)
        game.open((2, 2))
        assert game.status == "won"


def test_board_is_hidden_until_the_end(game: Game) -> None:
    """Reading the board before the end raises an error that gives the reason."""
    with pytest.raises(IllegalAction, match="hidden while the game is ready"):
        _ = game.board
    game.open((2, 0))
    with pytest.raises(IllegalAction, match="hidden while the game is playing"):
        _ = game.board


def test_density_does_not_reveal_the_total() -> None:
    """Neither the position nor the counter shows the number of mines."""
    game = Game("20x20@0.07", seed=3)
    game.flag((19, 19))
    game.open((0, 0))
    assert game.position.mines is None
    assert game.mines_left is None


def test_undo_reverts_each_action(game: Game) -> None:
    """Openings, flags, question marks and chords can be undone back to the start."""
    states = [(rows(game), game.questions, game.status)]
    for act, cell in [
        (game.question, (0, 2)),
        (game.open, (1, 1)),
        (game.flag, (0, 0)),
        (game.flag, (1, 0)),
        (game.question, (1, 0)),
        (game.flag, (1, 0)),
        (game.chord, (1, 1)),
    ]:
        act(cell)
        states.append((rows(game), game.questions, game.status))
    assert game.status == "won"
    for state in reversed(states[:-1]):
        assert game.undo()
        assert (rows(game), game.questions, game.status) == state
    assert not game.undo()
    assert game.mines_left == 2


def test_undo_after_loss_resumes_the_game(game: Game) -> None:
    """Undo removes the explosion, and the game continues."""
    game.open((0, 0))
    game.undo()
    assert (game.status, rows(game)) == ("ready", "..../..../....")
    game.open((0, 3))
    game.open((2, 0))
    assert game.status == "won"


def test_undo_removes_the_flags_of_a_win(game: Game) -> None:
    """The flags of a win would reveal the mines."""
    game.open((0, 3))
    game.open((2, 0))
    game.undo()
    assert (rows(game), game.mines_left, game.status) == (".200/.200/.100", 2, "playing")


def test_undo_of_first_click_restores_its_promise() -> None:
    """After the undo, the promise applies to the next first click."""
    for seed in range(20):
        game = Game("9x9:40", first_click="opening", seed=seed)
        for cell in [(0, 0), (4, 4), (8, 8)]:
            game.open(cell)
            assert game.position.number(cell) == 0
            game.undo()


def test_repeated_click_after_undo_has_the_same_result(game: Game) -> None:
    """Undo does not redraw the mines."""
    game = Game("expert", seed=9)
    game.open((3, 3))
    before = rows(game)
    game.undo()
    game.open((3, 3))
    assert rows(game) == before


def test_undo_can_be_disabled() -> None:
    """If undo is off, using it is an illegal action."""
    game = Game.from_board(BOARD, undo=False)
    game.open((2, 0))
    with pytest.raises(IllegalAction, match="undo is off"):
        game.undo()


def test_undo_skips_actions_without_effect(game: Game) -> None:
    """Undo reverts the last action that changed something."""
    game.open((2, 0))
    game.open((2, 0))
    game.chord((2, 0))
    game.undo()
    assert rows(game) == "..../..../...."


def test_effective_clicks_are_counted_separately(game: Game) -> None:
    """Clicks without effect are counted only as clicks; undo does not reduce either count."""
    game.open((1, 1))
    game.open((1, 1))
    game.flag((0, 0))
    game.flag((1, 1))
    game.question((1, 0))
    game.chord((1, 1))
    game.undo()
    game.flag((1, 0))
    game.chord((1, 1))
    assert game.counts == Counts(2, 4, 2, 1, 3, 1, undos=1)
    assert (game.counts.clicks, game.counts.effective) == (8, 5)


def test_listeners_receive_events_in_order(game: Game) -> None:
    """Each event arrives after it has happened, in order."""
    events: list[Event] = []
    game.subscribe(events.append)
    game.question((0, 0))
    game.flag((0, 0))
    game.flag((0, 0))
    game.question((0, 2))
    game.question((0, 2))
    game.open((1, 1))
    game.flag((0, 0))
    game.flag((1, 0))
    game.chord((1, 1))
    assert events[:6] == [
        Questioned((0, 0)),
        Flagged((0, 0)),
        Unquestioned((0, 0)),
        Unflagged((0, 0)),
        Questioned((0, 2)),
        Unquestioned((0, 2)),
    ]
    assert events[6:10] == [
        Started(),
        Opened(BOARD.topology, {5: 2}),
        Flagged((0, 0)),
        Flagged((1, 0)),
    ]
    assert events[10] == Chorded((1, 1))
    assert events[-1] == Won()
    opened = {c: n for e in events if isinstance(e, Opened) for c, n in e.cells.items()}
    assert opened == {
        cell: game.position.number(cell)
        for cell in BOARD.topology.cells()
        if not BOARD.is_mine(cell)
    }


def test_listeners_receive_losses_undos_and_restarts(game: Game) -> None:
    """Losses, undos and restarts have their own events."""
    events: list[Event] = []
    leave = game.subscribe(events.append)
    game.open((0, 0))
    game.undo()
    game.restart()
    game.announce(Hinted((2, 0)))
    leave()
    game.open((2, 0))
    assert events == [
        Started(),
        Exploded((0, 0)),
        Undone(((0, 0),)),
        Restarted(),
        Hinted((2, 0)),
    ]


def test_listener_runs_after_the_event(game: Game) -> None:
    """When the first event of a click arrives, the whole click is complete."""
    states: list[str] = []
    game.subscribe(lambda event: states.append(f"{type(event).__name__} {game.status}"))
    game.open((0, 0))
    assert states == ["Started lost", "Exploded lost"]


def test_clock_runs_from_first_opening_to_the_end() -> None:
    """Flags set before the first opening do not start the clock."""
    time = FakeTime()
    game = Game.from_board(BOARD, time=time)
    time.now_s += 5
    game.flag((0, 0))
    time.now_s += 5
    assert game.clock.player_s == 0
    game.open((0, 3))
    time.now_s += 7
    assert game.clock.player_s == 7
    game.open((2, 0))
    time.now_s += 9
    assert game.clock.player_s == 7
    assert [action.at_s for action in game.log] == [0, 0, 7]


def test_undo_after_loss_resumes_the_clock() -> None:
    """The clock resumes at the time of the loss; the time in between does not count."""
    time = FakeTime()
    game = Game.from_board(BOARD, time=time)
    game.open((2, 0))
    time.now_s += 3
    game.open((0, 0))
    time.now_s += 100
    game.undo()
    time.now_s += 4
    assert game.clock.player_s == 7


def test_restart_starts_a_new_game() -> None:
    """Clocks and counts are reset, listeners stay, and the seed determines the new board."""
    game, twin = (Game("expert", seed=5) for _ in range(2))
    for one in (game, twin):
        one.open((0, 0))
        one.restart()
        assert (one.status, one.counts, one.log, one.clock.player_s) == ("ready", Counts(), (), 0)
        assert not one.undo()
        one.open((0, 0))
    assert game.seed == twin.seed != 5
    assert game.position == twin.position


def test_restart_accepts_a_seed() -> None:
    """The game is the same as a new game with this seed."""
    game = Game("expert", seed=5)
    game.restart(seed=6)
    other = Game("expert", seed=6)
    game.open((0, 0))
    other.open((0, 0))
    assert (game.seed, game.position) == (6, other.position)


@pytest.mark.parametrize("rules", ["classic", "windows-xp"])
def test_restarting_the_same_game_keeps_the_mines(rules: str) -> None:
    """The mines stay wherever the first click is, because the promise is used up."""
    game = Game("9x9:30", rules, seed=5)
    game.open((0, 0))
    board = finish(game)
    game.restart(same=True)
    assert game.status == "ready"
    game.open(board.mine_cells()[0])
    assert (game.status, game.board) == ("lost", board)


def test_restart_before_first_click_keeps_the_promise() -> None:
    """A restart before the first click keeps the promise, because no board has been dealt yet."""
    for rules in ("classic", "windows-xp"):
        for seed in range(20):
            game = Game("4x4:13", rules, seed=seed)
            game.restart(same=True)
            game.open((0, 0))
            assert game.status != "lost"


def test_restarting_the_same_game_rejects_a_seed() -> None:
    """A seed contradicts the request for the same game."""
    with pytest.raises(BadSetting, match="got 7"):
        Game("beginner", seed=1).restart(same=True, seed=7)


def test_play_repeats_every_kind_of_action(game: Game) -> None:
    """Every recorded kind of action has the same effect when it is repeated."""
    for kind, cell in [("open", (1, 1)), ("flag", (0, 0)), ("question", (1, 0)), ("flag", (1, 0))]:
        game.play(Action(ActionKind(kind), BOARD.topology.cell(BOARD.topology.index(cell))))
    game.play(Action(ActionKind.UNDO, None))
    game.flag((1, 0))
    game.play(Action(ActionKind.CHORD, BOARD.topology.cell(5)))
    assert game.status == "won"
    again = Game.from_board(BOARD)
    for action in game.log:
        again.play(action)
    assert (again.position, again.counts) == (game.position, game.counts)
    with pytest.raises(IllegalAction, match="open needs a cell"):
        Game("beginner").play(Action(ActionKind.OPEN, None))


def test_game_without_seed_is_random() -> None:
    """Two games without a seed differ."""
    assert Game("beginner").seed != Game("beginner").seed


def test_position_with_opened_mine_is_rejected() -> None:
    """A position with an opened mine belongs to a finished game."""
    with pytest.raises(BadPosition, match=r"opened mine, at \(0, 1\)"):
        Game.from_position(Position.parse(".*\n11", mines=1))


def test_unopened_position_keeps_the_promise() -> None:
    """An unopened position starts a new game, in which the flags are kept."""
    position = Position.parse("F...\n....\n....", mines=3)
    game = Game.from_position(position, first_click="opening", seed=2)
    assert (game.status, game.position, game.mines_left) == ("ready", position, 2)
    game.open((2, 3))
    assert game.position.number((2, 3)) == 0


@pytest.mark.parametrize(
    ("text", "mines", "boards"),
    [("..\n11", 1, 2), ("....\n1...\n....", 3, 75), ("...\n.3.\n...", None, 56)],
)
def test_mines_of_a_position_are_drawn_evenly(text: str, mines: int | None, boards: int) -> None:
    """All arrangements that fit are equally likely, with the total or with any number of mines."""
    position = Position.parse(text, mines=mines)
    drawn = Counter(
        "/".join(Game.from_position(position, seed=seed).to_json()["board"]["rows"])
        for seed in range(40 * boards)
    )
    assert len(drawn) == boards
    assert chi_square_p(drawn.values()) > 0.001


def test_game_continues_from_a_position() -> None:
    """A game from a position is running, keeps its flags, and ends as usual."""
    position = Position.parse("F..\n122\n000", mines=2)
    game = Game.from_position(position, seed=1)
    assert (game.status, game.position, game.mines_left) == ("playing", position, 1)
    assert not game.can_undo
    game.open((0, 1))
    assert (game.status, game.board.rows[0]) == ("lost", "1**")
    game.restart(same=True)
    assert (game.status, game.position) == ("playing", position)
    game.restart()
    assert (game.status, game.position) == ("playing", position)


def test_position_with_every_safe_cell_open_is_won() -> None:
    """A game from such a position is won immediately, and the flags are shown."""
    game = Game.from_position(Position.parse(".1\n11", mines=1))
    assert (game.status, rows(game)) == ("won", "F1/11")
    assert save_and_load(game).status == "won"


def test_impossible_position_is_rejected() -> None:
    """A position without a possible arrangement cannot be played."""
    with pytest.raises(InconsistentPosition):
        Game.from_position(Position.parse(".3\n..", mines=1))


def test_position_without_total_needs_its_density() -> None:
    """A different density is refused because it would change the chances; the default is 1/2."""
    position = Position.parse("....\n.2..\nF...")
    assert Game.begin(Game("4x3@0.5", seed=1).settings, position).position == position
    with pytest.raises(BadSetting, match=r"a position of density 0\.5 needs .* got 0\.2"):
        Game.begin(Game("4x3@0.2").settings, position)
    dense = Position.parse(str(position), density=0.2)
    assert Game.begin(Game("4x3@0.2", seed=1).settings, dense).position == dense
    assert str(Game.from_position(dense).level) == "4x3@0.2"


def test_positions_include_the_density() -> None:
    """All positions of a game by density include the density, saved or not."""
    game = Game("6x5@0.2", seed=3)
    assert (game.position.density, game.position.mines) == (0.2, None)
    game.open((2, 2))
    assert game.position.density == 0.2
    assert Game.from_json(game.to_json()).position == game.position


def test_failing_dealer_leaves_the_game_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a chord fails at its second cell, nothing is opened or counted."""
    real, asked = ClassicDealer.open, list[int]()
    failing = False

    def fail_later(self: Any, seen: Any, cell: int) -> Any:
        asked.append(cell)
        if failing and len(asked) == 2:
            raise BadSetting("no more")
        return real(self, seen, cell)

    monkeypatch.setattr(ClassicDealer, "open", fail_later)
    game = Game.from_board(BOARD)
    game.open((1, 1))
    game.flag((0, 0))
    game.flag((1, 0))
    before = game.to_json()
    asked.clear()
    failing = True
    with pytest.raises(BadSetting, match="no more"):
        game.chord((1, 1))
    assert len(asked) == 2
    assert rows(game) == "F.../F2../...."
    assert {**game.to_json(), "clock": None} == {**before, "clock": None}
    failing = False
    game.chord((1, 1))
    assert game.status == "won"


def test_board_of_another_level_is_rejected() -> None:
    """A board must have the size and the total of the level."""
    for level in ("4x3:3", "3x4:2", "4x3:2/torus"):
        with pytest.raises(BadSetting, match="the board does not match level"):
            Game.begin(Game(level).settings, board=BOARD)


def test_board_contradicting_the_position_is_rejected() -> None:
    """The board contradicts a number in the position."""
    settings = Game("4x3:2", first_click="any").settings
    fits = Position.parse("....\n.2..\nF...", mines=2)
    assert Game.begin(settings, fits, BOARD).position == fits
    with pytest.raises(BadSetting, match=r"does not fit the number on \(1, 1\)"):
        Game.begin(settings, Position.parse("....\n.1..\n....", mines=2), BOARD)


def finish(game: Game) -> Board:
    """Open cells until the game is over, and return its board."""
    for cell in game.position.unopened_cells():
        if not game.over:
            game.open(cell)
    return game.board


def save_and_load(game: Game, **options: Any) -> Game:
    """Return the game after a round trip through JSON text."""
    return Game.from_json(json.loads(json.dumps(game.to_json())), **options)


def test_saved_game_is_complete() -> None:
    """Marks, undo, clocks, counts and settings are saved; time between sessions does not count."""
    time, later = FakeTime(), FakeTime()
    game = Game("9x9:10", first_click="opening", win="either", chord="at_least", seed=4, time=time)
    game.flag((0, 0))
    game.open((4, 4))
    game.question((0, 1))
    time.now_s += 12
    with game.clock.thinking():
        time.now_s += 2
    game.undo()
    later.now_s = 1.0
    loaded = save_and_load(game, time=later)
    assert (loaded.position, loaded.questions) == (game.position, game.questions)
    assert (loaded.settings, loaded.counts, loaded.log) == (game.settings, game.counts, game.log)
    assert (loaded.clock.player_s, loaded.clock.solver_s) == (14, 2)
    later.now_s += 1
    assert loaded.clock.player_s == 15
    loaded.undo()
    assert loaded.status == "ready"


def test_saved_game_continues_the_same() -> None:
    """A saved game plays the same before the first click, in mid-game and after a restart."""
    for rules in ("classic", "windows-xp"):
        game = Game("9x9:20", rules, seed=4)
        assert finish(save_and_load(game)) == finish(game)
        game.restart(same=True)
        assert finish(save_and_load(game)) == finish(game)


def test_finished_game_stays_finished(game: Game) -> None:
    """A finished game's clock stays stopped."""
    game.open((0, 0))
    loaded = save_and_load(game)
    assert (loaded.status, loaded.board) == ("lost", BOARD)
    assert not loaded.clock.player.running


def test_copy_is_independent() -> None:
    """A deep or pickled copy plays the same without affecting the original."""
    game = Game("9x9:10", first_click="opening", seed=4)
    game.open((4, 4))
    before = game.position
    for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert finish(twin) == finish(save_and_load(game))
        twin.undo()
        assert game.position == before


def test_repr_contains_no_secrets() -> None:
    """A printed game is safe to log."""
    assert repr(Game("expert", seed=123456)) == "<Game expert, rules classic, ready>"


def test_every_error_is_a_sapper_error() -> None:
    """Catching `SapperError` catches every error that a game raises on purpose."""
    with pytest.raises(SapperError):
        Game("nonsense")


def test_number_above_eight_can_be_chorded() -> None:
    """A number on a triangle may be as high as twelve; this one is nine."""
    shape = topology("triangle", 7, 5)
    around = [shape.cell(near) for near in shape.graph.neighbours(shape.index((2, 3)))]
    mined = bytearray(shape.size)
    for cell in around[:9]:
        mined[shape.index(cell)] = 1
    game = Game.from_board(Board(shape, bytes(mined)))
    game.open((2, 3))
    for cell in around[:9]:
        game.flag(cell)
    assert len(around) == 12
    assert game.chord((2, 3))
    assert all(game.position[cell] != UNOPENED for cell in around[9:])


def test_settings_of_a_game_are_read_only() -> None:
    """[#17] After options were changed, the saved game could not be loaded."""
    game = Game("beginner", "fair", seed=1)
    with pytest.raises(TypeError):
        game.settings.options["more"] = True  # type: ignore[index]
    for twin in (copy.deepcopy(game.settings), pickle.loads(pickle.dumps(game.settings))):
        assert twin == game.settings
        assert hash(twin) == hash(game.settings)
        assert twin.options == {"add_mines": True, "remove_mines": True}


def test_listener_can_unsubscribe_twice() -> None:
    """[#17] Unsubscribing twice raised a list error; a listener added twice is removed twice."""
    game, events = Game("beginner", seed=1), list[object]()
    first, _ = game.subscribe(events.append), game.subscribe(events.append)
    first()
    first()
    game.flag((0, 0))
    assert len(events) == 1
