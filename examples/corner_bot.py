"""A bot: open proved cells; otherwise prefer a corner among the least risky cells."""

import sapper
from sapper import Action, ActionKind, Choice
from sapper.solver.bots import register


@register("corner")
class CornerBot:
    """Prefers corners, which touch the fewest cells and are most likely to be openings."""

    def choose(self, position):
        """Return the choice; a bot sees the position but never the mines."""
        analysis = sapper.analyze(position)
        if analysis.safe:
            return [Action(ActionKind.OPEN, cell) for cell in sorted(analysis.safe)]

        def rank(cell):
            return analysis.p_mine[cell], len(list(position.topology.neighbours(cell)))

        cell = min(position.unopened_cells(), key=rank)
        risk = float(analysis.p_mine[cell])
        return Choice((Action(ActionKind.OPEN, cell),), by="corner", risk=risk, guess=True)
