"""`MinesweeperEnv`: one game of Minesweeper as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt

from sapper import dealer as dealers
from sapper.board import Board
from sapper.coach import Outcome
from sapper.env.native import NativeGame, plays_natively, step_limit
from sapper.env.rendering import RENDER_MODES, check_render_mode, picture
from sapper.env.rewards import Rewards, rewards_of
from sapper.env.rule_games import RuleGame
from sapper.env.spaces import (
    Cells,
    action_of,
    actions,
    check_options,
    observations,
    position_of,
)
from sapper.env.states import InformationState, check_state, opening_outcomes
from sapper.errors import IllegalAction
from sapper.generation import check_seed
from sapper.position import Position
from sapper.rules import FirstClick, Level, RuleOptions, Win

__all__ = ["MinesweeperEnv"]


class MinesweeperEnv(gymnasium.Env[Cells, np.int64]):
    """Minesweeper with any level, rule set and topology.

    An observation is the board as the player sees it: an int8 array of rows and columns with 0 to
    8 for a number, 9 unopened, 10 flagged, 11 an opened mine (`sapper.env.CellCode`). A lost game
    shows the opened mine, a won game shows flags on all mines.

    Action ``row * width + col`` opens a cell; with ``flags``, that number plus the number of cells
    sets or removes the cell's flag. ``info["action_mask"]`` is 1 for every action that has an
    effect; other actions do nothing and get the reward ``invalid``. `action_masks` returns the mask
    as booleans. At the end of a game, ``info["won"]`` is set.

    An environment can be pickled and copied. The copy continues the same game with the same mines,
    so do not give the copy to an agent that must not know the mines; use `clone` instead.

    Args:
        level: A `Level` or its text, as in `Game`: ``9x9:10``, ``20x20@0.15/torus`` ...
        rules: Name of a rule set. ``classic`` is played natively and is the fastest.
        first_click: The first-click promise; None for the rule set's default.
        rewards: A preset of `sapper.env.REWARDS`, values by name, or `Rewards`.
        flags: Whether to include actions that flag.
        max_steps: Number of steps after which a game is truncated; None for four per cell.
        render_mode: ``ansi`` for text, ``rgb_array`` for a picture, or None.
        options: ``win``, ``chord``, and the options of the rule set; see
            `sapper.rules.RuleOptions`.

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # Gymnasium's is an instance's
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        level: Level | str = "expert",
        rules: str = "classic",
        *,
        first_click: FirstClick | str | None = None,
        rewards: Rewards | Mapping[str, float] | str = "outcome",
        flags: bool = True,
        max_steps: int | None = None,
        render_mode: str | None = None,
        **options: Unpack[RuleOptions],
    ) -> None:
        check_render_mode(render_mode)
        settings = dealers.settings(level, rules, first_click=first_click, seed=0, **options)
        self.level, self.settings = settings.level, settings
        self.rewards = rewards_of(rewards, settings.level)
        self.render_mode = render_mode
        self.observation_space = observations(settings.level)
        self.action_space = space = actions(settings.level, flags)
        self._actions = int(space.n)
        self._shape = (settings.level.height, settings.level.width)
        self._cells: Cells | None = None
        self._over = False
        kind = NativeGame if plays_natively(settings) else RuleGame
        most = step_limit(max_steps, settings.level)
        self._stepper: NativeGame | RuleGame = kind(settings, flags, most, self.rewards)

    def __copy__(self) -> MinesweeperEnv:
        """Return a copy with a separate game, as `copy.deepcopy` does."""
        return deepcopy(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """Start a new game; a seed restarts the stream of games.

        Args:
            seed: From 0 to 2**64 - 1; None for the next game of the stream.
            options: Must be empty.

        Raises:
            BadSetting: If the seed is invalid, or an option is given.
        """
        check_options(options)
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is None and self._cells is None:
            seed = self._drawn()
        self._stepper.reset(seed)
        self._over = False
        self._cells = self._stepper.cells().reshape(self._shape)
        return self._cells, {"action_mask": self._stepper.mask()}

    def step(self, action: np.int64 | int) -> tuple[Cells, float, bool, bool, dict[str, Any]]:
        """Perform an action; return observation, reward, terminated, truncated and info.

        Raises:
            BadSetting: If the action does not exist.
            IllegalAction: If called before `reset` or after the end of the game.
        """
        if self._over or self._cells is None:
            raise IllegalAction("call reset() before step(): no game is in progress")
        try:
            cells, reward, terminated, truncated, info = self._stepper.step(action)
        except (TypeError, OverflowError, IndexError):
            # The native core does not describe the problem; this call raises a proper error.
            action_of(action, self._actions)
            raise
        self._cells = cells
        if terminated or truncated:
            self._over = True
        return cells, reward, terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return a boolean per action: True if it has an effect, like 1 in ``info["action_mask"]``.

        MaskablePPO in sb3-contrib calls this before each step.

        Raises:
            IllegalAction: Before the first reset.
        """
        if self._cells is None:
            raise IllegalAction("call reset() first: no game is in progress")
        if self._over:
            return np.zeros(self._actions, dtype=np.bool_)
        return self._stepper.mask().astype(np.bool_)

    @property
    def state(self) -> InformationState:
        """The player's knowledge of the current game, for `restore`.

        Raises:
            IllegalAction: Before the first reset, and after the game has ended.
        """
        if self._over:
            raise IllegalAction("the game is over: its state is not that of a game in progress")
        return InformationState(self.position, self._stepper.steps())

    def restore(
        self, state: InformationState, *, seed: int | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """Continue from a state; return observation and info, like `reset`.

        The mines are redrawn from all arrangements that fit the state, according to their
        probabilities, so going back reveals nothing about the earlier game. A later `reset` starts
        this seed's stream of games.

        Args:
            state: A `state` of this or another environment with the same level.
            seed: From 0 to 2**64 - 1; None for a random one.

        Raises:
            BadSetting: If the state is from another level or a finished game, or the seed is
                invalid.
            InconsistentPosition: If no arrangement of mines fits.
            LimitReached: If the position is too wide to count its arrangements.
        """
        check_state(state, self.settings)
        self._stepper.place(state, self._drawn() if seed is None else check_seed(seed))
        self._over = False
        self._cells = self._stepper.cells().reshape(self._shape)
        return self._cells, {"action_mask": self._stepper.mask()}

    def clone(self, *, seed: int | None = None) -> MinesweeperEnv:
        """Return another environment in the same state, in which an agent can try actions.

        Its mines are redrawn as in `restore`. Its results are as likely as those of the game
        itself, and reveal nothing about the hidden mines.

        Args:
            seed: From 0 to 2**64 - 1; None for a random one.

        Raises:
            IllegalAction: Before the first reset, and after the game has ended.
            LimitReached: If the position is too wide to count its arrangements.
        """
        state, seed = self.state, self._drawn() if seed is None else check_seed(seed)
        twin = deepcopy(self)
        twin.restore(state, seed=seed)
        # The clone has separate random seeds.
        twin.np_random = np.random.default_rng(seed)
        return twin

    def outcomes(self, action: int) -> tuple[Outcome, ...]:
        """Return the possible results of opening a cell with their chances: numbers, then a mine.

        ``state.after(action, number)`` is the state after a number. After a zero, the state is the
        one before its neighbours are opened. Under rules that place or move mines during the game,
        the chances describe the possible boards, not the choices of the rules.

        Raises:
            BadSetting: If the action does not open an unopened cell.
            IllegalAction: Before the first reset, and after the game has ended.
            LimitReached: If the position is too wide to count its arrangements.
        """
        return opening_outcomes(self.state.position, action, self.settings)

    def _drawn(self) -> int:
        return int(self.np_random.integers(2**63))

    def render(self) -> Any:
        """Return the board as text (``ansi``) or as a picture (``rgb_array``)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render mode: pass render_mode to make()")
            return None
        return picture(self.position, self.render_mode)

    @property
    def position(self) -> Position:
        """The player's view, for solvers and bots.

        Raises:
            IllegalAction: Before the first reset.
        """
        if self._cells is None:
            raise IllegalAction("call reset() first: no game is in progress")
        running = not self._over and self.settings.win is not Win.FLAGS
        return position_of(self._cells, self.level, running=running)

    @property
    def board(self) -> Board:
        """The board.

        Raises:
            IllegalAction: If the game is not over, because its mines are secret.
        """
        board = self._stepper.board()
        if board is None:
            raise IllegalAction("the board is hidden until the game ends")
        return board
