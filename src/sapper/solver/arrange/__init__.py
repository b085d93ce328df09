"""The arrangement finder: find an arrangement of mines that fits, or explain why there is none."""

from sapper._util.work import Progress
from sapper.solver.arrange.finding import Arrangement, arrange
from sapper.solver.arrange.methods import Likelihood, Method, StartRule

__all__ = ["Arrangement", "Likelihood", "Method", "Progress", "StartRule", "arrange"]
