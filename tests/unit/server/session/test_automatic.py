"""Automatic mode over a WebSocket: bots that play, stop, fail or never answer."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import sapper
from sapper.actions import Action, ActionKind
from sapper.dealer import RULES
from sapper.position import Position
from sapper.server.session import autoplay, bot_play
from sapper.server.session.game_settings import menu
from sapper.solver.bots import Choice, as_choice, bots, make_bot
from sapper.solver.bots.named_engines import add_engines
from support.engines import FIRST, engine
from support.marks import sampled

ME = "d" * 24


def automatic(player: Any, **settings: Any) -> dict[str, Any]:
    """Switch automatic mode on at full speed."""
    player.send("assist", mode="automatic")
    return automatic_part(player.send("automatic", delay_ms=0, **settings))


def automatic_part(message: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a message about automatic mode."""
    assert "error" not in message, message
    found: dict[str, Any] = message["automatic"]
    return found


def until_stopped(player: Any) -> dict[str, Any]:
    """Wait until the bot has stopped."""
    return automatic_part(
        player.until("automatic", lambda told: not automatic_part(told)["running"])
    )


def game(player: Any) -> dict[str, Any]:
    """Return the state of the game."""
    found: dict[str, Any] = player.send("sync")["game"]
    return found


@pytest.fixture
def bad_bot() -> Iterator[Any]:
    """Register a bot with one method, and remove it afterwards."""

    def register(choose: Any) -> str:
        bots["bad"] = type("Bad", (), {"choose": lambda self, position: choose(position)})
        return "bad"

    yield register
    bots.pop("bad", None)


@pytest.mark.parametrize(("bot", "rules"), [*zip(bots, itertools.cycle(RULES), strict=False)])
def test_every_bot_finishes_a_game(site: Any, bot: str, rules: str) -> None:
    """Bots play one action at a time and give reasons; the timer counts only thinking time."""
    with site.player(ME) as player:
        state = player.send("new", settings={"level": "8x8:8", "rules": rules})
        automatic(player, bot=bot)
        player.frames.clear()
        assert automatic_part(player.send("automatic", do="play"))["running"]
        stopped = until_stopped(player)
        assert stopped["problem"] is None
        assert stopped["log"]
        assert all(entry["by"] for entry in stopped["log"])
        after = game(player)
        assert after["status"] in ("won", "lost")
        assert after["helped"] == "bot"
        assert not after["clock"]["running"]
        frames = [json.loads(text) for text in player.frames]
        moves = [frame for frame in frames if frame["type"] == "delta"]
        assert all(move["event"]["bot"] == bot for move in moves)
        assert len(moves) >= len(stopped["log"])
        shown = {char for move in moves[:-1] for _, char in move["cells"]}
        assert shown <= set(".F?012345678"), "no mine before the end"
        assert stopped["games"] == 1
        assert stopped["wins"] == (after["status"] == "won")
        assert state["game"]["key"] == after["key"]


def test_a_bot_plays_as_in_a_simulation(site: Any) -> None:
    """A simulation with the same seed plays the same game."""
    row = sapper.simulate("autosweeper", "beginner", first_click="opening", start=None, n=1, seed=5)
    with site.player(ME) as player:
        player.send("new", seed=5)
        automatic(player, bot="autosweeper")
        player.send("automatic", do="play")
        stopped = until_stopped(player)
        assert game(player)["status"] == row.rows[0].result
        assert stopped["log"][-1]["by"] == row.rows[0].last_by
        assert stopped["log"][-1]["number"] == sum(row.rows[0].by.values())


def test_a_step_is_one_action(site: Any) -> None:
    """Before a choice is played, it is sent with its cells, level and risk."""
    with site.player(ME) as player:
        automatic(player)
        before = game(player)["turn"]
        automatic_part(player.send("automatic", do="step"))
        assert player.until("delta")["event"]["kind"] == "open"
        choice = automatic_part(player.until("automatic"))["choice"]
        assert choice["opens"]
        assert set(choice) == {"number", "by", "risk", "guess", "opens", "marks"}
        assert game(player)["turn"] == before + 1
        automatic_part(player.send("automatic", do="step"))
        move = player.until("delta")
        row, col = move["event"]["cell"]
        assert row * 9 + col in choice["opens"]


