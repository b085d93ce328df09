"""Small engines for tests, written as Python programs."""

from __future__ import annotations

import shlex
import sys

__all__ = ["FIRST", "engine"]

FIRST = """
open = [(r, c) for r, row in enumerate(message["rows"]) for c in range(len(row)) if row[c] == "."]
send(type="choice", id=id, actions=[["open", *open[0]]])
""".strip()
"""Opens the first unopened cell."""

_LOOP = """
import json, os, subprocess, sys, time
def send(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send(**{"type": "hello", "protocol": 1, "name": "test", **GREETING})
    elif message["type"] == "quit":
        break
    elif message["type"] == "analyze":
        ANALYZE
    elif message["type"] == "choose":
        id = message["id"]
"""


def engine(choose: str, analyze: str = "pass", **greeting: object) -> str:
    """Return the command of an engine.

    Args:
        choose: Python statements that answer a request `message`, with `send` and its `id`.
        analyze: A Python statement that answers a request to analyse.
        greeting: Fields of its greeting.
    """
    body = "\n".join(" " * 8 + line for line in choose.splitlines())
    program = _LOOP.replace("GREETING", repr(greeting)).replace("ANALYZE", analyze) + body
    return shlex.join([sys.executable, "-I", "-S", "-c", program])
