"""Measures computed after a game: guesses, from the exact engine, and the 3BV solved."""

from __future__ import annotations

from math import fsum
from typing import Any, NamedTuple, Self

from sapper.dealer import RULES
from sapper.game import Game
from sapper.replay import Playback, Replay, ReplayAnalysis, analyze_replay, from_json
from sapper.rules import Settings

__all__ = ["Measures", "variant_of"]


class Measures(NamedTuple):
    """Figures that need the exact engine or a replay of the moves; `Record` describes them."""

    solved: int
    forced_guesses: int
    needless_guesses: int
    risk: float

    @classmethod
    def of_game(cls, game: Game) -> Self:
        """Measure a finished game; takes about a tenth of a millisecond per click."""
        solved = Playback(Replay.from_game(game)).solved
        guesses = game.guesses
        risk = fsum(guess.p_mine for guess in guesses.each)
        return cls(solved, guesses.forced, guesses.needless, risk)

    @classmethod
    def of_moves(cls, moves: dict[str, Any]) -> Self:
        """Measure the game with these moves, in the form of `Record.moves`.

        Raises:
            SapperError: If the moves cannot be played.
        """
        if "actions" in moves:
            return cls.of_game(Game.from_json(moves))
        return cls.of_analysis(analyze_replay(from_json(moves)))

    @classmethod
    def of_analysis(cls, analysis: ReplayAnalysis) -> Self:
        """Return the measures of an analyzed replay."""
        guesses = [decision for decision in analysis.review.decisions if decision.is_guess]
        needless = sum(bool(decision.safe) for decision in guesses)
        risk = fsum(decision.p_mine for decision in guesses)
        return cls(analysis.played.solved, len(guesses) - needless, needless, risk)


def variant_of(settings: Settings) -> str:
    """Return the settings that differ from the rule set's defaults, as text."""
    rules = RULES[settings.rules]
    usual = {option.name: option.default for option in rules.options}
    parts = [f"win={settings.win}"] if settings.win is not rules.wins[0] else []
    parts += [f"{name}={value}" for name, value in settings.options.items() if usual[name] != value]
    return " ".join(parts)
