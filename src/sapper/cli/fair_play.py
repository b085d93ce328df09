"""The commands `sapper admin fair-play` and `sapper admin entries`, about leaderboards."""

from __future__ import annotations

from html import escape as escape_html
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from sapper._util.shortening import shown
from sapper._util.whole_file import written_whole
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.moments import shown_moment
from sapper.cli.output import emit
from sapper.cli.reasons import checked_reason
from sapper.cli.signatures import Argument, Group, Option
from sapper.cli.terminal import print_table
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.server.storage.fair_play import Finding, PlayerReport
    from sapper.server.storage.race_fair_play import RaceFinding, RaceReport

__all__ = ["add_commands", "entries"]

_Table = tuple[tuple[str, ...], list[list[str]]]
"""The names of the columns, and the rows."""

Link = Annotated[
    str, Argument(metavar="LINK", help="Public page of the game, such as /g/ID, or its id.")
]

entries = Group(
    name="entries",
    help="Withdraw and restore games on leaderboards. The server may be running.",
    short_help="Withdraw and restore games on leaderboards.",
    no_args_is_help=True,
)


def add_commands(app: Group) -> None:
    """Add the commands to a group."""
    app.command(
        "fair-play",
        epilog=example("sapper admin fair-play --html report.html --site https://play.example.org"),
        short_help="Report games and rated rounds with unlikely figures.",
    )(fair_play)


def fair_play(
    name: Annotated[
        str | None, Argument(metavar="NAME", help="Only this player (default: all).")
    ] = None,
    every: Annotated[
        bool, Option("--all", help="Include players without unlikely figures.")
    ] = False,
    site: Annotated[
        str, Option(metavar="URL", help="Address of the site, for links to replays.")
    ] = "",
    html: Annotated[
        Path | None, Option(metavar="FILE", help="Also write the report as a web page.")
    ] = None,
    json: Annotated[
        bool, Option("--json", help="Print JSON, one player and kind per line.")
    ] = False,
    database: DatabaseUrl = None,
) -> int:
    """Report games on leaderboards and rated rounds with figures that are unlikely for a person.

    No figure is proof, and none has automatic consequences: watch the replays. The server computes
    the figures in the background, some seconds after each game. The exit status is 1 if nothing
    is unlikely.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.fair_play import FairPlay
    from sapper.server.storage.race_fair_play import race_reports

    with opened_beside(database) as opened:
        found, racing = FairPlay(opened).report(name), race_reports(opened, name)
    if name is not None and not found and not racing:
        raise BadSetting(f"{shown(name)} has no entry on a leaderboard and no rated round")
    listed = [one for one in found if every or name is not None or one.is_unlikely]
    races = [one for one in racing if every or name is not None or one.is_unlikely]
    site = site.rstrip("/")
    tables = [*_tables(listed, site), *_race_tables(races, site)]
    if html is not None:
        with written_whole(html) as path:
            path.write_text(_page(tables), "utf-8")
    for one in listed if json else ():
        emit({"kind": "leaderboards", **_json(one, site)})
    for race in races if json else ():
        emit({"kind": "races", **_race_json(race, site)})
    if not json:
        _print_tables(tables)
        print(f"{len(listed)} of {len(found)} players on leaderboards listed")
        print(f"{len(races)} of {len(racing)} players with rated rounds listed")
    is_unlikely = any(one.is_unlikely for one in listed) or any(one.is_unlikely for one in races)
    return ExitStatus.DONE if is_unlikely else ExitStatus.NEGATIVE


@entries.command(
    epilog=example('sapper admin entries withdraw /g/Qm3x --reason "Played by a bot"'),
    short_help="Withdraw a game from the leaderboards.",
)
def withdraw(
    link: Link,
    reason: Annotated[str, Option(metavar="TEXT", help="Reason, for your records.")],
    database: DatabaseUrl = None,
) -> int:
    """Withdraw a game from the leaderboards; the player's next best game counts instead.

    The exit status is 1 if no such entry counts.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.entries import Entries
    from sapper.server.storage.operator_log import OperatorLog

    text = checked_reason(reason)
    with opened_beside(database) as opened:
        entries = Entries(opened)
        account, name = entries.owner(_id(link))
        done = entries.withdraw(_id(link), text)
        if done:
            detail = f"{_id(link)}: {text}"
            OperatorLog(opened).add("entries withdraw", detail, account=account, name=name)
    print("Withdrawn." if done else "No such entry counts.")
    return ExitStatus.DONE if done else ExitStatus.NEGATIVE