def test_next_choice_is_sent_if_the_rest_of_a_choice_has_no_effect(site: Any, bad_bot: Any) -> None:
    """An opening can open all cells of a choice, so that none is left to mark."""

    def choose(position: Position) -> list[Action]:
        unopened = position.unopened_cells()
        cells = [(4, 4), (4, 5), (5, 4)] if len(unopened) == 81 else unopened[:1]
        return [Action(ActionKind.OPEN, cell) for cell in cells]

    with site.player(ME) as player:
        player.send("new", seed=5)
        automatic(player, bot=bad_bot(choose))
        player.send("automatic", do="step")
        assert player.until("delta")["event"]["kind"] == "open"
        choice = automatic_part(player.until("automatic"))["choice"]
        while choice["number"] == 1:
            choice = automatic_part(player.until("automatic"))["choice"]
        assert choice["number"] == 2
        assert len(choice["opens"]) == 1


def draw(player: Any, turn: int) -> None:
    """Report that a window has drawn the board after a turn."""
    player.raw(json.dumps({"type": "drawn", "turn": turn}))


@pytest.fixture
def drawn_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the bot wait for windows without a time limit."""
    monkeypatch.setattr(autoplay, "_UNSEEN_S", 600.0)


@pytest.mark.usefixtures("drawn_only")
def test_a_click_pauses_the_bot_and_does_nothing_else(site: Any) -> None:
    """After the pause, the player can move, and the bot can resume."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "expert"})
        player.send("assist", mode="automatic")
        draw(player, game(player)["turn"])
        player.send("automatic", delay_ms=0, do="play")
        turn = player.until("delta")["turn"]
        answer = player.send("mark", cell=[0, 0])
        assert not automatic_part(answer)["running"]
        draw(player, 100_000)
        assert [game(player)["turn"] for _ in range(5)] == [turn] * 5
        assert player.send("mark", cell=[15, 29])["type"] == "delta"
        assert not automatic_part(player.send("sync"))["choice"]
        player.send("automatic", delay_ms=0, do="play")
        stopped = until_stopped(player)
        assert stopped["games"] == 0, "a game that a player had a hand in is not the bot's"


def test_modes_change_in_the_middle_of_a_game(site: Any) -> None:
    """The bot stops, the player's clock keeps running, and the game stays the same."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "expert"})
        player.send("assist", mode="automatic")
        player.send("automatic", delay_ms=5000, do="play")
        player.until("delta")
        answer = player.send("assist", mode="solo")
        assert answer["clock"]["running"] == (answer["status"] == "playing")
        # Otherwise the windows would show the bot as playing in automatic mode.
        assert not until_stopped(player)["thinking"]
        key = game(player)["key"]
        assert not automatic_part(player.send("sync"))["running"]
        assert "choose it first" in player.send("automatic", do="play")["error"]["message"]
        player.send("assist", mode="automatic")
        assert not game(player)["clock"]["running"]
        player.send("automatic", delay_ms=0, do="play")
        until_stopped(player)
        assert game(player)["key"] == key


def test_loop_plays_more_games_and_counts_them(site: Any) -> None:
    """Games follow each other until the bot is paused; changing the level resets the count."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "4x4:2"})
        automatic(player, loop=True)
        player.send("automatic", do="play")
        while (found := automatic_part(player.until("automatic")))["games"] < 3:
            assert found["problem"] is None
        player.send("automatic", do="pause", loop=False)
        player.send("new", settings={"level": "5x5:3"})
        player.send("automatic", do="play")
        assert until_stopped(player)["games"] == 1
        assert "cannot step" in player.send("automatic", do="step")["error"]["message"]
        key = game(player)["key"]
        player.send("automatic", do="play")
        until_stopped(player)
        assert game(player)["key"] != key


