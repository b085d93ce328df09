"""`sapper replay analyze`: metrics, guesses with their risk, and the time spent."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from sapper.cli.replay import tables
from sapper.cli.replay.files import Files
from sapper.cli.replay.info import Json, Parquet, RZiNi, Workers, replay_json, run, with_rzini
from sapper.cli.replay.many import Answer
from sapper.cli.signatures import Option
from sapper.replay import Replay, analyze_replay
from sapper.replay.summary import row

__all__ = ["EXAMPLE", "analyze"]

EXAMPLE = "sapper replay analyze replays/ --parquet replays.parquet"


def analyze(
    files: Files,
    win_chances: Annotated[
        bool,
        Option(
            "--win-chances",
            help="Also estimate the win chance at each decision, and judge guesses by "
            "it; takes seconds per game.",
        ),
    ] = False,
    rzini_runs: RZiNi = None,
    parquet: Parquet = None,
    workers: Workers = None,
    as_json: Json = False,
) -> int:
    """Measure a replay: metrics, guesses with their exact risk, and the time spent.

    For many files or a folder, print one row per replay, a summary by month, and the time and
    risk by quarter of the games, verdict, action, area of the board and click number. Many files
    are analysed in several processes.
    Exit status 2 if a file cannot be read; the others are still reported.
    """
    measure = partial(_measure, win_chances, rzini_runs)
    return run(files, measure, parquet, as_json=as_json, details=_details, workers=workers)


def _measure(win_chances: bool, runs: int | None, name: str, replay: Replay) -> Answer:
    analysis = analyze_replay(replay, win_chances=win_chances)
    obj = {**replay_json(analysis.played), **analysis.to_json()}
    if win_chances:
        obj["review"] = analysis.review.to_json()
    return with_rzini((row(name, analysis.played, analysis.metrics, analysis), obj), replay, runs)


def _details(obj: dict[str, Any]) -> None:
    """Print the guesses, and the time and risk by part of the game."""
    print()
    if obj["guesses"]:
        print("guesses:")
        for guess in obj["guesses"]:
            row, col = guess["cell"]
            kind = guess["kind"].replace("_", " ")
            end = ", a mine" if guess["exploded"] else ""
            print(
                f"  {guess['at_s']:8.3f} s  row {row + 1}, column {col + 1}  {kind}, "
                f"risk {guess['risk']:.3f}, least {guess['least']:.3f}, "
                f"after {guess['thought_s']:.3f} s{end}"
            )
    else:
        print("no guesses: every click was proved safe")
    print()
    tables.phases(obj["by_phase"])
