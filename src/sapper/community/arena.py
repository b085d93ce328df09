"""A tournament: back-to-back races for a fixed time, with points for places and streaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Any, Final, Self

from sapper._util.arguments import whole
from sapper._util.json_reading import reading
from sapper.community.errors import NotAMember
from sapper.community.message import Json, field_values
from sapper.community.race_settings import RaceSettings
from sapper.community.room_clock import RoomClock
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import check_seed, substream
from sapper.translation import t

__all__ = ["Arena", "ArenaSettings", "Pairing", "Standing"]

_MINUTE_MS: Final = 60_000
_STREAK: Final = 2
"""After this number of wins in a row, further races count double."""
_MOST_PLAYERS: Final = 1_000
_REMEMBERED: Final = 3
"""Number of races per player whose opponents are remembered."""


@dataclass(frozen=True, slots=True)
class ArenaSettings:
    """Tournament settings.

    Attributes:
        name: Its name.
        race: The settings of its races, each of which has one round.
        length_ms: The time during which new races start.
        race_size: The maximum number of players in a race.
        wait_ms: How long players wait for a full race; after that, two players are enough.
        lobby_ms: The time before the first race, in which players can already join.

    Raises:
        BadSetting: If a value is out of range.
    """

    name: str
    race: RaceSettings
    length_ms: int = 60 * _MINUTE_MS
    race_size: int = 4
    wait_ms: int = 10_000
    lobby_ms: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name.strip()) <= 60:
            raise BadSetting("the name of a tournament must have 1 to 60 characters")
        if self.race.best_of != 1:
            raise BadSetting("each race of a tournament has one round")
        whole(self.length_ms, "length_ms", least=_MINUTE_MS, most=24 * 60 * _MINUTE_MS)
        whole(self.lobby_ms, "lobby_ms", most=24 * 60 * _MINUTE_MS)
        whole(self.race_size, "race_size", least=2, most=self.race.most)
        whole(self.wait_ms, "wait_ms", most=10 * _MINUTE_MS)

    @property
    def end_ms(self) -> int:
        """The time from which no race starts."""
        return self.lobby_ms + self.length_ms

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**field_values(self), "race": self.race.to_json()}

    @classmethod
    def from_json(cls, obj: dict[str, Any]) -> Self:
        """Read the JSON form.

        Raises:
            BadSetting: If a value is invalid.
        """
        return cls(**{**obj, "race": RaceSettings.from_saved(obj["race"])})


@dataclass(slots=True)
class Standing:
    """A player in the table.

    Attributes:
        player: The player.
        points: The points.
        races: Number of finished races.
        wins: Number of first places.
        streak: Number of wins in a row up to now.
        best_ms: The best time; None if there is none.
        place: The place in the table; players with equal points share a place.
    """

    player: str
    points: int = 0
    races: int = 0
    wins: int = 0
    streak: int = 0
    best_ms: int | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """A race to start now.

    Attributes:
        race: The number of the race in the tournament, from 1.
        players: The players, in the order of the table.
        seed: The seed of its room, which must be kept secret.
    """

    race: int
    players: tuple[str, ...]
    seed: int


class Arena:
    """A tournament with a fixed duration.

    Until the time is up, the player who has waited longest races against those nearest in points,
    but against the opponents of the last race only if there are no others. Races that have started
    by then count, and the tournament is over when the last of them ends, or could have ended. Like
    a room, it stops while it is not loaded.

    Args:
        settings: The settings.
        seed: From 0 to 2**64 - 1; it determines all boards.
    """

    def __init__(self, settings: ArenaSettings, seed: int) -> None:
        self.settings = settings
        self._seed = check_seed(seed)
        self._clock = RoomClock()
        self._table: dict[str, Standing] = {}
        self._ready: dict[str, int] = {}
        self._running: dict[int, tuple[str, ...]] = {}
        self._recent: dict[int, tuple[str, ...]] = {}
        self._pausing: set[str] = set()
        self._races = 0
        self._barred: list[str] = []
        self._stopped = False

    # Events.

    def join(self, now_ms: int, player: str) -> None:
        """Make a new or paused player ready for the next race.

        Raises:
            BadSetting: If there are too many players.
            IllegalAction: If the time is up, or the player was removed.
        """
        if self._advance(now_ms) >= self.settings.end_ms or self._stopped:
            raise IllegalAction("the tournament is over")
        if player in self._barred:
            raise IllegalAction(t("you were removed from this tournament"))
        if player not in self._table:
            if len(self._table) >= _MOST_PLAYERS:
                raise BadSetting(f"a tournament has at most {_MOST_PLAYERS:,} players")
            self._table[player] = Standing(player)
        self._pausing.discard(player)
        if not self._is_racing(player):
            self._ready.setdefault(player, self._clock.time_ms)

    def pause(self, now_ms: int, player: str) -> None:
        """Leave a player out of all races after the current one; the player keeps all points.

        Raises:
            NotAMember: If the player has not joined.
        """
        self._advance(now_ms)
        if player not in self._table:
            raise NotAMember("you are not in this tournament")
        self._ready.pop(player, None)
        if self._is_racing(player):
            self._pausing.add(player)

    def stop(self, now_ms: int) -> None:
        """End the tournament now; races that are running do not count."""
        self._advance(now_ms)
        self._stopped = True
        self._ready.clear()
        self._running.clear()
        self._pausing.clear()

    def release(self, now_ms: int, player: str) -> None:
        """Take a player out of a running race, whose result does not count for the player.

        Raises:
            NotAMember: If the player has not joined.
        """
        self._advance(now_ms)
        if player not in self._table:
            raise NotAMember("this player is not in the tournament")
        self._pausing.discard(player)
        for race, players in list(self._running.items()):
            left = tuple(one for one in players if one != player)
            if left:
                self._running[race] = left
            else:
                del self._running[race]

    def remove(self, now_ms: int, player: str) -> None:
        """Remove a player from the tournament for good.

        Raises:
            NotAMember: If the player has not joined.
        """
        self.release(now_ms, player)
        self._ready.pop(player, None)
        del self._table[player]
        self._barred.append(player)

    def rename(self, name: str) -> None:
        """Change the name of the tournament.

        Raises:
            BadSetting: If it is empty or too long.
        """
        self.settings = replace(self.settings, name=name)

    def resume(self, now_ms: int) -> None:
        """Continue a loaded tournament as if it had been loaded at this time.

        Otherwise, its clock is stopped until the first event.
        """
        self._advance(now_ms)

    def tick(self, now_ms: int) -> list[Pairing]:
        """Return the races to start now."""
        if self._advance(now_ms) >= self.settings.end_ms:
            self._ready.clear()
            if self.is_over:
                self._running.clear()
            return []
        pairings = []
        table = [one.player for one in self.table()]
        while group := self._next_race(table):
            pairings.append(self._pair([player for player in table if player in group]))
        return pairings

    def next_tick_ms(self) -> int | None:
        """Return the time when waiting players may be paired; None if nobody is waiting."""
        if len(self._ready) < 2:
            return None
        if self._clock.time_ms < self.settings.lobby_ms:
            return self._clock.outside(self.settings.lobby_ms)
        if self._next_race([one.player for one in self.table()]):
            return self._clock.outside(self._clock.time_ms)
        return self._clock.outside(min(self._ready.values()) + self.settings.wait_ms)

    def _next_race(self, table: list[str]) -> set[str]:
        """Return the players of a race that can start now; empty if everyone has to wait.

        A full race starts at once, unless all its players come from the same race while others,
        whom they could meet instead, are still racing.
        """
        waiting = sorted(filter(self._ready.__contains__, table), key=self._ready.__getitem__)
        if len(waiting) < 2 or self._clock.time_ms < self.settings.lobby_ms:
            return set()
        first, *others = waiting
        past = [players for players in self._recent.values() if first in players]
        points = self._table[first].points
        last = past[-1] if past else ()

        def distance(other: str) -> tuple[bool, int, int]:
            apart = abs(self._table[other].points - points)
            return other in last, apart, sum(other in players for players in past)

        group = {first, *nsmallest(self.settings.race_size - 1, others, key=distance)}
        is_full = len(group) == self.settings.race_size
        is_new = not self._running or not group <= {*last}
        waited = self._clock.time_ms - self._ready[first] >= self.settings.wait_ms
        return group if waited or (is_full and is_new) else set()

    def _is_racing(self, player: str) -> bool:
        return any(player in players for players in self._running.values())

    def result(
        self, now_ms: int, race: int, places: Mapping[str, int], times_ms: Mapping[str, int]
    ) -> None:
        """Record the result of a race; players who finished are ready for the next one.

        A player gets a point for each player behind, and double points after two wins in a row.
        Players who did not finish get no points and are paused.

        Args:
            now_ms: The time.
            race: The number of the race.
            places: The place of each player, as in a race.
            times_ms: The time of each player who finished.

        Raises:
            IllegalAction: If no such race is running.
        """
        self._advance(now_ms)
        players = self._running.pop(race, None)
        if players is None:
            raise IllegalAction(f"race {race} of the tournament is not running")
        # A player who left the race before its start has no final place.
        for player in (one for one in players if one in places):
            behind = sum(places[player] < place for place in places.values())
            self._count(self._table[player], behind, places[player], times_ms.get(player))
            is_in_time = self._clock.time_ms < self.settings.end_ms
            if player in times_ms and is_in_time and player not in self._pausing:
                self._ready[player] = self._clock.time_ms
        self._pausing.difference_update(players)

    def _count(self, one: Standing, behind: int, place: int, time_ms: int | None) -> None:
        one.races += 1
        if time_ms is None:
            one.streak = 0
            return
        one.points += behind * (2 if one.streak >= _STREAK else 1)
        one.best_ms = time_ms if one.best_ms is None else min(one.best_ms, time_ms)
        won = place == 1
        one.wins, one.streak = one.wins + won, one.streak + 1 if won else 0

    # Views.

    @property
    def is_over(self) -> bool:
        """Whether the time is up and every race has ended, or should have ended long ago."""
        late_ms = self._clock.time_ms - self.settings.end_ms
        race = self.settings.race
        longest_ms = race.countdown_ms + race.limit_ms + _MINUTE_MS
        return (late_ms >= 0 and not self._running) or late_ms >= longest_ms or self._stopped

    def table(self) -> list[Standing]:
        """Return all players, ordered by points, then by best time, then by order of joining."""
        order = sorted(self._table.values(), key=lambda one: (-one.points, one.best_ms or 2**60))
        for at, one in enumerate(order, start=1):
            tied = at > 1 and order[at - 2].points == one.points
            one.place = order[at - 2].place if tied else at
        return order

    def view(self) -> Json:
        """Return the public view of the tournament."""
        return {
            "name": self.settings.name,
            "time_ms": self._clock.time_ms,
            "settings": self.settings.to_json(),
            "over": self.is_over,
            "ready": list(self._ready),
            "pausing": sorted(self._pausing),
            "racing": [[race, list(players)] for race, players in self._running.items()],
            "table": [field_values(one) for one in self.table()],
        }

    def _pair(self, players: list[str]) -> Pairing:
        self._races += 1
        for player in players:
            del self._ready[player]
        self._running[self._races] = self._recent[self._races] = tuple(players)
        kept = _REMEMBERED * len(self._table) // self.settings.race_size + 1
        for race in [race for race in self._recent if race <= self._races - kept]:
            del self._recent[race]
        return Pairing(self._races, tuple(players), substream(self._seed, "race", self._races))

    def _advance(self, now_ms: int) -> int:
        return self._clock.advance(now_ms)

    # The saved form.

    def to_json(self) -> dict[str, Any]:
        """Return the whole tournament as JSON, for `from_json`; it includes the secret seed."""
        return {
            "settings": self.settings.to_json(),
            "seed": self._seed,
            "time_ms": self._clock.time_ms,
            "table": [field_values(one) for one in self._table.values()],
            "ready": list(map(list, self._ready.items())),
            "running": [[race, list(players)] for race, players in self._running.items()],
            "recent": [[race, list(players)] for race, players in self._recent.items()],
            "pausing": sorted(self._pausing),
            "races": self._races,
            "barred": list(self._barred),
            "stopped": self._stopped,
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Load a tournament saved by `to_json`.

        Raises:
            BadSave: If the object is not a valid saved tournament.
        """
        with reading("a saved tournament"):
            made = cls(ArenaSettings.from_json(obj["settings"]), obj["seed"])
            made._clock = RoomClock(obj["time_ms"])
            made._table = {one["player"]: Standing(**one) for one in obj["table"]}
            made._ready = dict(map(tuple, obj["ready"]))
            made._running = {race: tuple(players) for race, players in obj["running"]}
            made._races = obj["races"]
            # Tournaments saved by earlier versions have none of these.
            made._recent = {race: tuple(players) for race, players in obj.get("recent", ())}
            made._pausing = set(obj.get("pausing", ()))
            made._barred = list(obj.get("barred", ()))
            made._stopped = obj.get("stopped", False)
            return made
