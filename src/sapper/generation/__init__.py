"""Random boards: uniform ones, and ones that need no guess."""

from sapper.generation.boards import Generated, generate
from sapper.generation.ids import GameId, format_id, parse_id
from sapper.generation.noguess import Logic, Method, NoGuess, Step, prove
from sapper.generation.seeds import check_seed, new_seed, substream

__all__ = [
    "GameId",
    "Generated",
    "Logic",
    "Method",
    "NoGuess",
    "Step",
    "check_seed",
    "format_id",
    "generate",
    "new_seed",
    "parse_id",
    "prove",
    "substream",
]
