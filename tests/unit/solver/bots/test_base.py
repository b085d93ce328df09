"""Bots: their forms and answers, the registry, and bots from files."""

from pathlib import Path

import pytest

import sapper
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, BotFailed
from sapper.position import Position
from sapper.solver.bots import Bot, Choice, as_choice, bots, load, make_bot
from sapper.solver.bots.base import flags, opens
from sapper.topology import Cell

OPEN = Action(ActionKind.OPEN, Cell(0, 0))
MINE = '''
class First:
    """Opens the first unopened cell."""

    def __init__(self, last=False):
        self.last = last

    def choose(self, position):
        from sapper.actions import Action, ActionKind
        return Action(ActionKind.OPEN, position.unopened_cells()[-1 if self.last else 0])


class NoBot:
    pass


NUMBER = 7
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file that contains a bot."""
    path = tmp_path / "my_bot.py"
    path.write_text(MINE, "utf-8")
    return str(path)


@pytest.mark.parametrize("answer", [OPEN, [OPEN], (OPEN,), Choice((OPEN,))])
def test_valid_answers_become_choices(answer: Action) -> None:
    """A bot may answer in any of the accepted forms."""
    assert as_choice(answer).actions == (OPEN,)


@pytest.mark.parametrize("answer", [None, (0, 0), [OPEN, (0, 0)], "open"])
def test_invalid_answer_is_rejected(answer: object) -> None:
    """The message repeats the answer."""
    with pytest.raises(BadSetting, match="a bot must return an Action"):
        as_choice(answer)  # type: ignore[arg-type]


def test_opening_flagged_cell_removes_flag_first() -> None:
    """A flag protects its cell, so a wrong flag would block the bot."""
    position = Position.parse("F.1")
    kinds = [action.kind.value for action in opens(position, [0, 1])]
    assert kinds == ["flag", "open", "open"]


def test_existing_flag_is_kept() -> None:
    """Flagging a cell twice would remove the flag."""
    assert [action.cell for action in flags(Position.parse("F.1"), [0, 1])] == [(0, 1)]


def test_registry_is_exported() -> None:
    """Bots can be registered and looked up in `sapper.bots`."""
    assert sapper.bots is bots
    assert all(isinstance(make_bot(name), Bot) for name in bots)


def test_bot_is_accepted_in_every_form(file: str) -> None:
    """A bot can be a name, a file, a factory or an instance."""
    factory = load(f"{file}:First")
    assert type(make_bot(f"{file}:First", last=True)).__name__ == "First"
    bot = make_bot(factory)
    assert make_bot(bot) is bot


@pytest.mark.parametrize(
    ("bot", "options", "message"),
    [
        ("deep-thought", {}, "unknown bot 'deep-thought'; choose from: exact"),
        ("exact", {"depth": 7}, "bot exact: .*'depth'; its options: none"),
        ("groups", {"probability": "False"}, "probability must be True or False, got 'False'"),
        ("autosweeper", {"sound": 1}, "sound must be True or False, got 1"),
        ("kaboom-sat", {"witnesses": None}, "witnesses must be True or False, got None"),
        ("fair-evaluate", {"budget": "x"}, "budget must be a whole number of 0 or more, got 'x'"),
        ("optimal", {"solutions": 2.5}, "solutions must be a whole number from 0 to .* got 2.5"),
        ("optimal", {"states": -1}, "states must be a whole number from 0 to .* got -1"),
        ("nowhere.py:Bot", {}, "no file 'nowhere.py'"),
        (":Bot", {}, "given as FILE.py:NAME"),
        ("FILE:", {}, "given as FILE.py:NAME"),
        ("FILE:Second", {}, "no bot 'Second'; its classes: First, NoBot"),
        ("FILE:NoBot", {}, r"no method choose\(position\)"),
        ("FILE:NUMBER", {}, "not a class or function"),
        ("FILE:First", {"depth": 7}, "its options: last"),
        (7, {}, "7 is not a bot"),
        (dict, {}, "no method choose"),
    ],
)
def test_invalid_bot_is_rejected(
    file: str, bot: object, options: dict[str, object], message: str
) -> None:
    """The message names the missing part and the available bots."""
    spec = bot.replace("FILE", file) if isinstance(bot, str) else bot
    with pytest.raises(BadSetting, match=message):
        make_bot(spec, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["def (", "import nothing_of_this_name", "1 / 0"])
def test_failing_bot_file_reports_its_error(tmp_path: Path, text: str) -> None:
    """The message includes the error in the file, which can be loaded again once it is fixed."""
    path = tmp_path / "broken.py"
    path.write_text(text, "utf-8")
    with pytest.raises(
        BadSetting, match=r"cannot be loaded: (broken\.py:1 in <module>: )?\w+Error"
    ):
        load(f"{path}:First")
    path.write_text(MINE, "utf-8")
    assert load(f"{path}:First").__name__ == "First"


def test_failing_constructor_reports_its_line(tmp_path: Path) -> None:
    """[#34] The program used to print a traceback."""
    path = tmp_path / "broken.py"
    path.write_text("class Broken:\n    choose = print\n    def __init__(self):\n        1 / 0\n")
    error = r"bot .*broken\.py:Broken: broken\.py:4 in __init__: ZeroDivisionError"
    with pytest.raises(BotFailed, match=error) as caught:
        make_bot(f"{path}:Broken")
    assert caught.value.trace.endswith("    1 / 0\nZeroDivisionError: division by zero")


@pytest.mark.parametrize(
    ("answer", "told"), [("open", "'open'"), (iter([7]), r"\(7,\)"), (None, "None")]
)
def test_invalid_choice_is_shown(answer: object, told: str) -> None:
    """[#34] Text and iterators were shown as `itertools.islice object`."""
    with pytest.raises(
        BadSetting, match=f"must return an Action, several, or a Choice, got {told}$"
    ):
        as_choice(answer)  # type: ignore[arg-type]


def test_bot_instance_accepts_no_options() -> None:
    """Only factories take options."""
    with pytest.raises(BadSetting, match="not a bot object"):
        make_bot(make_bot("exact"), depth=7)
