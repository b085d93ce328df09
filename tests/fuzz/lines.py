"""Fuzz `analyze`, `hint` and `arrange` with JSON Lines and text, valid, broken and mixed.

The program must exit with status 0, 1 or 2. Standard output must be JSON Lines; every line on
standard error must start with the program's name and have at most 300 characters.
"""

from __future__ import annotations

import json
from functools import partial
from random import Random

from commands import call, run
from fuzzing import fuzz

PIECES = [
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"1e999", b"-1", b"NaN", b"Infinity",
    b"\xff", b"\0", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\\ud800", b"\n", b"\r", b"//",
    b"mines: 1", b"topology: torus", b"F", b"*", b"9", b'"mines"', b"[" * 2000, b"9" * 5000,
]  # fmt: skip


def line(rng: Random) -> bytes:
    """One position as JSON, possibly with a wrong value or a few changed bytes."""
    width, height = rng.randint(1, 12), rng.randint(1, 12)
    rows = ["".join(rng.choice("....112030F*") for _ in range(width)) for _ in range(height)]
    made: dict[str, object] = {"rows": rows, "mines": rng.choice([None, rng.randint(0, 30)])}
    if rng.random() < 0.3:
        odd = rng.choice([None, True, -1, 1.5, "x", [], {}, 10**40, [[]], ["\ud800"]])
        made[rng.choice(["rows", "mines", "width", "height", "topology"])] = odd
    data = bytearray(json.dumps(made).encode("utf-8", "surrogatepass"))
    while rng.random() < 0.3:
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.randint(0, 3)] = rng.choice(PIECES)
    return bytes(data)


def case(rng: Random) -> None:
    """Run a command on at most eight lines."""
    data = rng.choice([b"\n", b"\n\n", b"\r\n", b""]).join(
        line(rng) for _ in range(rng.randint(0, 8))
    )
    command = rng.choice([["analyze"], ["hint"], ["arrange"]])
    as_json = rng.random() < 0.7
    options = ["--json"] if as_json else []
    # Usually run the command in this process, which saves startup time, but sometimes run it as a
    # separate program. Do not use Ctrl-C unless the program never ends.
    start = run if rng.random() < 0.01 else partial(call, interrupt=550.0)
    code, out, _ = start([*command, "--seconds", "1", *options], data)
    assert code in (0, 1, 2), code
    if as_json:
        for text in out.splitlines():
            json.loads(text)


if __name__ == "__main__":
    fuzz(case, __doc__)
