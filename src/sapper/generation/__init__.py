"""Random boards: uniform boards, and boards that need no guesses."""

from typing import TYPE_CHECKING

from sapper._util.renamed import renamed_names
from sapper.generation.boards import Generated, generate
from sapper.generation.ids import GameId, format_id, parse_id
from sapper.generation.noguess import Logic, Method, NoGuess, NoGuessStep, prove
from sapper.generation.seeds import check_seed, new_seed, substream

__all__ = [
    "GameId",
    "Generated",
    "Logic",
    "Method",
    "NoGuess",
    "NoGuessStep",
    "check_seed",
    "format_id",
    "generate",
    "new_seed",
    "parse_id",
    "prove",
    "substream",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = renamed_names(__name__, {"Step": "NoGuessStep"})