def test_bot_stops_with_the_last_window(site: Any) -> None:
    """When the last window closes, the bot stops; its state is kept for the next window."""
    with site.player(ME) as one, site.player(ME) as two:
        one.send("new", settings={"level": "expert"})
        one.send("assist", mode="automatic")
        one.send("automatic", delay_ms=5000, do="play")
        assert automatic_part(two.until("automatic"))["running"]
        assert two.until("delta")["event"]["bot"] == "exact"
        assert not automatic_part(two.send("automatic", do="pause"))["running"]
        assert not until_stopped(one)["running"]
        two.send("automatic", do="play")
    with site.player(ME) as back:
        found = automatic_part(back.welcome)
        assert not found["running"]
        assert found["delay_ms"] == 5000
        assert found["log"]


def test_bot_settings_survive_a_restart(run: Any, store: Any) -> None:
    """The bot, speed and loop are saved, but the bot does not start again on its own."""
    with run(store) as site, site.player(ME) as player:
        player.send("new", settings={"level": "expert"})
        player.send("assist", mode="automatic")
        player.send("automatic", bot="groups", delay_ms=5000, loop=True, do="play")
        player.until("delta")
    with run(store) as site, site.player(ME) as player:
        found = automatic_part(player.welcome)
        assert (found["bot"], found["delay_ms"], found["loop"]) == ("groups", 5000, True)
        assert not found["running"]
        assert player.welcome["assist"]["mode"] == "automatic"
        assert player.welcome["game"]["status"] == "playing"


def _raises(position: Position) -> Any:
    raise ZeroDivisionError("division by zero")


def _marks(position: Position) -> Any:
    return Action(ActionKind.FLAG, position.unopened_cells()[0])


def _endless(position: Position) -> Any:
    return (Action(ActionKind.FLAG, position.unopened_cells()[0]) for _ in itertools.count())


FAILURES = {
    "raises": (_raises, "in _raises: ZeroDivisionError: division by zero"),
    "exits": (lambda position: (_ for _ in ()).throw(SystemExit(3)), "in <genexpr>: SystemExit: 3"),
    "no answer": (lambda position: 7, "returned 7; expected an Action"),
    "undo": (lambda position: Action(ActionKind.UNDO, None), "chose to undo"),
    "no cell": (lambda position: Action(ActionKind.OPEN, None), "chose to open no cell"),
    "outside": (
        lambda position: Action(ActionKind.OPEN, (99, 0)),
        "chose to open (99, 0) on a board of 9 rows",
    ),
    "nowhere": (
        lambda position: Action(ActionKind.OPEN, ("a", 0)),  # type: ignore[arg-type]
        "a cell is (row, col), got ('a', 0)",
    ),
    "nothing": (lambda position: [], "nothing that does anything"),
    "in vain": (lambda position: Action(ActionKind.CHORD, (0, 0)), "nothing that does anything"),
    "marks for ever": (_marks, "without opening a cell"),
    "endless": (_endless, "more than 324 actions"),
    "risk": (
        lambda position: Choice((), "x", float("nan")),
        "returned the risk nan; expected a number from 0 to 1",
    ),
}


@pytest.mark.parametrize("failure", sampled(FAILURES, 3))
def test_failing_bot_is_paused(site: Any, bad_bot: Any, failure: str) -> None:
    """The game is kept, and another bot or the player can continue it."""
    choose, said = FAILURES[failure]
    with site.player(ME) as player:
        automatic(player, bot=bad_bot(choose))
        key = game(player)["key"]
        player.send("automatic", do="play")
        stopped = until_stopped(player)
        assert said in stopped["problem"]
        assert stopped["problem"].startswith(("Bot bad: ", "Bot bad, choice 1: "))
        assert "\n" not in stopped["problem"]
        assert automatic_part(player.send("automatic", bot="exact", do="play"))["problem"] is None
        assert until_stopped(player)["problem"] is None
        assert game(player)["key"] == key


class Silent:
    """A bot that does not choose anything until the test is over."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self.asked = self.released = False

    def __call__(self, position: Position) -> Any:
        self.asked = True
        self._over.wait(300)
        self.released = True

    def release(self) -> None:
        """End the bot's wait."""
        self._over.set()


@pytest.fixture
def silent() -> Iterator[Silent]:
    """Register a bot that never answers."""
    made = Silent()
    yield made
    made.release()


