"""Commands from the annotated parameters of functions."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import click
import pytest

from sapper.cli.signatures import Argument, Group, Option, command


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def paint(
    files: Annotated[list[str], Argument(metavar="FILE", help="Files to paint.")],
    colour: Annotated[Colour, Option(help="Colour.")] = Colour.RED,
    layers: Annotated[int, Option("-n", min=1, max=9, metavar="N", help="Layers.")] = 1,
    out: Annotated[Path | None, Option(metavar="DIR", help="Output.")] = None,
    mix: Annotated[list[str] | None, Option(metavar="NAME", help="Also mix in.")] = None,
    dry: Annotated[bool, Option("--dry-run", help="Only print.")] = False,
) -> dict[str, Any]:
    """Paint files.

    Each file gets its layers.
    """
    return locals()


@pytest.mark.parametrize(
    ("line", "given"),
    [
        (["a"], {}),
        (["a", "b"], {"files": ["a", "b"]}),
        (["a", "--colour", "blue"], {"colour": Colour.BLUE}),
        (["a", "-n", "9"], {"layers": 9}),
        (["a", "--out", "x"], {"out": Path("x")}),
        (["a", "--mix", "m", "--mix", "n"], {"mix": ["m", "n"]}),
        (["a", "--dry-run"], {"dry": True}),
    ],
)
def test_values_have_the_declared_types(line: list[str], given: dict[str, Any]) -> None:
    """Lists, enums, paths and flags arrive as the function declares them."""
    found = command(paint).main(line, standalone_mode=False)
    default = {"files": ["a"], "colour": Colour.RED, "layers": 1, "out": None, "mix": None}
    assert found == {**default, "dry": False, **given}
    assert isinstance(found["colour"], Colour)


@pytest.mark.parametrize("line", [[], ["a", "--colour", "green"], ["a", "-n", "10"], ["a", "-n"]])
def test_other_values_are_refused(line: list[str]) -> None:
    """A missing argument, an unknown value, one out of range and a missing one."""
    with pytest.raises(click.UsageError):
        command(paint).main(line, standalone_mode=False)


def test_help_has_a_section_for_arguments() -> None:
    """Defaults and ranges are shown, except where there is nothing to show."""
    context = click.Context(command(paint), info_name="paint", terminal_width=80)
    assert context.get_help() == "\n".join(
        [
            "Usage: paint [OPTIONS] FILE...",
            "",
            "  Paint files.",
            "",
            "  Each file gets its layers.",
            "",
            "Arguments:",
            "  FILE  Files to paint.  [required]",
            "",
            "Options:",
            "  --colour [red|blue]  Colour.  [default: red]",
            "  -n N                 Layers.  [default: 1; 1<=x<=9]",
            "  --out DIR            Output.",
            "  --mix NAME           Also mix in.",
            "  --dry-run            Only print.",
            "  --help               Show this message and exit.",
        ]
    )


def test_a_group_lists_its_commands_in_order_and_has_its_own_options() -> None:
    """The functions are returned unchanged, so that they can be called as well."""
    group = Group(name="studio", help="Paint.")
    seen = []

    @group.options(invoke_without_command=True)
    def studio(
        context: click.Context,
        loud: Annotated[bool, Option("--loud", help="Make noise.")] = False,
    ) -> None:
        seen.append((context.invoked_subcommand, loud))

    @group.command(short_help="Wash brushes.")
    def wash() -> str:
        return "washed"

    group.command("colour-in")(paint)
    assert wash() == "washed"
    assert list(group.list_commands(click.Context(group))) == ["wash", "colour-in"]
    assert group.main(["--loud", "wash"], standalone_mode=False) == "washed"
    group.main([], standalone_mode=False)
    assert seen == [("wash", True), (None, False)]
