"""Boards dealt at random: uniform, and ones that need no guess."""

from sapper.generate.boards import Generated, generate
from sapper.generate.ids import GameId, format_id, parse_id
from sapper.generate.noguess import Logic, Method, NoGuess, Step, deal_no_guess, prove
from sapper.generate.seeds import check_seed, new_seed, substream
from sapper.generate.uniform import deal, kept_clear, largest_neighbourhood

__all__ = [
    "GameId",
    "Generated",
    "Logic",
    "Method",
    "NoGuess",
    "Step",
    "check_seed",
    "deal",
    "deal_no_guess",
    "format_id",
    "generate",
    "kept_clear",
    "largest_neighbourhood",
    "new_seed",
    "parse_id",
    "prove",
    "substream",
]
