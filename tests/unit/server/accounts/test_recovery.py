"""Recovery codes."""

from __future__ import annotations

import random

from sapper.server.accounts.recovery import CODES, digest_of, new_codes


def test_codes_can_be_typed_in_any_case_and_spacing() -> None:
    """Letters that look like digits count as those digits."""
    codes = new_codes(random.Random(1).randbytes)
    assert len(set(codes)) == CODES
    for code in codes:
        assert [len(part) for part in code.split("-")] == [4, 4, 4, 4]
        typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
        assert digest_of(typed) == digest_of(code) is not None
    assert len({digest_of(code) for code in codes}) == CODES


def test_the_hash_does_not_contain_the_code() -> None:
    """Every bit of a code comes from the source of random bytes."""
    assert new_codes(bytes)[0] == "0000-0000-0000-0000"
    assert new_codes(lambda n: b"\xff" * n)[0] == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"
    digest = digest_of("ZZZZ-ZZZZ-ZZZZ-ZZZZ")
    assert digest is not None
    assert b"ZZZZ" not in digest


def test_other_texts_are_not_codes() -> None:
    """Strings that are too short or too long, or have other characters, are refused."""
    for text in (
        "",
        "ZZZZ",
        "ZZZZ-ZZZZ-ZZZZ-ZZZZ-Z",
        "UUUU-UUUU-UUUU-UUUU",
        "é" * 16,
        "9" * 10_000,
    ):
        assert digest_of(text) is None
