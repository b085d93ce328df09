"""A bot: open what is proved safe; else, among the least risky cells, prefer a corner."""

import sapper
from sapper import Action, ActionKind, Choice
from sapper.solver.bots import register


@register("corner")
class CornerBot:
    """Corners touch the fewest cells, so they are the most likely to be an opening."""

    def choose(self, position):
        """Return what to do; a bot sees the position and never the mines."""
        analysis = sapper.analyze(position)
        if analysis.safe:
            return [Action(ActionKind.OPEN, cell) for cell in sorted(analysis.safe)]

        def rank(cell):
            return analysis.p_mine[cell], len(list(position.topology.neighbours(cell)))

        cell = min(position.unopened_cells(), key=rank)
        risk = float(analysis.p_mine[cell])
        return Choice((Action(ActionKind.OPEN, cell),), by="corner", risk=risk, guess=True)
