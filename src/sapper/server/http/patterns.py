"""The HTTP interface of patterns: their library, and practice."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.coach.patterns import Family, Pattern, pattern, patterns
from sapper.coach.practice import Practice, exercises, exercises_of
from sapper.coach.practice.picture import Picture, pictures
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.history import Selection
from sapper.server.http.learn import answer_of, name_of, player_routes
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json
from sapper.server.storage.store import Store
from sapper.topology import Cell, cell_name

__all__ = ["routes"]

_OWN: Final = Selection(bot="")


def routes(store: Store, visitors: Visitors) -> list[Route]:
    """Return the routes.

    Args:
        store: The store of practice and of finished games.
        visitors: Identifies browsers.
    """
    api = _PatternsApi(store)
    return player_routes(
        visitors,
        {
            "GET /api/learn/patterns": api.library,
            "POST /api/learn/pattern": api.pattern,
            "GET /api/learn/practice": api.standing,
            "POST /api/learn/practice": api.exercise,
            "POST /api/learn/practice/answer": api.answer,
        },
    )


class _PatternsApi:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._practice = Practice(store.transaction)

    def library(self, player: str, _: Json) -> Json:
        """Return the patterns with one picture each, and the player's results."""
        counts = self._store.history.of(player).pattern_counts(_OWN)
        return {
            "families": [{"name": str(one), "label": one.label} for one in Family],
            "patterns": [_pattern_json(one) for one in patterns().values()],
            "practice": self._practice.standing(player).to_json(),
            "counts": {
                one.pattern: {
                    "seen": one.seen,
                    "missed": one.missed,
                    "seconds": round(one.ms / 1000 / one.seen, 1) if one.seen else None,
                }
                for one in counts
            },
        }

    def pattern(self, _: str, body: Json) -> Json:
        """Return all pictures of a pattern, with their proofs."""
        found = pattern(name_of(body, "pattern"))
        return {"forms": [_picture_json(one) for one in _pictures(found)]}

    def standing(self, player: str, _: Json) -> Json:
        """Return the state of the player's practice."""
        return self._practice.standing(player).to_json()

    def exercise(self, player: str, body: Json) -> Json:
        """Return the exercise to solve, or null; ``pattern`` selects one at any time."""
        chosen = name_of(body, "pattern") if body.get("pattern") else ""
        counts = self._store.history.of(player).pattern_counts(_OWN)
        missed = [one.pattern for one in counts if one.missed]
        served = self._practice.next(player, chosen, missed)
        return {
            "exercise": None if served is None else served.to_json(),
            "name": patterns()[chosen].name if chosen else "",
            "practice": self._practice.standing(player).to_json(),
        }

    def answer(self, player: str, body: Json) -> Json:
        """Judge the answer to an exercise; return the verdict and the state of the practice."""
        name, nothing = name_of(body, "exercise"), body.get("nothing", False)
        if not isinstance(nothing, bool):
            raise BadMessage("nothing must be true or false")
        exercise = exercises().get(name)
        if exercise is None:
            raise BadPuzzle(f"there is no exercise {shown(name)}")
        answer = answer_of(exercise.position, body)
        result = self._practice.answer(player, name, answer, nothing=nothing, place=cell_name)
        return {**result.to_json(), "practice": self._practice.standing(player).to_json()}


@cache
def _pattern_json(one: Pattern) -> Json:
    """Return a pattern; its text is translated when it is sent."""
    return {
        "id": one.id,
        "name": one.name,
        "family": str(one.family),
        "level": one.level,
        "source": one.source,
        "summary": one.summary,
        "looks_like": one.looks_like,
        "exercises": len(exercises_of().get(one.id, ())),
        "rows": _rows(_pictures(one)[0]),
    }


@cache
def _pictures(one: Pattern) -> tuple[Picture, ...]:
    return pictures(one.forms, cell_name)


def _rows(picture: Picture) -> list[str]:
    """Return the rows of a picture; known mines are drawn as flags, as in exercises."""
    return [row.replace("*", "F") for row in picture.position.rows]


def _picture_json(picture: Picture) -> Json:
    return {
        "rows": _rows(picture),
        "remaining": picture.form.remaining,
        "elsewhere": str(picture.form.elsewhere),
        "numbers": _pairs(picture.numbers),
        "safe": _pairs(picture.safe),
        "mined": _pairs(picture.mined),
        "guessed": _pairs(picture.guessed),
        "explanations": [one.to_json() for one in picture.explanations],
    }


def _pairs(cells: tuple[Cell, ...]) -> list[Any]:
    return [list(cell) for cell in cells]
