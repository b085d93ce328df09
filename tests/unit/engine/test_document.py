"""The example exchanges in docs/engine-protocol.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from sapper import make_bot
from sapper.engine import serve

_PAGE = Path(__file__).parents[3] / "docs" / "engine-protocol.md"


def test_the_exchanges_in_the_document_happen() -> None:
    """Sapper's exact bot gives the documented answers to the host's lines."""
    blocks = re.findall(r"```text\n(.*?)```", _PAGE.read_text("utf-8"), re.DOTALL)
    exchanges = [block.splitlines() for block in blocks if block.startswith("host:")]
    assert len(exchanges) == 4
    for exchange in exchanges:
        lines = [line.partition(":") for line in exchange]
        said = [text.strip().encode() for who, _, text in lines if who == "host"]
        expected = [json.loads(text) for who, _, text in lines if who == "engine"]
        written: list[bytes] = []
        serve(lambda: make_bot("exact"), "exact", said, written.append)
        answers = [json.loads(line) for line in written]
        for message in (*expected, *answers):
            message.pop("version", None)
        assert answers == expected
