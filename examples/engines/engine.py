"""An engine in Python, without Sapper: it opens cells proved by one number, or guesses."""

import json
import random
import sys


def neighbours(row, col, height, width):
    """Return the cells next to a cell."""
    rows = range(max(0, row - 1), min(height, row + 2))
    cols = range(max(0, col - 1), min(width, col + 2))
    return [(r, c) for r in rows for c in cols if (r, c) != (row, col)]


def choose(rows, rng):
    """Return the actions, and whether they are a guess."""
    height, width = len(rows), len(rows[0])
    unopened = {(r, c) for r in range(height) for c in range(width) if rows[r][c] in ".F"}
    numbers = [(r, c) for r in range(height) for c in range(width) if rows[r][c].isdigit()]
    around = {cell: neighbours(*cell, height, width) for cell in numbers}
    mines, safe = set(), set()
    for row, col in numbers:
        near = [cell for cell in around[row, col] if cell in unopened]
        if len(near) == int(rows[row][col]):
            mines.update(near)
    for row, col in numbers:
        near = [cell for cell in around[row, col] if cell in unopened]
        if sum(cell in mines for cell in near) == int(rows[row][col]):
            safe.update(cell for cell in near if cell not in mines)
    if safe:
        return [["open", *cell] for cell in sorted(safe)], False
    return [["open", *rng.choice(sorted(unopened - mines))]], True


games = {}
for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
        kind = message["type"]
        answer = None
        if kind == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "Starter", "games": 100}
        elif kind == "game":
            games[message["game"]] = random.Random(message["seed"])
        elif kind == "choose":
            actions, guess = choose(message["rows"], games[message["game"]])
            answer = {"type": "choice", "id": message["id"], "actions": actions, "guess": guess}
        elif kind == "quit":
            break
    except (ValueError, KeyError, TypeError) as problem:
        number = message.get("id") if isinstance(message, dict) else None
        answer = {"type": "error", "id": number, "code": "bad_request", "message": str(problem)}
    if answer:
        print(json.dumps(answer), flush=True)
