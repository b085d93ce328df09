"""The lab: win rates and other measurements of bots, on one machine or a cluster."""

from typing import TYPE_CHECKING

from sapper._util.installing import pip_install
from sapper._util.renamed import renamed_names
from sapper.errors import MissingExtra

try:
    import pyarrow  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtra(f"the lab is not installed: {pip_install('lab')}") from None

from sapper.lab.margin_test import MarginTest
from sapper.lab.runs import Run, run
from sapper.lab.sprt import Sprt, SprtVerdict
from sapper.stats import Pairs, wilson

__all__ = ["MarginTest", "Pairs", "Run", "Sprt", "SprtVerdict", "run", "wilson"]

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = renamed_names(__name__, {"Verdict": "SprtVerdict"})
