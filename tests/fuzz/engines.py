"""Fuzz the engine protocol in both directions: damaged requests, and damaged answers.

A bot served as an engine must answer every damaged request with a message, and the next valid one
correctly. The host must read every damaged answer as a choice or refuse it with `EngineFailed`. One
case in a hundred sends the damaged answers through a real process, which must be gone afterwards.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import suppress
from random import Random
from time import monotonic

from fuzzing import fuzz

from sapper import Level, Position, make_bot
from sapper.engine import serve
from sapper.solver.bots import Choice
from sapper.solver.bots.engine import Abilities, Engine, EngineFailed
from sapper.solver.bots.engine.messages import choice_of, decode

LEVEL = Level.parse("5x4:4")
SHAPE = LEVEL.shape()
POSITION = Position.unopened(SHAPE, 4)
REQUESTS = [
    {"type": "hello", "protocol": 1, "name": "fuzz"},
    {"type": "game", "game": 1, "width": 5, "height": 4, "topology": "rectangle", "mines": 4,
     "density": None, "rules": "classic", "seed": 7, "limits": {"move_ms": 100}},
    {"type": "choose", "id": 3, "game": 1, "rows": ["....."] * 4, "changed": [[0, 0]]},
    {"type": "analyze", "id": 4, "width": 2, "height": 2, "mines": 1, "rows": ["..", "11"],
     "limits": {"move_ms": 100}},
    {"type": "stop", "id": 3},
    {"type": "end", "game": 1, "result": "won"},
]  # fmt: skip
ANSWERS = [
    Abilities("fuzz").to_json(),
    {"type": "choice", "id": 1, "actions": [["open", 0, 1], ["flag", 3, 4]], "risk": 0.5,
     "guess": True, "by": "x"},
    {"type": "analysis", "id": 1, "chances": [[0.5, None]], "safe": [[0, 0]], "mined": []},
    {"type": "error", "id": 1, "code": "x", "message": "y"},
    {"type": "info", "text": "..."},
]  # fmt: skip
ODD = [
    None, True, -1, 0, 1, 2**31, 2**63, 2**200, -0.0, 1e308, 1e400, float("nan"), "", "x", "open",
    "\0", "\ud800", "all", "rectangle", "torus", [], [[]], {}, [None], ["open", 0, 0], {"a": 1},
    "." * 5000, [0] * 3000,
]  # fmt: skip
PROGRAM = """
import sys
lines = open(sys.argv[1], "rb").read()
print('{"type":"hello","protocol":1,"name":"fuzz"}', flush=True)
for line in sys.stdin:
    if '"choose"' in line:
        sys.stdout.buffer.write(lines)
        sys.stdout.flush()
"""


def damaged(rng: Random, message: object) -> bytes:
    """Return a message as a line in which a field or some bytes are changed."""
    line = json.dumps(_changed(rng, message)).encode()
    if rng.random() < 0.4:
        data = bytearray(line)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data) + 1)
            end = min(len(data), at + rng.choice([0, 1, 1, 8, 60]))
            data[at:end] = rng.choice([b"", b"\xff", b"[" * 500, b"\n", b"{", b'"', b"9" * 40])
        line = bytes(data)
    return line.replace(b"\n", b" ") + b"\n"


def _changed(rng: Random, value: object) -> object:
    if isinstance(value, dict) and value and rng.random() < 0.8:
        changed = dict(value)
        key = rng.choice(list(changed))
        if rng.random() < 0.2:
            del changed[key]
        else:
            changed[key] = _changed(rng, changed[key])
        return changed
    if isinstance(value, list) and value and rng.random() < 0.6:
        items = list(value)
        at = rng.randrange(len(items))
        items[at] = _changed(rng, items[at])
        return items
    return rng.choice(ODD)


def damage_requests(rng: Random) -> None:
    """Send damaged requests among valid ones."""
    count = rng.randint(1, 6)
    lines = [damaged(rng, rng.choice(REQUESTS)) for _ in range(count)]
    quits = [line for line in lines if b'"quit"' in line]
    valid = [json.dumps(REQUESTS[number]).encode() + b"\n" for number in (1, 2)]
    written: list[bytes] = []
    serve(lambda: make_bot("exact"), "exact", [*lines, *valid], written.append)
    answers = [json.loads(line) for line in written]
    assert all(isinstance(answer["type"], str) for answer in answers)
    assert all(len(line) < 20_000 for line in written if b'"error"' in line)
    assert quits or answers[-1]["type"] == "choice", answers[-1]


def damage_answers(rng: Random) -> None:
    """Read damaged answers."""
    line = damaged(rng, rng.choice(ANSWERS))
    with suppress(EngineFailed):
        message = decode(line)
        with suppress(EngineFailed):
            Abilities.from_json(message)
        choice = choice_of(message, SHAPE)
        assert isinstance(choice, Choice)
        assert all(SHAPE.index(action.cell) >= 0 for action in choice.actions if action.cell)


def damage_process(rng: Random) -> None:
    """Read damaged answers from a real process."""
    file = f"/tmp/sapper-fuzz-{os.getpid()}"
    with open(file, "wb") as out:
        for _ in range(rng.randint(1, 5)):
            out.write(damaged(rng, rng.choice(ANSWERS)))
    started = monotonic()
    try:
        with suppress(EngineFailed):
            command = shlex.join([sys.executable, "-I", "-S", "-c", PROGRAM, file])
            with Engine(command, seconds=0.05) as engine:
                engine.begin(1, LEVEL, 1)
                engine.choose(1, POSITION)
        assert not engine.running
        assert monotonic() - started < 120
    finally:
        os.remove(file)


def case(rng: Random) -> None:
    """Run one case."""
    damage_requests(rng)
    for _ in range(5):
        damage_answers(rng)
    if rng.random() < 0.01:
        damage_process(rng)


if __name__ == "__main__":
    fuzz(case, __doc__)