def test_unresponsive_bot_is_abandoned(
    site: Any, bad_bot: Any, silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player gets an error and can continue without the bot."""
    monkeypatch.setattr(bot_play, "TIME_LIMIT_S", 0.05)
    with site.player(ME) as player:
        automatic(player, bot=bad_bot(silent))
        player.send("automatic", do="play")
        assert "no answer within 0.05 seconds" in until_stopped(player)["problem"]
        assert player.send("mark", cell=[0, 0])["type"] == "delta"


def test_unresponsive_bot_blocks_nothing(
    run: Any, store: Any, bad_bot: Any, silent: Silent
) -> None:
    """Messages are answered while the bot thinks, and the server stops without waiting for it."""
    with run(store) as site, site.player(ME) as player:
        automatic(player, bot=bad_bot(silent))
        player.send("automatic", do="play")
        assert automatic_part(player.until("automatic"))["thinking"]
        assert player.send("sync")["game"]["clock"]["running"]
    assert silent.asked
    assert not silent.released


@pytest.mark.usefixtures("drawn_only")
def test_bot_waits_for_slow_windows(site: Any, bad_bot: Any) -> None:
    """The bot acts when the last turn has been drawn, not before."""
    exact = make_bot("exact")
    one_by_one = bad_bot(lambda position: as_choice(exact.choose(position)).actions[0])
    with site.player(ME) as player:
        player.send("new", settings={"level": "expert"}, seed=1)
        player.send("assist", mode="automatic")
        draw(player, game(player)["turn"])
        player.send("automatic", bot=one_by_one, delay_ms=0, do="play")
        for _ in range(5):
            turn = player.until("delta")["turn"]
            # After making its next choice, the bot waits only for the window.
            while automatic_part(player.until("automatic"))["choice"] is None:
                pass
            assert [game(player)["turn"] for _ in range(5)] == [turn] * 5
            draw(player, turn)


BAD = [
    {"do": "cheat"},
    {"bot": "nobody"},
    {"bot": "/tmp/x.py:Bot"},
    {"bot": ["exact"]},
    {"delay_ms": -1},
    {"delay_ms": 1e9},
    {"delay_ms": True},
    {"loop": "yes"},
]


@pytest.mark.parametrize("settings", BAD, ids=str)
def test_invalid_bot_settings_are_rejected(site: Any, settings: dict[str, Any]) -> None:
    """The error has the usual shape, nothing changes, and files are not accepted as bots."""
    with site.player(ME) as player:
        before = automatic_part(player.welcome)
        player.send("assist", mode="automatic")
        assert "error" in player.send("automatic", **settings)
        assert "error" in player.send("drawn", turn="x")
        assert automatic_part(player.send("sync")) == before


@pytest.fixture
def engine_bot() -> Iterator[Any]:
    """Add an engine as the operator would, and remove it afterwards."""

    def add(command: str) -> str:
        add_engines([f"added={command}"], public=True)
        return "added"

    yield add
    bots.pop("added", None)


def test_an_engine_of_the_operator_plays_as_a_bot(site: Any, engine_bot: Any) -> None:
    """The engine is in the menu of bots and finishes a game."""
    bot = engine_bot(engine(FIRST))
    summary = "A program added by the operator."
    assert {"name": bot, "label": bot, "summary": summary} in menu()["bots"]
    with site.player(ME) as player:
        player.send("new", settings={"level": "8x8:8"})
        automatic(player, bot=bot)
        player.send("automatic", do="play")
        assert until_stopped(player)["problem"] is None
        assert game(player)["status"] in ("won", "lost")


def test_a_crashing_engine_pauses_with_a_message_and_leaves_the_game(
    site: Any, engine_bot: Any
) -> None:
    """Another bot can continue the game, and the message contains none of the engine's output."""
    bot = engine_bot(engine('sys.exit("/secret/path")'))
    with site.player(ME) as player:
        player.send("new", settings={"level": "8x8:8"})
        automatic(player, bot=bot)
        before = game(player)["turn"]
        player.send("automatic", do="play")
        problem = until_stopped(player)["problem"]
        expected = "the engine failed; try again, or choose another bot."
        assert problem == f"Bot added, choice 1: {expected}"
        assert game(player)["turn"] == before
        automatic(player, bot="exact")
        player.send("automatic", do="play")
        assert until_stopped(player)["problem"] is None
