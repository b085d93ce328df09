"""A player's mistakes: stored, asked again as questions, and removed once solved."""

from __future__ import annotations

import pytest

from sapper.coach.trainer import Answer, Mistake, MistakeSet, Question, judge_mistake
from sapper.coach.trainer.mistake_set import MOST
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.position import Position
from sapper.server.storage.database import Database
from sapper.topology import Cell

_DAY = 86_400.0


class Clock:
    """A clock that tests can set."""

    def __init__(self) -> None:
        self.now = 20_000 * _DAY

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at the start of a day."""
    return Clock()


@pytest.fixture
def mistakes(database: Database, clock: Clock) -> MistakeSet:
    """A set of mistakes, on each database engine in turn."""
    return MistakeSet(database.writing, clock)


def mistake(zeros: int = 0) -> Mistake:
    """A position whose end cells are safe; extra zeros below make it different."""
    rows = "\n".join(["mines: 2", "....", "1221", *["0000"] * zeros])
    return Mistake(Question.SAFE, Position.parse(rows), Cell(0, 1), 3)


def answer(mistakes: MistakeSet, one: Mistake, *, right: bool) -> bool:
    """Answer a mistake; return whether that removed it."""
    cell = (0, 0) if right else (0, 1)
    verdict = judge_mistake(one, Answer.of(one.position, [cell]))
    assert verdict.solved is right
    return mistakes.note("ann", one.id, verdict)


def test_mistake_is_stored_once_per_player(mistakes: MistakeSet) -> None:
    """Other players do not see a player's mistakes."""
    for _ in range(2):
        mistakes.add("ann", mistake(), "game")
    assert mistakes.counts("ann") == (1, 1)
    assert mistakes.next("ann") == mistakes.get("ann", mistake().id) == mistake()
    assert (mistakes.counts("bob"), mistakes.next("bob")) == ((0, 0), None)
    with pytest.raises(BadPuzzle):
        mistakes.get("bob", mistake().id)


def test_right_answers_on_two_days_remove_a_mistake(mistakes: MistakeSet, clock: Clock) -> None:
    """Answers on the day of the mistake, and second answers on a day, do not count."""
    mistakes.add("ann", mistake(), "game")
    assert not answer(mistakes, mistake(), right=True)
    assert mistakes.counts("ann") == (1, 0)
    clock.now += _DAY
    assert mistakes.counts("ann") == (1, 1)
    assert not answer(mistakes, mistake(), right=True)
    assert not answer(mistakes, mistake(), right=True)
    clock.now += _DAY
    assert answer(mistakes, mistake(), right=True)
    assert mistakes.counts("ann") == (0, 0)


def test_wrong_answer_resets_the_count(mistakes: MistakeSet, clock: Clock) -> None:
    """A correct answer later on the same day does not count."""
    mistakes.add("ann", mistake(), "game")
    clock.now += _DAY
    answer(mistakes, mistake(), right=True)
    clock.now += _DAY
    answer(mistakes, mistake(), right=False)
    answer(mistakes, mistake(), right=True)
    clock.now += _DAY
    assert not answer(mistakes, mistake(), right=True)
    clock.now += _DAY
    assert answer(mistakes, mistake(), right=True)


def test_repeated_mistake_resets_the_count(mistakes: MistakeSet, clock: Clock) -> None:
    """Another review of the same game resets the count as well."""
    mistakes.add("ann", mistake(), "game")
    clock.now += _DAY
    answer(mistakes, mistake(), right=True)
    clock.now += _DAY
    mistakes.add("ann", mistake(), "game")
    clock.now += _DAY
    assert not answer(mistakes, mistake(), right=True)


def test_due_mistakes_come_first(mistakes: MistakeSet) -> None:
    """A mistake is asked again early only if nothing else is left."""
    all_of_them = [mistake(zeros) for zeros in range(3)]
    for one in all_of_them:
        mistakes.add("ann", one, "game")
    seen = []
    for right in (True, False, True, True, True):
        one = mistakes.next("ann")
        assert one is not None
        seen.append(all_of_them.index(one))
        answer(mistakes, one, right=right)
    # The second mistake remains due until it is answered correctly.
    assert seen == [0, 1, 2, 1, 0]


def test_the_oldest_mistakes_are_dropped(mistakes: MistakeSet) -> None:
    """Each player has a limit, beyond which the oldest mistakes are dropped."""
    for zeros in range(MOST + 1):
        mistakes.add("ann", mistake(zeros), "game")
    assert mistakes.counts("ann").total == MOST
    with pytest.raises(BadPuzzle):
        mistakes.get("ann", mistake(0).id)


def test_mistakes_are_exported_and_erased(mistakes: MistakeSet) -> None:
    """Each exported mistake includes its game; other players' mistakes stay."""
    mistakes.add("ann", mistake(), "first")
    mistakes.add("ann", mistake(1), "second")
    mistakes.add("bob", mistake(), "third")
    rows = list(mistakes.export("ann"))
    assert [row["game"] for row in rows] == ["first", "second"]
    assert Mistake.from_json(rows[0]) == mistake()
    assert mistakes.erase("ann") == 2
    assert (mistakes.counts("ann").total, mistakes.counts("bob").total) == (0, 1)
