"""Several games of an engine at once, so that neither side waits for the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

from sapper.errors import SapperError
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.simulation.playing import Played, Playing
from sapper.simulation.runner import BotRunner
from sapper.solver.bots import Choice
from sapper.solver.bots.engine import Engine, EngineBot

__all__ = ["play_together"]

_MOST: Final = 8
"""Maximum number of games at once; more are not faster."""


def play_together(
    start: Callable[[int, BotRunner], Playing], seeds: Sequence[int], runner: BotRunner
) -> list[Played] | None:
    """Play games with an engine, several at a time, and return their results in order.

    Args:
        start: Function that starts the game with a seed.
        seeds: The games' seeds.
        runner: The runner of the engine.

    Returns:
        The results; None if the engine plays one game at a time, the runner may stop it before its
        own time limit, or it fails.
    """
    bot = runner.bot
    if not isinstance(bot, EngineBot) or (runner.seconds or bot.longest_s) < bot.longest_s:
        return None
    try:
        engine = bot.ready()
        count = min(_MOST, engine.abilities.games)
        return _Table(start, seeds, runner, bot, engine).play(count) if count > 1 else None
    except SapperError:
        bot.close()
        return None


class _Seat:
    """A game's part of an engine, as a bot."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine, self._number = engine, number
        self.next = Choice(())

    def begin_game(self, level: Level, seed: int, settings: Settings | None) -> None:
        """Start the game in the engine."""
        self._engine.begin(self._number, level, seed, settings)

    def end_game(self, result: str) -> None:
        """End the game in the engine."""
        self._engine.end(self._number, result)

    def choose(self, position: Position) -> Choice:
        """Return the choice that has arrived."""
        return self.next


class _Game:
    """A game, and the index of its result."""

    def __init__(self, index: int, seat: _Seat, runner: BotRunner, playing: Playing) -> None:
        self.index, self.seat, self.runner, self.playing = index, seat, runner, playing


class _Table:
    """The games that an engine plays."""

    def __init__(
        self,
        start: Callable[[int, BotRunner], Playing],
        seeds: Sequence[int],
        runner: BotRunner,
        bot: EngineBot,
        engine: Engine,
    ) -> None:
        self._start, self._runner, self._bot, self._engine = start, runner, bot, engine
        self._left = deque(enumerate(seeds))
        self._results: dict[int, Played] = {}
        self._games: dict[int, _Game] = {}

    def play(self, count: int) -> list[Played]:
        """Play all games, a fixed number at a time."""
        while self._left or self._games:
            while self._left and len(self._games) < count:
                self._seat(*self._left.popleft())
            if self._games:
                self._take()
        return [self._results[index] for index in sorted(self._results)]

    def _seat(self, index: int, seed: int) -> None:
        number = self._bot.next_number()
        seat = _Seat(self._engine, number)
        runner = BotRunner(seat, self._runner.name)
        game = _Game(index, seat, runner, self._start(seed, runner))
        game.playing.begin()
        self._games[number] = game
        self._next(number)

    def _take(self) -> None:
        """Wait for a choice, and perform it."""
        watch, started = self._runner.on_choice, perf_counter()
        if watch is not None:
            watch(1)
        number, choice = self._engine.answer()
        if watch is not None:
            watch(None)
        game = self._games[number]
        game.seat.next = choice
        game.playing.take(game.runner.choose(game.playing.position))
        game.runner.think_s += perf_counter() - started
        self._next(number)

    def _next(self, number: int) -> None:
        """Request the next choice in a game, or keep its result."""
        game = self._games[number]
        if game.playing.over:
            game.playing.end()
            self._results[game.index] = game.playing.result()
            del self._games[number]
        else:
            self._engine.ask(number, game.playing.position)
