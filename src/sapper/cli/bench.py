"""`sapper bench`: measure the speed of the analysis and check its results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from time import perf_counter
from typing import Annotated

from sapper import solver
from sapper._core import decimal
from sapper.cli.output import emit
from sapper.cli.signatures import Option
from sapper.position import Position

__all__ = ["EXAMPLE", "MODULUS", "Score", "bench", "measure", "suite"]

EXAMPLE = "sapper bench --passes 20"

MODULUS = 2**61 - 1
"""The signature is the sum of solutions modulo this prime."""


@dataclass(frozen=True, slots=True)
class Score:
    """Result of one run of the suite.

    Attributes:
        positions: Number of positions in the suite.
        passes: Number of passes.
        seconds: Duration of the fastest pass.
        solutions: The sum of solution counts over the suite.
    """

    positions: int
    passes: int
    seconds: float
    solutions: int

    @property
    def signature(self) -> int:
        """A checksum of all solution counts; a change goes undetected with probability 2**-61."""
        return self.solutions % MODULUS


def bench(
    passes: Annotated[
        int, Option(metavar="N", min=1, help="Number of passes; the fastest one counts.")
    ] = 5,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure the speed of the analysis, and print a signature of its results.

    Analyse a fixed suite of positions, each from scratch.

    The signature is the sum of all solution counts modulo 2**61 - 1. It is the same on every
    machine and changes if any result changes.
    """
    score = measure(suite(), passes)
    rate = score.positions / score.seconds
    if as_json:
        emit(
            {
                "positions": score.positions,
                "passes": score.passes,
                "seconds": score.seconds,
                "positions_per_second": rate,
                "signature": score.signature,
                "solutions": decimal(score.solutions),
            }
        )
    else:
        print(
            f"positions    {score.positions}, fastest of {score.passes} passes\n"
            f"seconds      {score.seconds:.6f}\n"
            f"positions/s  {rate:,.0f}\n"
            f"signature    {score.signature}"
        )


def suite() -> list[Position]:
    """Return the fixed suite: natural positions on common levels, and a few with wide frontiers."""
    text = resources.files("sapper.cli").joinpath("suite.jsonl").read_text("ascii")
    return [Position.from_json(json.loads(line)) for line in text.splitlines()]


def measure(positions: list[Position], passes: int) -> Score:
    """Analyse every position from scratch in each pass, including probabilities and proofs."""
    fastest, solutions = float("inf"), 0
    for _ in range(passes):
        solutions = 0
        start = perf_counter()
        for position in positions:
            analysis = solver.analyze(position)
            solutions += analysis.solutions or 0
            _ = analysis.p_mine, analysis.safe, analysis.mined
        fastest = min(fastest, perf_counter() - start)
    return Score(len(positions), passes, fastest, solutions)
