"""Random boards: uniform ones, and ones that need no guess."""

from sapper.generation.boards import Generated, generate
from sapper.generation.ids import GameId, format_id, parse_id
from sapper.generation.noguess import Logic, Method, NoGuess, Step, deal_no_guess, prove
from sapper.generation.seeds import check_seed, new_seed, substream
from sapper.generation.uniform import deal, kept_clear, largest_neighbourhood

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
