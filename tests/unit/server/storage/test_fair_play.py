"""Figures of games on leaderboards, on both databases."""

from __future__ import annotations

from datetime import date
from typing import Any

from sapper.game import Game
from sapper.history import Record
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.fair_play import FairPlay, figures_of
from sapper.server.storage.store import Change, Store
from support.standings import finish, won_game

_NOW = 1_700_049_600_000


def paced(game: Game, gaps: list[float]) -> Game:
    """Return a game whose clicks have these gaps, repeated."""
    saved: dict[str, Any] = game.to_json()
    at = 0.0
    for number, action in enumerate(saved["actions"]):
        at += gaps[number % len(gaps)]
        action[3] = at
    saved["clock"]["player_s"] = at
    return Game.from_json(saved)


def measured(store: Store) -> FairPlay:
    """Compute all figures, as the server does in the background."""
    fair_play = FairPlay(store.database)
    while (entry := fair_play.waiting()) is not None:
        fair_play.note(entry, figures_of(entry.moves))
    return fair_play


def test_unlikely_games_are_listed_with_reasons(database: Database) -> None:
    """A metronome faster than any hand is found; a person with uneven clicks is not."""
    store = Store(database)
    for name in ("Ann", "Robot"):
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name, frozenset({name}))
        Accounts(database).claim(
            f"id of {name}", name.lower(), looks, passkey, [], f"login {name}", "", (name, 0)
        )
    game = won_game()
    finish(store, "robot", paced(game, [0.02]), _NOW, 1_000)
    finish(store, "ann", paced(game, [0.3, 1.1, 0.7]), _NOW, 20_000)
    fair_play = measured(store)
    robot, ann = fair_play.report()
    assert (robot.name, ann.name) == ("Robot", "Ann")
    [finding] = robot.findings
    assert finding.reasons == ["most_per_s", "rhythm", "least_s"]
    assert finding.board == "classic beginner"
    assert robot.is_unlikely
    assert (ann.findings, ann.entries) == ([], 1)
    assert [one.name for one in fair_play.report("Ann")] == ["Ann"]
    assert fair_play.report("Nobody") == []


def test_a_daily_board_that_was_known_is_found(database: Database) -> None:
    """A win in 0.175 s stood first on the leaderboard of the day."""
    store = Store(database)
    looks, passkey = Name("Ann", frozenset({"ann"})), NewPasskey(b"ann", b"key", 0, ())
    store.accounts.claim("id", "ann", looks, passkey, [], "login", "", ("challenge", 0))
    board = store.daily_boards.board(date(2023, 11, 15)).board
    game = Game.from_board(board)
    for index, mine in enumerate(board.mined):
        if not mine and not game.over:
            game.open(board.topology.cell(index))
    played = paced(game, [0.175 / len(game.log)])
    record = Record.of_game(played, _NOW, time_ms=175, variant="daily", measured=False)
    result = DayResult("2023-11-15", True, 0.175, record.bbbv, record.clicks, None)
    store.commit([Change("ann", "{}", None, 0, (), (record,), ((result, "{}"),))])
    [ann] = measured(store).report()
    [finding] = ann.findings
    assert finding.board == "daily 2023-11-15"
    assert finding.reasons == ["speed", "most_per_s", "rhythm", "least_s"]


def test_luck_compares_mines_hit_with_risks(database: Database) -> None:
    """Winning every game despite the risks is unlikely; losing half of them is not."""
    store = Store(database)
    for name in ("Lucky", "Usual"):
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name, frozenset({name}))
        Accounts(database).claim(
            f"id of {name}", name.lower(), looks, passkey, [], f"login {name}", "", (name, 0)
        )
    for number in range(40):
        for player in ("lucky", "usual"):
            finish(store, player, won_game(), _NOW + number, 20_000)
    with database.writing() as db:
        db.execute("UPDATE games SET forced_guesses = 1, needless_guesses = 0, risk = 0.5")
        lost = "(SELECT key FROM games WHERE owner = 'usual' ORDER BY key LIMIT 20)"
        db.execute(f"UPDATE games SET won = 0 WHERE owner = 'usual' AND key IN {lost}")
    reports = {one.name: one for one in measured(store).report()}
    lucky, usual = reports["Lucky"], reports["Usual"]
    assert lucky.luck is not None
    assert usual.luck is not None
    assert abs(lucky.luck - 40**0.5) < 1e-9
    assert abs(usual.luck) < 1e-9
    assert lucky.is_unlikely
