"""The games of `sapper bot`: play them and print their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import complain_of, emit
from sapper.errors import BotFailed, SapperError
from sapper.stats import wilson

if TYPE_CHECKING:
    from sapper.vision.playing import Player, WindowGame

__all__ = ["play_games"]


def play_games(
    player: Player, games: int, advised: Callable[[SapperError], str], *, as_json: bool
) -> int:
    """Play the games, print one line per game, and return the exit status.

    Args:
        player: The player.
        games: Number of games.
        advised: Function that returns an error message with advice.
        as_json: Whether to print JSON.
    """
    from sapper.vision.errors import NoBoard, NoWindow, PlayStopped, Unreadable

    ended: list[WindowGame] = []
    try:
        while len(ended) < games:
            ended.append(player.play())
            _print_game(ended, as_json)
    except (BotFailed, NoBoard, NoWindow, PlayStopped, Unreadable) as problem:
        problem.args = (advised(problem),)
        complain_of(problem)
        return ExitStatus.NEGATIVE
    finally:
        if ended and not as_json:
            print(_summary(ended), flush=True)
    return ExitStatus.DONE


def _print_game(ended: list[WindowGame], as_json: bool) -> None:
    last = ended[-1]
    if as_json:
        emit(_to_json(ended))
    else:
        line = f"{len(ended):>4}  {last.result:<4}  {last.clicks:>4} clicks"
        print(f"{line}  {last.guesses:>3} guesses", flush=True)


def _summary(ended: list[WindowGame]) -> str:
    """Summarise all games in one line: ``won 3 of 4, 95 % interval 30.1-95.4 %; ...``."""
    won, seconds = _wins(ended), sum(outcome.seconds for outcome in ended)
    low, high = (100 * end for end in wilson(won, len(ended)))
    mines = ended[-1].position.mines
    total = "mine total unknown" if mines is None else f"{mines} mines, {ended[-1].total_from}"
    share = f"won {won} of {len(ended)}, 95 % interval {low:.1f}-{high:.1f} %"
    return f"{share}; {total}; {seconds:.1f} s"


def _wins(ended: list[WindowGame]) -> int:
    return sum(outcome.result == "won" for outcome in ended)


def _to_json(ended: list[WindowGame]) -> dict[str, Any]:
    """Return the last game and the number of wins so far as JSON."""
    last = ended[-1]
    return {
        "game": len(ended),
        "result": last.result,
        "won_so_far": _wins(ended),
        "clicks": last.clicks,
        "guesses": last.guesses,
        "risks": list(last.risks),
        "mines_from": last.total_from,
        "seconds": round(last.seconds, 3),
        "position": last.position.to_json(),
    }
