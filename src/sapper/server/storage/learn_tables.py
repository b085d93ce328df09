"""The tables of the trainer and of pattern practice on a server."""

from __future__ import annotations

from typing import Final

from sapper.coach.practice.cards import SCHEMA as PRACTICE
from sapper.coach.practice.cards import TABLES as PRACTICE_TABLES
from sapper.coach.trainer.records import SCHEMA as TRAINER
from sapper.coach.trainer.records import TABLES as TRAINER_TABLES
from sapper.database.connection import Connection
from sapper.server.storage.feature_tables import FeatureTables

__all__ = ["TABLES"]

_FORGET: Final = """
DELETE FROM mistakes WHERE player = ?
AND NOT EXISTS (SELECT 1 FROM games WHERE owner = mistakes.player AND key = mistakes.game)
AND (game NOT LIKE 'day-%' OR NOT EXISTS (SELECT 1 FROM games WHERE owner = mistakes.player))
"""


def _forget_mistakes(db: Connection, player: str) -> None:
    """Delete the mistakes of erased games, and those of daily boards if no game is left."""
    db.execute(_FORGET, (player,))


TABLES: Final = FeatureTables(
    {3: TRAINER, 10: PRACTICE},
    (*TRAINER_TABLES, *PRACTICE_TABLES),
    on_games_erased=_forget_mistakes,
)
