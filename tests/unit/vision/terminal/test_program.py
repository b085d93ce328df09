"""Descriptions of text-mode programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.errors import BadSetting
from sapper.vision import LOOKS
from sapper.vision.terminal import load_program, programs

DOTS = Path(__file__).parent / "dots.toml"


@pytest.mark.parametrize("name", programs())
def test_built_in_program_has_a_description(name: str) -> None:
    """Every look has a character, except for looks that only some programs have."""
    program = load_program(name)
    assert program.name == name
    assert set("012345678.F*") <= set(program.looks.values()) <= set(LOOKS)


def test_custom_program_is_read_from_its_file() -> None:
    """Missing fields get common defaults."""
    program = load_program(str(DOTS))
    assert (program.name, program.keys.right, program.total) == ("dots", "\x1b[C", None)
    assert not program.won_by_flags


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('"P" = "F"|"P" = "flag"', "one of 012345678"),
        ('"P" = "F"|"PP" = "F"', "map a character"),
        ('won = "hurrah"|won = "(hurrah"', "invalid regular expression"),
        ('won = "hurrah"|cursor = "<"', "two characters"),
        ('won = "hurrah"|colour = "red"', "unexpected keyword argument 'colour'"),
        ('new = "g"|', "missing 1 required positional argument: 'new'"),
        ("[keys]|keys]", "is not a valid text-mode program"),
    ],
)
def test_invalid_description_is_rejected(tmp_path: Path, wrong: str, message: str) -> None:
    """The error states the fault."""
    file = tmp_path / "mine.toml"
    file.write_text(DOTS.read_text("utf-8").replace(*wrong.split("|")), "utf-8")
    with pytest.raises(BadSetting, match=message):
        load_program(str(file))


def test_binary_description_is_rejected(tmp_path: Path) -> None:
    """A binary file used to print a traceback."""
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadSetting, match="is not a valid text-mode program"):
        load_program(str(path))


def test_unknown_program_is_rejected() -> None:
    """The error lists the known programs."""
    with pytest.raises(BadSetting, match=r"unknown text-mode program 'vi'; choose from: freesweep"):
        load_program("vi")
