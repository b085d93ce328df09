"""The arrangement finder: some arrangement of mines that fits a position, or why there is none."""

from sapper._util.work import Progress
from sapper.solver.arrange.finding import Arrangement, arrange
from sapper.solver.arrange.names import Likelihood, Method, StartRule

__all__ = ["Arrangement", "Likelihood", "Method", "Progress", "StartRule", "arrange"]
