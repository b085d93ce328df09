"""A room with everything that the server saves about it, without windows and timers."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from sapper.community import Message, RacePhase, Room, load_room
from sapper.errors import BadSave, IllegalAction
from sapper.server import limits
from sapper.server.protocol import Json
from sapper.server.rooms.events import ACTIONS, STARTS, Event, is_saved, perform
from sapper.server.storage.database import compact
from sapper.server.storage.feature_tables import (
    DELETED_NAME,
    Erased,
    alias_of,
    anonymized,
)
from sapper.server.storage.rooms import Ended, RoomChange, SavedRoom, Whole
from sapper.server.storage.round_ended import RoundEnded

__all__ = ["HostedRoom", "RoomInfo"]


@dataclass(frozen=True)
class RoomInfo:
    """The server's data about a room, which never changes.

    Attributes:
        code: The code.
        id: An id that no other room ever has.
        maker: The session id of the maker; empty for a tournament.
        made_ms: When it was made, in milliseconds since 1970.
        public: Whether it is listed while people are in it.
        tournament: The code of the tournament whose race it is; empty for none.
        race: The number of the race in the tournament.
        starts_by_ms: The time of the room's clock at which a tournament starts the race at the
            latest.
    """

    code: str
    id: str
    maker: str
    made_ms: int
    public: bool
    tournament: str = ""
    race: int = 0
    starts_by_ms: int = 0


class HostedRoom:
    """A room whose events are recorded, so that it can be restored after a crash.

    Its clock is the room's own: the caller passes the room's time. Not thread-safe.

    Args:
        room: The room.
        info: The server's data about it.

    Attributes:
        room: The room.
        info: The server's data about it.
        token: The token of the worker's claim to the room.
    """

    def __init__(self, room: Room, info: RoomInfo) -> None:
        self.room, self.info, self.token = room, info, 0
        self._games = 0
        self._actions: dict[str, int] = {}
        self._failed_to_start = False
        self._players: dict[int, tuple[str, Json]] = {}
        self._events: list[str] = []
        self._queued = 0
        self._ended: list[Ended] = []
        self._results: list[RoundEnded] = []
        self._summary, self._phase = (False, ""), ""
        self._is_new = True
        self._whole_ms = room.time_ms

    # Events.

    def happen(self, at_ms: int, event: Event) -> list[Message]:
        """Apply an event, and record it.

        Args:
            at_ms: Its time by the room's clock, or an earlier one if the clock is ahead.
            event: The event.

        Raises:
            SapperError: If the event is not possible.
        """
        if event[0] in ACTIONS and not self._may_act(event[1]):
            return self.tick(at_ms)
        messages = perform(self.room, at_ms, event)
        if event[0] in ACTIONS:
            self._actions[event[1]] = self._actions.get(event[1], 0) + 1
        if event[0] in STARTS and self.room.is_running:
            self._actions = {}
        if is_saved(event):
            self._events.append(compact([self.room.time_ms, *event]))
        if event[0] in ("join", "part", "bot", "admit", *STARTS):
            self._remember_players()
        return messages

    def _may_act(self, visitor: str) -> bool:
        """Return whether a visitor is in the game.

        Raises:
            IllegalAction: If the visitor has done all the actions that a game allows a player.
            NotAMember: If the visitor is not a member.
        """
        member = self.room.members[visitor]
        if self._actions.get(visitor, 0) >= limits.ROOM_ACTIONS:
            raise IllegalAction(f"a player has at most {limits.ROOM_ACTIONS:,} actions in a game")
        return member.plays

    def forget(self, at_ms: int, alias: str) -> list[Message]:
        """Remove an erased player, whose games show a deleted player instead.

        Args:
            at_ms: The time by the room's clock.
            alias: The alias of the player.
        """
        ids = {self.info.maker, *(id for id, _ in self._players.values())}
        ids |= {member.id for member in self.room.members}
        player = next((one for one in ids if alias_of(one) == alias), None)
        if player is None:
            return []
        messages: list[Message] = []
        if player in self.room.members:
            messages = self.room.leave(at_ms, player)
        erased = Erased(player)
        ended = [
            one._replace(
                recording=compact(_without(json.loads(one.recording), one.players, player)),
                players=tuple(each for each in one.players if each[0] != player),
            )
            for one in self._ended
        ]
        self._load(anonymized(json.loads(compact(self._to_json())), erased))
        self._ended = ended
        self.save_whole()
        return messages

    def tick(self, at_ms: int) -> list[Message]:
        """Handle everything that is due."""
        return self.room.tick(at_ms)

    def _remember_players(self) -> None:
        for member in self.room.members.players:
            self._players[member.number] = (member.id, member.public())

    def _forget_players(self) -> None:
        """Forget the players who left longest ago, except those of the current game."""
        needed = {member.number for member in self.room.members.players} | self.room.playing
        others = sorted(number for number in self._players if number not in needed)
        for number in others[: max(0, len(others) - limits.ROOM_PLAYERS)]:
            del self._players[number]

    def note_ended(self, finished_ms: int) -> int:
        """Record the games that have ended since the last call, and return how many there are.

        Args:
            finished_ms: The time in milliseconds since 1970.
        """
        before = self._games
        for recording in self.room.ended():
            self._games += 1
            value = self._ended_game(recording)
            people = {
                (id, n)
                for n, (id, public) in self._players.items()
                if n in _numbers_in(recording) and public["bot"] is None
            }
            ended = Ended(self._games, finished_ms, compact(value), tuple(sorted(people)))
            self._ended.append(ended)
            self._results.append(self._result(recording, finished_ms))
        # Only now, because a batch of events can contain the end of one game and the next start.
        self._forget_players()
        return self._games - before

    def _ended_game(self, recording: Json) -> Json:
        numbers = _numbers_in(recording)
        players = [public for n, (_, public) in self._players.items() if n in numbers]
        return {**self._description(), "members": players, "recording": recording}

    def _description(self) -> Json:
        settings = self.room.settings.to_json()
        return {
            "code": self.info.code,
            "kind": self.room.kind,
            "level": settings["level"],
            "rules": settings.get("rules"),
            "rated": self.is_rated,
        }

    def _result(self, recording: Json, finished_ms: int) -> RoundEnded:
        places: dict[int, int] = {}
        times: dict[int, int] = {}
        if recording["kind"] == "race":
            places = {one["number"]: one["place"] for one in recording["results"]}
            finished = [one for one in recording["results"] if one["time_ms"] is not None]
            times = {one["number"]: one["time_ms"] for one in finished}
        elif recording["kind"] == "flags":
            winner = recording["winner"]
            places = {n: 1 + (side != winner) for side, n in enumerate(recording["sides"])}
        ids = {n: id for n, (id, public) in self._players.items() if public["bot"] is None}
        about = self._description()
        return RoundEnded(
            f"{self.info.id}:{self._games}",
            about["kind"],
            about["level"],
            about["rated"],
            finished_ms,
            {ids[n]: place for n, place in places.items() if n in ids},
            {ids[n]: time for n, time in times.items() if n in ids},
            self.info.tournament,
            self.info.race,
            self.room.rating_rules,
        )

    # The state for the server.

    def names_of_others(self, visitor: str) -> set[str]:
        """Return the names of all members and former players except this visitor."""
        left = {public["name"] for id, public in self._players.values() if id != visitor}
        return left | {member.name for member in self.room.members if member.id != visitor}

    @property
    def is_rated(self) -> bool:
        """Whether its games count for ratings."""
        return bool(self.room.settings.to_json().get("rated", False))

    @property
    def is_running(self) -> bool:
        """Whether something happens without input, as in a running game."""
        return self.room.next_tick_ms() is not None

    @property
    def _waits_to_start(self) -> bool:
        is_waiting = self.room.phase is RacePhase.WAITING and not self._failed_to_start
        return bool(self.info.tournament) and is_waiting

    def start_if_due(self, at_ms: int) -> list[Message]:
        """Start the race of a tournament if all its players are there, or the time is up."""
        players = self.room.members.players
        is_late = self.room.time_ms >= self.info.starts_by_ms
        if not self._waits_to_start or not (is_late or all(one.connected for one in players)):
            return []
        # A board that cannot be dealt must not be tried again immediately.
        self._failed_to_start = True
        messages = self.happen(at_ms, ["start", None])
        self._failed_to_start = False
        return messages

    def due_ms(self) -> int | None:
        """Return the time by the room's clock at which something is due, or None."""
        due = self.room.next_tick_ms()
        if self._waits_to_start:
            due = min(self.info.starts_by_ms, self.info.starts_by_ms if due is None else due)
        return due

    def _summarized(self) -> tuple[bool, str]:
        """Return whether the room is listed, and its entry in the list."""
        members = list(self.room.members)
        host = self.room.members.host
        people = [member for member in members if member.bot is None and member.connected]
        players = [member for member in members if member.plays]
        most = self.room.members.most
        entry = {
            **self._description(),
            "phase": str(self.room.phase),
            "players": len(players),
            "bots": sum(member.bot is not None for member in players),
            "watchers": len(members) - len(players),
            "most": most,
            "host": None if host is None else host.name,
        }
        is_open = bool(people) and not self.room.locked
        return self.info.public and is_open, compact(entry)

    # The saved form.

    def change(self) -> RoomChange | None:
        """Return the changes to save since the last call, or None."""
        is_old = self.room.time_ms >= self._whole_ms + limits.ROOM_SAVED_S * 1000
        is_long = self._queued + len(self._events) >= limits.ROOM_EVENTS
        if self._is_new or self._ended or is_long or (is_old and self.is_running):
            return self._saved_whole()
        if not self._events and self._phase == self.room.phase:
            return None
        listed, summary = self._summarized()
        is_changed = (listed, summary) != self._summary
        first, events = self._queued, tuple(self._events)
        self._queued += len(events)
        self._events, self._phase = [], str(self.room.phase)
        self._summary = listed, summary
        return RoomChange(
            self.info.code,
            self.token,
            listed,
            summary if is_changed else None,
            None,
            first,
            events,
        )

    def _saved_whole(self) -> RoomChange:
        listed, summary = self._summarized()
        ended, self._ended = tuple(self._ended), []
        results, self._results = tuple(self._results), []
        self._events, self._queued, self._summary = [], 0, (listed, summary)
        self._phase = str(self.room.phase)
        self._is_new, self._whole_ms = False, self.room.time_ms
        whole = Whole(self.info.maker, self.info.made_ms, compact(self._to_json()))
        return RoomChange(
            self.info.code, self.token, listed, summary, whole, ended=ended, results=results
        )

    def save_whole(self) -> None:
        """Make the next `change` save the whole room."""
        self._is_new = True

    def _to_json(self) -> Json:
        return {
            "info": asdict(self.info),
            "room": self.room.to_json(),
            "games": self._games,
            "actions": dict(self._actions),
            "players": [[n, id, public] for n, (id, public) in self._players.items()],
            "results": self._results,
        }

    @classmethod
    def load(cls, saved: SavedRoom) -> HostedRoom:
        """Restore a saved room: the whole one, and the events after it.

        Raises:
            BadSave: If it cannot be read.
        """
        try:
            obj: dict[str, Any] = json.loads(saved.state)
            made = cls(load_room(obj["room"]), RoomInfo(**obj["info"]))
            made._load(obj)
            # The room's clock continues from the time when the room was saved.
            made.tick(made.room.time_ms)
            for text in saved.events:
                time_ms, *event = json.loads(text)
                made.happen(time_ms, event)
            for member in list(made.room.members):
                if member.bot is None and member.connected:
                    # Their windows were connected to the server that had the room.
                    made.happen(made.room.time_ms, ["away", member.id])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
            raise BadSave(f"the saved room cannot be read: {problem}") from problem
        return made

    def _load(self, obj: dict[str, Any]) -> None:
        """Continue with a state returned by `_to_json`."""
        self.room, self.info = load_room(obj["room"]), RoomInfo(**obj["info"])
        self._games = obj["games"]
        # Servers before version 1.2 saved one number for the whole room.
        self._actions = obj["actions"] if isinstance(obj["actions"], dict) else {}
        self._players = {n: (id, public) for n, id, public in obj["players"]}
        # Servers before schema version 12 saved results as unconfirmed.
        results = obj["results"] if "results" in obj else obj["unconfirmed"]
        self._results = [RoundEnded(*one) for one in results]


def _without(value: Json, players: tuple[tuple[str, int], ...], player: str) -> Json:
    """Return a finished game without the name of a player."""
    numbers = {number for id, number in players if id == player}
    members = [
        {**one, "name": DELETED_NAME} if one["number"] in numbers else one
        for one in value["members"]
    ]
    return {**value, "members": members}


def _numbers_in(recording: Json) -> set[int]:
    """Return the numbers of the members who played a recorded game."""
    if recording["kind"] == "race":
        return {one["number"] for one in recording["results"]}
    if recording["kind"] == "flags":
        return set(recording["sides"])
    return {one["number"] for one in recording["shares"]}
