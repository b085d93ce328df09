"""A run's report page, which loads nothing from other sites."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sapper.lab import run
from sapper.lab.errors import BadRun
from sapper.lab.record import Recorder
from sapper.lab.report import report
from sapper.lab.runs import Run
from sapper.lab.spec import Spec
from sapper.lab.store import RunStore
from sapper.simulation.match import Match

PLAIN = """
from sapper import Action, ActionKind

class Plain:
    def choose(self, position):
        return Action(ActionKind.OPEN, position.unopened_cells()[0])
"""


class Balanced(HTMLParser):
    """A parser that checks whether tags are balanced."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_report_describes_the_run() -> None:
    """A report includes the win rate, the digest and the command that repeats the run."""
    made = run("groups", "beginner", n=60, bot_options={"last_turns": False}, seed=1)
    page = report(made)
    assert not Balanced(page).open
    assert f"{100 * made.tally.win_rate:.1f} %" in page
    assert made.summary["digest"] in page
    assert (
        "sapper lab run --bot groups --level beginner --rules classic --first-click safe "
        "--start 0,0 -n 60 --seed 1 --option last_turns=false"
    ) in page


def test_report_is_self_contained() -> None:
    """The report loads no URLs; those that it contains only identify formats."""
    page = report(run("exact", "beginner", n=20, seed=1))
    assert not re.search(r'(src|href)="(?!#)', page)
    assert page.count("<svg") == 3


def test_names_are_escaped(tmp_path: Path) -> None:
    """A bot's file may have any name."""
    mine = tmp_path / "<b>&.py"
    mine.write_text("from sapper.solver.bots import bots\nMine = bots['exact']\n")
    page = report(run(f"{mine}:Mine", "beginner", n=3, seed=1))
    assert "<b>&.py" not in page
    assert "&lt;b&gt;&amp;.py" in page


def test_unexplained_guesses_are_reported(tmp_path: Path) -> None:
    """Empty charts are omitted, and so are figures on guesses that the bot did not record."""
    mine = tmp_path / "plain.py"
    mine.write_text(PLAIN)
    page = report(run(f"{mine}:Plain", "beginner", n=3, seed=1))
    assert "The bot does not mark its guesses." in page
    assert "No guess has an estimate of its risk" in page
    assert page.count("<svg") == 2
    assert not Balanced(page).open


def test_a_saved_run_is_read_without_its_bot(tmp_path: Path) -> None:
    """The report, and the web app in another folder, need only the games."""
    mine = tmp_path / "plain.py"
    mine.write_text(PLAIN)
    run(f"{mine}:Plain", "beginner", n=3, out=tmp_path / "run", seed=1)
    mine.write_text("raise RuntimeError('run again')")
    assert "of 3 games won" in report(Run.open(tmp_path / "run"))
    mine.unlink()
    assert "of 3 games won" in report(Run.open(tmp_path / "run"))
    with pytest.raises(BadRun, match=r"cannot load bot 'Plain': no file"):
        Spec.from_json(json.loads((tmp_path / "run" / "run.json").read_bytes()), "it")


def test_unfinished_run_has_a_report(tmp_path: Path) -> None:
    """The report gives the number of games so far, even if it is zero."""
    spec = Spec(Match("exact", "beginner"), 1, 50)
    store = RunStore(tmp_path / "run")
    store.begin({**spec.to_json(), "command": ""})
    assert "0 of 50 games." in report(Run.open(store.path))
    Recorder(spec, store).write_status("running")
    assert "not yet known" in report(Run.open(store.path))
