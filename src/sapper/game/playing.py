"""Actions in a game: open, flag, chord, undo and restart, with listeners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sapper._util.arguments import check_callable, expect
from sapper._util.shortening import shown
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, IllegalAction
from sapper.game.events import Event, Restarted, Undone
from sapper.game.pointer_path import POINT_BYTES
from sapper.game.state import GameState, Listener
from sapper.generation import check_seed, substream

__all__ = ["PlayableGame"]


class PlayableGame(GameState):
    """A game that takes actions and notifies its listeners."""

    # Actions.

    def open(self, cell: tuple[int, int]) -> bool:
        """Open an unopened, unflagged cell; a zero opens its neighbours, and so on.

        Returns:
            Whether anything was opened, even a mine.
        """
        return self._do(ActionKind.OPEN, cell, self._round.open)

    def chord(self, cell: tuple[int, int]) -> bool:
        """Open all other neighbours of a number whose flags match it, one by one in row order.

        If one of them is a mine, the game is lost and the remaining neighbours stay unopened.

        Returns:
            Whether anything was opened, even a mine.
        """
        return self._do(ActionKind.CHORD, cell, self._round.chord)

    def flag(self, cell: tuple[int, int]) -> bool:
        """Flag an unopened cell, replacing a question mark, or remove the flag.

        Returns:
            Whether the cell is unopened.
        """
        return self._do(ActionKind.FLAG, cell, self._round.toggle_flag)

    def question(self, cell: tuple[int, int]) -> bool:
        """Put a question mark on an unopened cell, replacing a flag, or remove it.

        Returns:
            Whether the cell is unopened.
        """
        return self._do(ActionKind.QUESTION, cell, self._round.toggle_question)

    def undo(self) -> bool:
        """Undo the last action that had an effect, including one that lost or won.

        The dealer is restored as well, so that the same action gives the same result. The clocks
        and click counts are not undone, because they record the player's actions.

        Returns:
            Whether there was anything to undo.

        Raises:
            IllegalAction: If the game is played without undo.
        """
        if not self._settings.undo:
            raise IllegalAction("undo is off in this game")
        self._log.append(Action(ActionKind.UNDO, None, self.clock.player_s))
        if not self._round.can_undo:
            return False
        self._counts["undos"] += 1
        over = self.over
        changed = self._round.undo()
        if over:
            self.clock.player.start()
        if self._listeners:
            self.announce(Undone(tuple(map(self._round.seen.topology.cell, changed))))
        return True

    def restart(self, *, same: bool = False, seed: int | None = None) -> None:
        """Restart with the clocks at zero; listeners are kept.

        Args:
            same: Whether to play the same mines or, under rules that place none beforehand, the
                same seed; the first click then has no promise.
            seed: The new game's seed; None derives one from the current seed.

        Raises:
            BadSetting: If the seed is out of range, or given for the same game.
        """
        if same and seed is not None:
            raise BadSetting(f"seed cannot be set when repeating the same game, got {shown(seed)}")
        origin = self._round.origin
        if same:
            self._begin(self._settings, origin, self._round.kept_board())
        else:
            new = substream(self.seed, "restart") if seed is None else check_seed(seed)
            self._begin(replace(self._settings, seed=new), origin, None)
        self.clock.reset()
        self.announce(Restarted())

    def play(self, action: Action) -> bool:
        """Perform an action; its time is ignored.

        Returns:
            Whether it had an effect.
        """
        expect(action, Action, "an Action")
        if action.kind is ActionKind.UNDO:
            return self.undo()
        if action.cell is None:
            raise IllegalAction(f"{action.kind} needs a cell")
        do = {
            ActionKind.OPEN: self.open,
            ActionKind.FLAG: self.flag,
            ActionKind.QUESTION: self.question,
            ActionKind.CHORD: self.chord,
        }[action.kind]
        return do(action.cell)

    def note_pointer(self, path: bytes) -> None:
        """Record the path of the pointer before the last action, for the replay of the game.

        Args:
            path: A path as returned by `sapper.game.pointer_path.pack`.

        Raises:
            IllegalAction: If there has been no action yet.
        """
        expect(path, bytes, "a packed path as bytes")
        if not self._log:
            raise IllegalAction("a pointer path needs the action that it ends with")
        before = self._paths.get(len(self._log) - 1, b"")
        self._paths[len(self._log) - 1] = path
        self._points += (len(path) - len(before)) // POINT_BYTES

    # Listeners.

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after each later event.

        Returns:
            A function that removes the listener; calling it again does nothing.
        """
        check_callable(listener, "a listener")
        self._listeners.append(listener)
        mine = [listener]

        def end() -> None:
            while mine:
                self._listeners.remove(mine.pop())

        return end

    def announce(self, event: Event) -> None:
        """Send an event to the listeners; screens and coaches may send their own events."""
        for listener in tuple(self._listeners):
            listener(event)

    # Internals.

    def _do(
        self, kind: ActionKind, cell: tuple[int, int], act: Callable[[int], list[Event]]
    ) -> bool:
        index, at_s = self._round.seen.topology.index(cell), self.clock.player_s
        place = self._round.seen.topology.cell(index)
        if self.over:
            raise IllegalAction(f"cannot {kind} {place}: the game is {self.status}")
        events = act(index)
        self._log.append(Action(kind, place, at_s))
        button = _BUTTONS[kind]
        self._counts[button] += 1
        if not events:
            return False
        self._counts[f"{button}_effective"] += 1
        if button != "right":
            self.clock.player.start()
        if self.over:
            self.clock.player.stop()
        for event in events if self._listeners else ():
            self.announce(event)
        return True


_BUTTONS = {
    ActionKind.OPEN: "left",
    ActionKind.FLAG: "right",
    ActionKind.QUESTION: "right",
    ActionKind.CHORD: "chords",
}
