"""A room: members, a clock, and messages addressed to members."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, Protocol

from sapper.actions import Action
from sapper.community.bot_pace import BotSettings
from sapper.community.errors import NotTheHost
from sapper.community.members import Member, Members
from sapper.community.message import Json, Message
from sapper.community.phrases import PHRASE_MS, check_phrase
from sapper.community.room_clock import RoomClock
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import check_seed
from sapper.rules import Level
from sapper.translation import LabelledEnum, t

__all__ = ["WATCHERS_DELAY_MS", "Room", "RoomSettings"]

WATCHERS_DELAY_MS: Final = 10_000
"""The delay for watchers of rated games."""
_KEPT_MS: Final = 1_000
_LEAST_VOTES: Final = 2
_MOST_BARRED: Final = 1_000


class RoomSettings(Protocol):
    """Settings for a room of any kind."""

    @property
    def level(self) -> Level:
        """The level of the board."""

    def to_json(self) -> Json:
        """Return the JSON form."""


class Room(ABC):
    """The base class of rooms. A room does nothing by itself: it takes events and returns messages.

    Times are in milliseconds since an arbitrary moment and never decrease; the room's clock stops
    while it is not loaded. Only `view` and the messages leave the room, and a member gets only
    those that are addressed to it.

    Args:
        most: Maximum number of players.
        seed: From 0 to 2**64 - 1. The seed determines all boards: keep it secret.
        rated: Whether watchers see games late.
    """

    kind: ClassVar[str]
    """The name of the kind of room."""
    least: ClassVar[int] = 2
    """The minimum number of players in a game."""
    settings: RoomSettings
    phase: LabelledEnum

    def __init__(self, most: int, seed: int, *, rated: bool) -> None:
        self.members = Members(most)
        self.seed = check_seed(seed)
        self._clock = RoomClock()
        self._outbox: list[Message] = []
        self._said_ms: dict[str, int] = {}
        self._delay_ms = WATCHERS_DELAY_MS if rated else 0
        self._late: deque[tuple[int, Json]] = deque()
        self._past: deque[tuple[int, Json]] = deque()
        self._ended: list[Json] = []
        self._locked = False
        self._barred: list[str] = []
        self._votes: dict[int, list[int]] = {}
        self._rematch: set[int] = set()
        self._hosted = True

    # Events.

    def join(self, now_ms: int, member_id: str, name: str, *, watch: bool = False) -> list[Message]:
        """Add a person; a member who is already there is connected again.

        Raises:
            BadSetting: If the id or the name is empty or too long.
            IllegalAction: If the room is locked, or the person was removed from it.
            RoomFull: If there are too many players or watchers.
        """
        if member_id in self.members:
            return self.reconnect(now_ms, member_id)
        if member_id in self._barred:
            raise IllegalAction(t("you were removed from this room"))
        if self._locked:
            raise IllegalAction(t("this room is locked"))
        self._advance(now_ms)
        waits = not watch and self._is_closed()
        member = self.members.add(member_id, name, plays=not watch and not waits)
        member.waits = waits
        self._joined(member)
        self._members_changed()
        return self._sent()

    def add_bot(
        self, now_ms: int, host_id: str | None, bot_id: str, name: str, settings: BotSettings
    ) -> list[Message]:
        """Add a bot on behalf of the host, or of a tournament if that is None.

        Raises:
            NotTheHost: If the member is not the host.
            RoomFull: If there are too many players.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        member = self.members.add(bot_id, name, plays=True, bot=settings)
        self._joined(member)
        self._members_changed()
        return self._sent()

    def remove_bot(self, now_ms: int, host_id: str, number: int) -> list[Message]:
        """Remove a bot on behalf of the host.

        Raises:
            BadSetting: If no bot has this number.
            NotTheHost: If the member is not the host.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        bots = (one.id for one in self.members if one.bot is not None and one.number == number)
        bot_id = next(bots, None)
        if bot_id is None:
            raise BadSetting(f"no bot has the number {number}")
        return self.leave(now_ms, bot_id)

    def leave(self, now_ms: int, member_id: str) -> list[Message]:
        """Remove a member for good."""
        self._advance(now_ms)
        self._leave(member_id)
        return self._sent()

    def _leave(self, member_id: str) -> None:
        member = self.members.remove(member_id)
        self._said_ms.pop(member_id, None)
        self._votes.pop(member.number, None)
        self._rematch.discard(member.number)
        for voters in self._votes.values():
            if member.number in voters:
                voters.remove(member.number)
        self._left(member)
        self._members_changed()

    def take_part(self, now_ms: int, member_id: str) -> list[Message]:
        """Make a watcher a player, or let the watcher wait until the host agrees.

        Raises:
            RoomFull: If there are too many players.
        """
        self._advance(now_ms)
        member = self.members[member_id]
        if not member.plays:
            if self._locked or self._is_closed():
                member.waits = True
                self._members_changed()
            else:
                self._let_in(member)
        return self._sent()

    def admit(self, now_ms: int, host_id: str, number: int) -> list[Message]:
        """Let a waiting member play, on behalf of the host.

        Raises:
            BadSetting: If no member has this number, or the member does not wait.
            NotTheHost: If the member is not the host.
            RoomFull: If there are too many players.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        member = self.members.numbered(number)
        if not member.waits:
            raise BadSetting(f"the member {number} has not asked to play")
        self._let_in(member)
        return self._sent()

    def lock(self, now_ms: int, host_id: str, *, locked: bool) -> list[Message]:
        """Keep everyone out who is not a member yet, or let people in again.

        Raises:
            NotTheHost: If the member is not the host.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        if locked != self._locked:
            self._locked = locked
            self._members_changed()
        return self._sent()

    def kick(self, now_ms: int, host_id: str, number: int) -> list[Message]:
        """Remove a member, who cannot join again, on behalf of the host.

        Raises:
            BadSetting: If no member has this number, or it is the host's own.
            IllegalAction: If it is a player of a rated game that is running.
            NotTheHost: If the member is not the host.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        member = self._removable(number)
        if member.id == host_id:
            raise BadSetting("hosts can leave their room, but not remove themselves")
        self._remove(member)
        return self._sent()

    def vote(self, now_ms: int, member_id: str, number: int) -> list[Message]:
        """Vote for the removal of a player.

        The player is removed by the votes of more than half of the other connected people who play,
        but at least two.

        Raises:
            BadSetting: If no member has this number, or it is the voter's own.
            IllegalAction: If the voter does not play, or it is a player of a rated game that is
                running.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        voter, member = self.members[member_id], self._removable(number)
        if not voter.plays or not member.plays or member.bot is not None:
            raise IllegalAction(t("only players vote, and only on people who play"))
        if voter is member:
            raise BadSetting("nobody votes on themselves")
        voters = self._votes.setdefault(number, [])
        if voter.number not in voters:
            voters.append(voter.number)
            others = {
                one.number
                for one in self.members.players
                if one.bot is None and one.connected and one is not member
            }
            if len(others & set(voters)) >= max(_LEAST_VOTES, len(others) // 2 + 1):
                self._remove(member)
            else:
                self._members_changed()
        return self._sent()

    def _let_in(self, member: Member) -> None:
        self.members.take_part(member)
        self._joined(member)
        self._members_changed()
        self._tell(member, {"type": "view", "view": self.view(member.id)})

    def _removable(self, number: int) -> Member:
        member = self.members.numbered(number)
        if member.plays and self._delay_ms and self.is_running:
            # Otherwise, a host could turn every defeat into a victory.
            raise IllegalAction(t("nobody can be removed during a rated game"))
        return member

    def _remove(self, member: Member) -> None:
        self._barred = [*self._barred, member.id][-_MOST_BARRED:]
        self._leave(member.id)
        self._tell(member, {"type": "removed"})

    def disconnect(self, now_ms: int, member_id: str) -> list[Message]:
        """Record that a member's last window has closed; the place in the game is kept."""
        return self._connected(now_ms, member_id, connected=False)

    def reconnect(self, now_ms: int, member_id: str) -> list[Message]:
        """Record that a member has a window again, and send it the whole view."""
        return self._connected(now_ms, member_id, connected=True)

    def act(self, now_ms: int, member_id: str, action: Action) -> list[Message]:
        """Perform an action of a player; an action without effect is not an error.

        Raises:
            BadCell: If the cell is not on the board.
            IllegalAction: If the game has no such action.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        member = self.members[member_id]
        if member.plays:
            self._act(member, action)
        return self._sent()

    def say(self, now_ms: int, member_id: str, phrase: str) -> list[Message]:
        """Let a player send a preset phrase to everyone, at most every two seconds.

        Raises:
            BadSetting: If there is no such phrase.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        member = self.members[member_id]
        check_phrase(phrase)
        last = self._said_ms.get(member_id)
        if member.plays and (last is None or self._time_ms >= last + PHRASE_MS):
            self._said_ms[member_id] = self._time_ms
            body = {"type": "phrase", "number": member.number, "phrase": phrase}
            self._send_to([one.id for one in self.members], body)
        return self._sent()

    def start(self, now_ms: int, host_id: str | None = None) -> list[Message]:
        """Start the game, or another one after its end, on behalf of the host or a tournament.

        Raises:
            IllegalAction: If a game is running, or there are too few players.
            NotTheHost: If the member is not the host.
        """
        self._advance(now_ms)
        self._check_host(host_id)
        self._start()
        self._hosted = host_id is not None
        self._forget_rematch()
        return self._sent()

    def ask_for_rematch(self, now_ms: int, member_id: str) -> list[Message]:
        """Let a player ask for another game, which starts once all connected people have asked.

        Raises:
            IllegalAction: If the member does not play, or no game has ended.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        member = self.members[member_id]
        if not member.plays or not self.is_over:
            raise IllegalAction(t("players ask for a rematch after a game"))
        asked = self._rematch | {member.number}
        people = [one for one in self.members.players if one.bot is None and one.connected]
        bots = [one for one in self.members.players if one.bot is not None]
        if len(people) + len(bots) >= self.least and asked >= {one.number for one in people}:
            self._start()
            self._hosted = True
            self._forget_rematch()
        elif asked != self._rematch:
            self._rematch = asked
            self._members_changed()
        return self._sent()

    def _forget_rematch(self) -> None:
        if self._rematch:
            self._rematch = set()
            self._members_changed()

    def tick(self, now_ms: int) -> list[Message]:
        """Handle everything that is due: countdowns, time limits, bots and delayed messages."""
        self._advance(now_ms)
        return self._sent()

    def next_tick_ms(self) -> int | None:
        """Return the time of the next `tick` that may have an effect, or None if there is none.

        A loaded room needs an event first, such as a `tick`, to learn the time.
        """
        due = [time for time in self._due() if time is not None]
        if self._late:
            due.append(self._late[0][0] + self._delay_ms)
        return self._clock.outside(min(due)) if due else None

    def view(self, member_id: str) -> Json:
        """Return everything that a member may see.

        Raises:
            NotAMember: If there is no such member.
        """
        member = self.members[member_id]
        shown = self._public() if member.plays or not self._delay_ms else self._delayed()
        return {"you": member.number, **shown, **(self._private(member) if member.plays else {})}

    def preview(self) -> Json:
        """Return the view for people who have not joined: the settings, members and phase."""
        return {"you": None, **self._base_view()}

    def ended(self) -> list[Json]:
        """Return the recordings of all games that have ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    @property
    def locked(self) -> bool:
        """Whether only members can enter."""
        return self._locked

    @property
    def watchers_delay_ms(self) -> int:
        """The delay for watchers."""
        return self._delay_ms

    @property
    def time_ms(self) -> int:
        """The time of the room's clock."""
        return self._clock.time_ms

    @property
    def rating_rules(self) -> str:
        """What distinguishes its rating list from the usual one of its level; often empty."""
        return ""

    @property
    @abstractmethod
    def is_running(self) -> bool:
        """Whether a game or a round is running, or about to start."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether a game or a match has ended and no new one has started."""

    @property
    @abstractmethod
    def playing(self) -> set[int]:
        """The numbers of all who have played in the current or last game, even if they left."""

    @abstractmethod
    def to_json(self) -> Json:
        """Return the whole room as JSON, for `load_room`; it includes the secrets."""

    # For subclasses.

    @abstractmethod
    def _public(self) -> Json:
        """Return the public view, as new JSON values."""

    @abstractmethod
    def _private(self, member: Member) -> Json:
        """Return the part of the view that only one player may see."""

    @abstractmethod
    def _act(self, member: Member, action: Action) -> None:
        """Perform an action of a player."""

    @abstractmethod
    def _start(self) -> None:
        """Start a game."""

    @abstractmethod
    def _due(self) -> Iterable[int | None]:
        """Return the times, by the room's clock, at which something is due."""

    @abstractmethod
    def _pass(self, time_ms: int) -> None:
        """Handle everything that is due at a time."""

    @abstractmethod
    def _joined(self, member: Member) -> None:
        """Handle the arrival of a new member."""

    @abstractmethod
    def _left(self, member: Member) -> None:
        """Handle the departure of a member."""

    def _is_closed(self) -> bool:
        """Return whether new players wait until the host lets them in."""
        return False

    @property
    def _time_ms(self) -> int:
        return self._clock.time_ms

    def _advance(self, now_ms: int) -> None:
        self._pass(self._clock.advance(now_ms))
        self._release()

    def _sent(self) -> list[Message]:
        messages, self._outbox = self._outbox, []
        return messages

    def _tell(self, member: Member, body: Json) -> None:
        """Send a message to one member."""
        self._outbox.append(Message((member.id,), body))

    def _tell_all(
        self,
        body: Json,
        *,
        is_partial: bool = True,
        each: Callable[[Member], Json] | None = None,
    ) -> None:
        """Send a message with public values to all players now, and to watchers when it is due.

        Args:
            body: The message.
            is_partial: Whether it needs the public state just before it. If not, this state is
                kept for late watchers at most once a second.
            each: Returns what a player gets instead (default: the same for all).
        """
        prompt = self.members.players if self._delay_ms else self.members
        if each is None:
            self._send_to([one.id for one in prompt], body)
        else:
            for one in prompt:
                self._tell(one, each(one) if one.plays else body)
        if not self._delay_ms:
            return
        self._late.append((self._time_ms, body))
        last = self._past[-1][0] if self._past else -_KEPT_MS
        if is_partial or self._time_ms >= last + _KEPT_MS:
            self._past.append((self._time_ms, self._public()))

    def _send_to(self, ids: list[str], body: Json) -> None:
        if ids:
            self._outbox.append(Message(tuple(ids), body))

    def _release(self) -> None:
        """Send watchers the delayed messages that are due."""
        until = self._time_ms - self._delay_ms
        while self._late and self._late[0][0] <= until:
            body = self._late.popleft()[1]
            self._send_to([one.id for one in self.members if not one.plays], body)
        while len(self._past) > 1 and self._past[1][0] <= until:
            self._past.popleft()

    def _delayed(self) -> Json:
        """Return the delayed public view that watchers of rated games see."""
        now = self._base_view()
        if self._past and self._past[0][0] <= self._time_ms - self._delay_ms:
            return {
                **self._past[0][1],
                "members": now["members"],
                "host": now["host"],
                "locked": now["locked"],
            }
        return {**now, "phase": "waiting"}

    def _connected(self, now_ms: int, member_id: str, *, connected: bool) -> list[Message]:
        self._advance(now_ms)
        member = self.members[member_id]
        if member.connected != connected:
            member.connected = connected
            # A game must not start for people who have disconnected.
            self._rematch.discard(member.number)
            self._members_changed()
        if connected:
            self._tell(member, {"type": "view", "view": self.view(member_id)})
        return self._sent()

    def _members_changed(self) -> None:
        host = self.members.host
        body = {
            "type": "members",
            "members": self._member_list(),
            "host": host and host.number,
            "locked": self._locked,
        }
        self._send_to([member.id for member in self.members], body)

    def _member_list(self) -> list[Json]:
        return [
            {
                **member.public(),
                "votes": len(self._votes.get(member.number, ())),
                "rematch": member.number in self._rematch,
            }
            for member in self.members
        ]

    def _base_view(self) -> Json:
        """Return the part of a view that rooms of all kinds share."""
        host, level = self.members.host, self.settings.level
        return {
            "kind": self.kind,
            "phase": str(self.phase),
            "time_ms": self._time_ms,
            "settings": self.settings.to_json(),
            "board_shape": {
                "width": level.width,
                "height": level.height,
                "mines": level.mines,
                "topology": level.topology,
            },
            "members": self._member_list(),
            "host": host and host.number,
            "locked": self._locked,
        }

    def _check_host(self, member_id: str | None) -> None:
        if member_id is not None and self.members[member_id] is not self.members.host:
            raise NotTheHost("only the host of the room can do this")

    # The saved form.

    def _base_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "settings": self.settings.to_json(),
            "phase": str(self.phase),
            "seed": self.seed,
            "time_ms": self._time_ms,
            "members": self.members.to_json(),
            "locked": self._locked,
            "barred": list(self._barred),
            "votes": [[number, list(voters)] for number, voters in self._votes.items()],
            "rematch": sorted(self._rematch),
            "hosted": self._hosted,
            "late": [list(entry) for entry in self._late],
            "past": [list(entry) for entry in self._past],
        }

    def _load_base(self, obj: dict[str, Any]) -> None:
        self._clock = RoomClock(obj["time_ms"])
        self.members.load(obj["members"])
        # Rooms saved by earlier versions have none of these.
        self._locked = obj.get("locked", False)
        self._barred = list(obj.get("barred", ()))
        self._votes = {number: list(voters) for number, voters in obj.get("votes", ())}
        self._rematch = set(obj.get("rematch", ()))
        self._hosted = obj.get("hosted", True)
        self._late = deque((time, body) for time, body in obj["late"])
        self._past = deque((time, body) for time, body in obj["past"])