@entries.command(
    epilog=example("sapper admin entries restore /g/Qm3x"),
    short_help="Restore a withdrawn game.",
)
def restore(link: Link, database: DatabaseUrl = None) -> int:
    """Restore a withdrawn game; the exit status is 1 if there is no such entry."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.entries import Entries
    from sapper.server.storage.operator_log import OperatorLog

    with opened_beside(database) as opened:
        entries = Entries(opened)
        account, name = entries.owner(_id(link))
        done = entries.restore(_id(link))
        if done:
            OperatorLog(opened).add("entries restore", _id(link), account=account, name=name)
    print("Restored." if done else "There is no such withdrawn entry.")
    return ExitStatus.DONE if done else ExitStatus.NEGATIVE


def _id(link: str) -> str:
    return link.rstrip("/").rsplit("/", 1)[-1]


def _json(one: PlayerReport, site: str) -> dict[str, Any]:
    findings = [{**each._asdict(), "link": _address(each, site)} for each in one.findings]
    return {**one._asdict(), "findings": findings}


def _address(finding: Finding, site: str) -> str:
    return f"{site}/g/{finding.link}"


_PLAYERS: Final = ("player", "games", "won", "guesses", "mines expected", "hit", "luck", "findings")
_GAMES: Final = (
    "player",
    "finished",
    "board",
    "unlikely",
    "least s",
    "most/s",
    "rhythm",
    "straight",
    "replay",
)


def _player_row(one: PlayerReport) -> list[str]:
    luck = "-" if one.luck is None else f"{one.luck:.1f}"
    numbers = [f"{one.games:,}", f"{one.won:,}", f"{one.guesses:,}", f"{one.expected:.1f}"]
    return [one.name, *numbers, f"{one.hit:,}", luck, str(len(one.findings))]


def _game_row(name: str, one: Finding, site: str) -> list[str]:
    figures = one.figures
    least, rhythm = figures["least_s"], figures["rhythm"]
    state = " (withdrawn)" if one.withdrawn else ""
    return [
        name,
        shown_moment(one.finished_ms),
        one.board + state,
        ", ".join(one.reasons),
        "-" if least is None else f"{least:.3f}",
        str(figures["most_per_s"]),
        "-" if rhythm is None else f"{rhythm:.2f}",
        f"{figures['straight']}/{figures['paths']}",
        _address(one, site),
    ]


def _tables(found: list[PlayerReport], site: str) -> list[_Table]:
    games = [_game_row(one.name, each, site) for one in found for each in one.findings]
    return [(_PLAYERS, [_player_row(one) for one in found]), (_GAMES, games)]


_RACERS: Final = ("player", "rated rounds", "recorded", "luck", "results", "games", "pairs")
_RACES: Final = ("player", "finished", "unlikely", "least s", "most/s", "rhythm", "recording")
_PAIRS: Final = ("player", "with", "unlikely", "rounds", "score", "points", "luck")


def _race_tables(found: list[RaceReport], site: str) -> list[_Table]:
    players, games, pairs = [], [], []
    for one in found:
        counts = str(len(one.findings)), str(len(one.pairs))
        scores = _number(one.luck, 1), _number(one.surplus, 1)
        players.append([one.name, f"{one.rounds:,}", f"{one.recorded:,}", *scores, *counts])
        for each in one.findings:
            least, rhythm = each.figures["least_s"], each.figures["rhythm"]
            games.append(
                [
                    one.name,
                    shown_moment(each.finished_ms),
                    ", ".join(each.reasons),
                    _number(least, 3),
                    str(each.figures["most_per_s"]),
                    _number(rhythm, 2),
                    _recording(each, site),
                ]
            )
        for pair in one.pairs:
            score, points = f"{pair.score:.2f}", f"{pair.gained:+.0f}"
            luck = _number(pair.luck, 1)
            pairs.append(
                [one.name, pair.name, pair.reason, f"{pair.rounds:,}", score, points, luck]
            )
    return [(_RACERS, players), (_RACES, games), (_PAIRS, pairs)]


def _race_json(one: RaceReport, site: str) -> dict[str, Any]:
    findings = [{**each._asdict(), "link": _recording(each, site)} for each in one.findings]
    pairs = [each._asdict() for each in one.pairs]
    return {**one._asdict(), "findings": findings, "pairs": pairs}


def _recording(finding: RaceFinding, site: str) -> str:
    return f"{site}/api/rooms/{finding.code}/recording?game={finding.game}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _print_tables(tables: list[_Table]) -> None:
    for columns, rows in tables:
        if rows:
            print_table(columns, rows, range(len(columns)))
            print()


_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:24px;color-scheme:light dark}"
    "table{border-collapse:collapse;margin:0 0 28px}"
    "th,td{padding:4px 14px 4px 0;border-bottom:1px solid #8886;text-align:left;white-space:nowrap}"
)


def _page(tables: list[_Table]) -> str:
    """Return the report as a web page without scripts."""
    parts = []
    for columns, rows in tables:
        head = "".join(f'<th scope="col">{escape_html(column)}</th>' for column in columns)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fair play</title>'
        f"<style>{_STYLE}</style></head><body><h1>Fair play</h1><p>Figures of games on "
        "leaderboards and of rated rounds that are unlikely for a person. None is proof: watch the "
        "replays.</p>"
        f"{''.join(parts)}</body></html>\n"
    )


def _cell(text: str) -> str:
    shown_text = escape_html(text)
    link = "/g/" in text or "/api/rooms/" in text
    return f'<td><a href="{shown_text}">{shown_text}</a></td>' if link else f"<td>{shown_text}</td>"
