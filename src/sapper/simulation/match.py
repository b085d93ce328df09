"""A match: whole games of one bot under one set of rules, each identified by its seed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import sapper._core as _core
from sapper import dealer as dealers
from sapper._util.arguments import listed
from sapper._util.forking import renew_after_fork
from sapper._util.renamed import renamed
from sapper._util.shortening import shown
from sapper.errors import BadSetting, BotFailed, WrongType
from sapper.game import Game
from sapper.generation import check_seed, substream
from sapper.generation.uniform import cleared
from sapper.rules import FirstClick, Level, OptionValue, Settings, Win
from sapper.simulation.playing import Played, Playing
from sapper.simulation.runner import BotRunner
from sapper.simulation.stepping import steps
from sapper.solver.bots import Bot, BotFactory, make_bot
from sapper.solver.bots._searching import SearchingBot
from sapper.solver.bots.exact import Exact
from sapper.solver.bots.registry import ENGINE

__all__ = ["Match", "Played"]

_log: Final = logging.getLogger(__name__)

_NOT_RULES: Final = frozenset({"level", "rules", "first_click", "seed", "undo"})
"""Settings of a game that are not rule options of a match."""


@dataclass(frozen=True)
class Match:
    """The settings of a series of games, apart from their seeds.

    A game depends only on its seed, not on the order of games or the process. Under ``classic``,
    its board is that of `generate` with the same seed and first click.

    Attributes:
        bot: The name of a registered bot, ``FILE.py:NAME``, a bot, or a function that returns one.
        level: A `Level` or its text form.
        rules: The name of a rule set.
        first_click: The first-click promise; None for the rule set's default.
        start: The cell of the first click; None lets the bot choose.
        rule_options: Options of the rule set, and ``win`` and ``chord``.
        bot_options: The bot's options.
        check_bot: Whether to create the bot immediately, which rejects an unknown one. If False,
            the bot's file is not executed until the bot plays, so games can be viewed without it.
    """

    bot: str | Bot | BotFactory = "exact"
    level: Level | str = "expert"
    rules: str = "classic"
    _: KW_ONLY
    first_click: FirstClick | str | None = None
    start: tuple[int, int] | None = (0, 0)
    rule_options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    bot_options: Mapping[str, object] = field(default_factory=dict, hash=False)
    check_bot: bool = field(default=True, repr=False, compare=False)

    options = renamed("options", "bot_options")

    def __post_init__(self) -> None:
        """Check the settings to reject an invalid match immediately.

        Raises:
            BadLevel: If the level cannot be parsed.
            BadSetting: If the settings are invalid, or the bot or option is unknown.
            WrongType: If options are not a mapping of names to values.
        """
        for name, options in (
            ("rule_options", self.rule_options),
            ("bot_options", self.bot_options),
        ):
            if not isinstance(options, Mapping):
                raise WrongType(
                    f"{name} must be a mapping of names to values, got {shown(options)}"
                )
            for key in options:
                if not isinstance(key, str):
                    raise WrongType(
                        f"{name} must be a mapping of names to values, got {shown(key)}"
                    )
        for key in _NOT_RULES.intersection(self.rule_options):
            raise BadSetting(
                f"rule_options cannot set {key}: they are win, chord, and the options of the rules"
            )
        _ = self.settings
        if self.check_bot:
            _ = self._player
        if self.start is not None:
            shape = self.settings.level.shape()
            object.__setattr__(self, "start", shape.cell(shape.index(self.start)))

    def __getstate__(self) -> dict[str, Any]:
        # The bot may not be picklable, but its name is.
        fields = set(self.__dataclass_fields__)
        return {name: value for name, value in self.__dict__.items() if name in fields}

    @cached_property
    def settings(self) -> Settings:
        """The settings of every game, with a placeholder seed."""
        extra: dict[str, Any] = dict(self.rule_options)
        return dealers.settings(
            self.level, self.rules, first_click=self.first_click, seed=0, undo=False, **extra
        )

    @property
    def name(self) -> str:
        """The bot's name."""
        if isinstance(self.bot, str):
            return self.bot
        return str(getattr(self.bot, "__name__", type(self.bot).__name__))

    @cached_property
    def _player(self) -> Bot:
        return make_bot(self.bot, **self.bot_options)

    @cached_property
    def _runner(self) -> BotRunner:
        return BotRunner(self._player, self.name)

    @cached_property
    def _native(self) -> _core.ExactPlayer | _core.SearchPlayer | None:
        """The native player, if the core supports this match."""
        plain = self.rules == "classic" and self.settings.win is not Win.FLAGS
        if not plain or self.start is None:
            return None
        renew_after_fork(self)
        if isinstance(self._player, SearchingBot):
            return self._player.native
        return _core.ExactPlayer() if type(self._player) is Exact else None

    def renew(self) -> None:
        """Recreate the native player in a process that was forked while a thread was playing."""
        vars(self).pop("_native", None)

    @property
    def native(self) -> bool:
        """Whether the native core plays the games."""
        return self._native is not None

    def runner(self, seconds: float | None = None) -> BotRunner:
        """Return a bot runner with a time limit for each choice."""
        return BotRunner(make_bot(self.bot, **self.bot_options), self.name, seconds)

    def play(self, seeds: Iterable[int], runner: BotRunner | None = None) -> list[Played]:
        """Play the games with these seeds, in order.

        Args:
            seeds: The games' seeds.
            runner: The bot runner (default: one without a time limit).

        Raises:
            BadSetting: If a seed is out of range.
            BotFailed: If the bot raises an exception or its choice is invalid; no games are then
                returned.
        """
        checked_seeds = [check_seed(seed) for seed in listed(seeds, "seeds")]
        if self._native is None:
            runner = runner or self._runner
            together = self._play_together(checked_seeds, runner)
            return together or [self._play(seed, runner) for seed in checked_seeds]
        return self._play_natively(self._native, checked_seeds)

    def game(self, seed: int) -> Game:
        """Play the game of a seed as a `Game`, to save, replay or review it.

        The game ends if the bot is stuck.

        Raises:
            BadSetting: If the seed is out of range.
            BotFailed: If the bot raises an exception or its choice is invalid.
        """
        runner = self._runner
        game = self.begin(seed, runner)
        for _ in steps(game, runner):
            pass
        return game

    def begin(self, seed: int, runner: BotRunner) -> Game:
        """Start the game with a seed: notify the bot, and make the match's first click, if any.

        Raises:
            BadSetting: If the seed is out of range.
            BotFailed: If the bot raises an exception.
        """
        game = Game.begin(replace(self.settings, seed=check_seed(seed)))
        if self.start is not None and not game.over:
            game.open(self.start)
        runner.begin(game.level, substream(seed, "bot"), f"game {seed}", self.settings)
        return game

    @property
    def together(self) -> bool:
        """Whether `play` is faster with several seeds, because the bot is an engine."""
        return isinstance(self.bot, str) and self.bot.startswith(ENGINE)

    def _play_together(self, seeds: list[int], runner: BotRunner) -> list[Played] | None:
        """Play several games at once; None if the bot does not support it, or fails.

        The games are then played one after another, which finds the first failure.
        """
        if not self.together or len(seeds) < 2:
            return None
        # Imported here because other bots do not need the code for engines.
        from sapper.simulation.together import play_together

        return play_together(self.start_playing, seeds, runner)

    def _play_natively(
        self, native: _core.ExactPlayer | _core.SearchPlayer, seeds: list[int]
    ) -> list[Played]:
        level, first_click = self.settings.level, self.settings.first_click
        shape = level.shape()
        assert self.start is not None
        start = shape.index(self.start)
        games = native.play(
            shape.graph,
            level.mines,
            level.density,
            start,
            cleared(level, first_click, start),
            [substream(seed, "deal") for seed in seeds],
        )
        pairs = zip(seeds, games, strict=True)
        guess = "least risk" if isinstance(native, _core.ExactPlayer) else "search"
        # On a board full of mines, the core reports a win before the first click, but that click
        # would hit a mine.
        return [
            self._play(seed, self._runner)
            if played is None or not played.actions
            else _played(seed, guess, played)
            for seed, played in pairs
        ]

    def _play(self, seed: int, runner: BotRunner) -> Played:
        playing = self.start_playing(seed, runner)
        try:
            playing.begin()
            while not playing.over:
                playing.take(runner.choose(playing.position))
            playing.end()
        except BotFailed as problem:
            if not (runner.forfeits and playing.begun) or playing.game.over:
                raise
            _log.warning("%s; the game counts as lost", problem)
            playing.forfeit()
        return playing.result()

    def start_playing(self, seed: int, runner: BotRunner) -> Playing:
        """Start the game with a seed, without a history: make the match's first click, if any."""
        start = None if self.start is None else self.settings.level.shape().index(self.start)
        return Playing(self.settings, seed, start, runner)


def _played(seed: int, guess: str, played: _core.PlayedGame) -> Played:
    """Convert the result of a native game to a `Played`."""
    risks, last_guess = played.risks, played.last_guess
    by = {guess: len(risks), "proved": played.proved}
    last_by = {None: "", False: "proved", True: guess}[last_guess]
    return Played(
        seed=seed,
        result="won" if played.won else "lost",
        actions=played.actions,
        guesses=len(risks),
        risks=tuple(risks),
        by={level: by[level] for level in sorted(by) if by[level]},
        last_by=last_by,
        last_risk=None if last_guess is None else risks[-1] if last_guess else 0.0,
        bbbv=played.bbbv,
        think_s=played.think_s,
    )
