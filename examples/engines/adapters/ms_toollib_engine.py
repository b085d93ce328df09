"""An engine that opens the cells that ms_toollib calls safe, or the least risky one.

Needs ``pip install ms_toollib`` (tested with 1.5.20), in the Python that runs this file.
"""

import json
import sys
from importlib.metadata import version

import ms_toollib


def chances(rows, mines):
    """Return the mine probability of each cell, row by row."""
    board = [[int(cell) if cell.isdigit() else 10 for cell in row] for row in rows]
    return ms_toollib.cal_probability_onboard(board, mines)[0]


def choose(rows, mines):
    """Return the actions, the risk of the first, and whether it is a guess."""
    risks = {
        (r, c): risk
        for r, row in enumerate(chances(rows, mines))
        for c, risk in enumerate(row)
        if rows[r][c] in ".F"
    }
    least = min(risks.values())
    cells = [cell for cell, risk in risks.items() if risk == least]
    return {
        "actions": [["open", *cell] for cell in (cells if least == 0 else cells[:1])],
        "risk": least,
        "guess": least > 0,
    }


def analysis(rows, mines):
    """Return the fields of an analysis; the chances are rounded, so none counts as proved."""
    shown = [
        [risk if cell in ".F" else None for risk, cell in zip(*row, strict=True)]
        for row in zip(chances(rows, mines), rows, strict=True)
    ]
    return {"chances": shown, "safe": [], "mined": [], "exact": True}


games = {}
for line in sys.stdin:
    message, answer = None, None
    try:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "ms_toollib", "games": 100}
            answer["version"] = version("ms_toollib")
            answer["analysis"] = True
        elif kind == "game":
            games[message["game"]] = message["mines"]
        elif kind == "choose":
            answer = {"type": "choice", **choose(message["rows"], games[message["game"]])}
        elif kind == "analyze":
            answer = {"type": "analysis", **analysis(message["rows"], message["mines"])}
        elif kind == "quit":
            break
        if answer and "id" in message:
            answer["id"] = message["id"]
    except Exception as problem:
        number = message.get("id") if isinstance(message, dict) else None
        answer = {"type": "error", "id": number, "code": "failed", "message": str(problem)}
    if answer:
        print(json.dumps(answer), flush=True)
