"""One game of a bot, played for its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sapper.game.round import Round
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Settings
from sapper.simulation.runner import BotRunner
from sapper.simulation.stepping import perform
from sapper.solver.bots import Choice

__all__ = ["Played", "Playing"]


@dataclass(frozen=True, slots=True)
class Played:
    """One game played by a bot.

    Attributes:
        seed: Seed of the game; a `Game` with the same settings and seed is the same game.
        result: ``won``, ``lost``, or ``stuck`` if the bot's choice had no effect, or it kept
            choosing without opening a cell.
        actions: Number of actions with an effect, including the first click.
        guesses: Number of choices that the bot marked as guesses.
        risks: The predicted risk of each guess for which the bot had an estimate.
        by: Number of decisions by each of the bot's levels, sorted by name.
        last_by: The level that made the last choice, which is the fatal one in a lost game.
        last_risk: The predicted risk of that choice.
        bbbv: The board's 3BV; None if the game did not end.
        think_s: Seconds that the bot spent on choices; ignored in comparisons.
    """

    seed: int
    result: str
    actions: int
    guesses: int
    risks: tuple[float, ...]
    by: Mapping[str, int] = field(hash=False)
    last_by: str
    last_risk: float | None
    bbbv: int | None
    think_s: float = field(compare=False)


class Playing:
    """A game in progress. The caller gets the choices from the bot.

    Args:
        settings: The settings, with a placeholder seed.
        seed: The game's seed.
        start: Index of the cell of the first click; None lets the bot choose.
        runner: The bot runner.

    Attributes:
        game: The game.
        begun: Whether the bot was notified of the game.
    """

    def __init__(self, settings: Settings, seed: int, start: int | None, runner: BotRunner) -> None:
        self._settings, self._seed, self._runner = settings, seed, runner
        self.game = Round(replace(settings, seed=seed), None, None)
        # A new board can already be won: it has no clear cells, or all of them are open.
        self._actions = 0 if start is None else int(bool(self.game.open(start)))
        self._by: Counter[str] = Counter()
        self._risks: list[float] = []
        self._last = Choice(())
        self._guesses = 0
        self.begun = self._stuck = self._forfeited = False

    @property
    def position(self) -> Position:
        """The position in which the bot must choose."""
        return self.game.position

    @property
    def over(self) -> bool:
        """Whether the game is over or the bot is stuck."""
        return self._stuck or self.game.over

    def begin(self) -> None:
        """Notify the bot of the game.

        Raises:
            BotFailed: If the bot fails.
        """
        seed = substream(self._seed, "bot")
        self._runner.begin(self._settings.level, seed, f"game {self._seed}", self._settings)
        self.begun = True

    def take(self, choice: Choice) -> None:
        """Perform the bot's choice.

        Raises:
            BotFailed: If it cannot be carried out.
        """
        game = self.game
        done, self._stuck = perform(game, game.act, self._runner, game.position, choice)
        self._last = choice
        if not done:
            return
        self._actions += done
        self._by[choice.by] += 1
        self._guesses += choice.guess
        if choice.guess and choice.risk is not None:
            self._risks.append(choice.risk)

    def end(self) -> None:
        """Notify the bot of the result.

        Raises:
            BotFailed: If the bot fails.
        """
        self._runner.end(str(self.game.status) if self.game.over else "aborted")

    def forfeit(self) -> None:
        """Count the game as lost, because the bot failed."""
        self._forfeited, self._last = True, Choice((), by="failed")
        self._by[self._last.by] += 1

    def result(self) -> Played:
        """Return the result so far."""
        game = self.game
        status = "lost" if self._forfeited else "stuck" if self._stuck else str(game.status)
        return Played(
            seed=self._seed,
            result=status,
            actions=self._actions,
            guesses=self._guesses,
            risks=tuple(self._risks),
            by=dict(sorted(self._by.items())),
            last_by=self._last.by,
            last_risk=self._last.risk,
            bbbv=game.final_board().bbbv if game.over else None,
            think_s=self._runner.think_s,
        )
