"""Messages over a real WebSocket: effects, secrecy and bad input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from sapper.dealer import RULES
from sapper.game import Game
from sapper.position import Position
from sapper.replay.events import EventKind
from sapper.rules import LEVELS
from sapper.server import limits
from sapper.solver import analyze

ME = "a" * 24
OTHER = "b" * 24


def rows(player: Any) -> list[str]:
    """Return the rows shown on the board."""
    found: list[str] = player.send("sync")["game"]["rows"]
    return found


def test_click_is_answered_with_changed_cells(site: Any) -> None:
    """The answer is a numbered delta from the old view to the new one."""
    with site.player(ME) as player:
        game = player.welcome["game"]
        answer = player.send("open", cell=[4, 4])
        assert answer["type"] == "delta"
        assert answer["turn"] == game["turn"] + 1
        cells = list("".join(game["rows"]))
        for index, char in answer["cells"]:
            assert cells[index] != char
            cells[index] = char
        assert "".join(cells) == "".join(rows(player))
        assert answer["clock"]["running"]


def test_no_mine_is_sent_before_the_end(site: Any) -> None:
    """No message of a running game contains a mine, the seed or any other secret."""
    with site.player(ME) as player:
        player.send("assist", mode="assisted", overlay="chances")
        for _ in range(5):
            player.send("new")
            player.frames.clear()
            answer = player.send("open", cell=[4, 4])
            while answer["status"] == "playing":
                position = Position.parse("\n".join(rows(player)), 10)
                found = analyze(position)
                player.send("hint")
                best = min(position.unopened_cells(), key=lambda c: found.p_mine[c])
                for text in player.frames:
                    frame = json.loads(text)
                    shown = "".join(char for _, char in frame.get("cells", []))
                    shown += "".join(frame.get("game", {}).get("rows", []))
                    assert set(shown) <= set(".F?012345678")
                    assert frame.get("seed") is None
                    assert frame.get("game", {}).get("seed") is None
                    assert "board" not in text
                answer = player.send("open", cell=list(best))
            assert answer["seed"] is not None


def test_texts_count_rows_and_columns_from_1(site: Any) -> None:
    """Hints and errors name cells as on the page; the accompanying fields count from 0."""
    with site.player(ME) as player:
        position = Position.parse("...\n111\n000", mines=1)
        player.send("position", position=position.to_json(), rules="classic", options={})
        told = player.send("hint")
        assert (told["cell"], told["because"]) == ([0, 0], [[1, 1], [1, 2]])
        for row, col in told["because"]:
            assert f"the 1 at row {row + 1}, column {col + 1}" in told["sentence"]
        assert "(" not in told["sentence"]
        player.send("open", cell=[0, 0])
        assert player.send("open", cell=[0, 2])["status"] == "won"
        refused = player.send("open", cell=[0, 1])["error"]["message"]
        assert refused == "cannot open row 1, column 2: the game is won"
        refused = player.send("open", cell=[0, 7])["error"]["message"]
        assert refused.startswith("no cell row 1, column 8 on a board with 3 rows")


def test_loss_is_explained_from_the_visible_position(site: Any) -> None:
    """The review gives the cell's risk before the click and lists the remaining safe cells."""
    with site.player(ME) as player:
        answer = player.send("open", cell=[4, 4])
        position = Position.parse("\n".join(rows(player)), 10)
        while answer["status"] == "playing":
            position = Position.parse("\n".join(rows(player)), 10)
            found = analyze(position)
            risky = [c for c in position.unopened_cells() if c not in found.safe]
            worst = max(risky, key=lambda c: found.p_mine[c])
            answer = player.send("open", cell=list(worst))
        assert answer["status"] == "lost"
        review = player.until("review")
        assert review["cell"] == list(worst)
        assert review["p"] == pytest.approx(found.p_mine[worst], abs=1e-6)
        assert [tuple(cell) for cell in review["safe"]] == sorted(found.safe)
        shown = "".join(rows(player))
        assert shown.count("X") == 1
        assert shown.count("*") == 9


def test_two_sessions_and_two_windows(site: Any) -> None:
    """Windows of the same browser share a game; another browser has a different game."""
    with site.player(ME) as one, site.player(ME) as two, site.player(OTHER) as other:
        one.send("open", cell=[4, 4])
        assert two.until("delta")["status"] in ("playing", "won")
        assert rows(two) == rows(one)
        assert set("".join(rows(other))) == {"."}


def test_a_restart_of_the_server_loses_nothing(run: Any, store: Any) -> None:
    """The board, marks, clock, settings and help are restored, even by another server."""
    with run(store) as site, site.player(ME) as player:
        player.send("settings", settings={"level": "expert", "first_click": "safe"}, questions=True)
        player.send("open", cell=[8, 8])
        for _ in range(2):
            player.send("mark", cell=[0, 0])
        player.send("assist", mode="assisted", overlay="states")
        before = player.send("sync")
    with run(store) as site, site.player(ME) as player:
        after = player.welcome
    assert after["game"]["rows"] == before["game"]["rows"]
    assert after["game"]["clock"]["seconds"] >= before["game"]["clock"]["seconds"]
    assert after["game"]["clock"]["running"]
    for key in ("settings", "questions", "assist"):
        assert after[key] == before[key]


def test_every_rule_set_remembers_its_own_choices(run: Any, store: Any) -> None:
    """Looking at other rule sets does not change their choices, even after a restart."""
    own = {
        "classic": {"first_click": "opening", "options": {}},
        "fair": {"first_click": "safe", "win": "flags"},
        "no-guess": {"first_click": "safe", "options": {"logic": "single", "method": "fast"}},
    }

    def choices(player: Any, rules: str) -> dict[str, Any]:
        answer = player.send("settings", settings={"rules": rules})
        return {name: answer["settings"][name] for name in own.get(rules, ())}

    with run(store) as site, site.player(ME) as player:
        for rules, chosen in own.items():
            player.send("settings", settings={"rules": rules, **chosen})
        for rules in (*RULES, *own):
            assert choices(player, rules) == own.get(rules, {})
        choices(player, "windows-xp")
    with run(store) as site, site.player(ME) as player:
        assert player.welcome["settings"]["rules"] == "windows-xp"
        for rules, chosen in own.items():
            assert choices(player, rules) == chosen


def test_obsolete_saved_choices_are_ignored(run: Any, store: Any) -> None:
    """An obsolete rule set or option does not affect other choices."""
    with run(store) as site, site.player(ME) as player:
        player.send("settings", settings={"rules": "fair", "first_click": "safe"})
        player.send("settings", settings={"rules": "classic", "first_click": "any"})
    [saved] = store._database.db.execute("SELECT state FROM sessions").fetchone()
    state = json.loads(saved)
    state["choices"] |= {"poker": {"rules": "poker"}, "kaboom": {"rules": "kaboom", "win": 3}}
    store._database.db.execute("UPDATE sessions SET state = ?", [json.dumps(state)])
    with run(store) as site, site.player(ME) as player:
        assert player.welcome["settings"]["first_click"] == "any"
        fair = player.send("settings", settings={"rules": "fair"})["settings"]
        assert fair["first_click"] == "safe"


def test_pointer_path_survives_a_restart(
    run: Any, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path is sent and saved with a move; points above the limit are dropped."""
    monkeypatch.setattr(limits, "POINTER_POINTS", 4)
    paths = [[0, 8, 8, 0, 5, 5], [0, 70, 70], [0, 1, 1, 0, 1, 1], [0, 143, 0]]
    with run(store) as site, site.player(ME) as player:
        player.send("new", settings={"level": "beginner", "rules": "classic"}, seed=36)
        player.send("open", cell=[4, 4], pointer=paths[0])
        player.send("mark", cell=[0, 0], pointer=paths[1])
        player.send("mark", cell=[0, 0], pointer=paths[2])
        player.send("undo", pointer=paths[3])
    with run(store) as site, site.player(ME) as player:
        answer: dict[str, Any] = {"status": "playing"}
        cells = iter(divmod(index, 9) for index in range(81))
        while answer["status"] == "playing":
            answer = player.send("open", cell=list(next(cells)))
    [record] = store.history.of(ME).records()
    actions = record.moves["actions"]
    assert [action[-1] for action in actions if isinstance(action[-1], list)] == [
        paths[0], paths[1], paths[3],
    ]  # fmt: skip
    replay = record.replay()
    moves = replay.events[replay.events.is_kind(EventKind.MOVE)]
    assert list(zip(moves.x.tolist(), moves.y.tolist(), strict=True))[:2] == [(8, 8), (13, 13)]
    assert len(moves) == 4


BAD = [
    "",
    "nonsense",
    "[]",
    "null",
    '"open"',
    "[" * 100_000,
    "{}",
    '{"type": 3}',
    '{"type": "cheat"}',
    '{"type": ["open"]}',
    '{"type": "open"}',
    '{"type": "open", "cell": [1]}',
    '{"type": "open", "cell": [0, 0], "colour": "red"}',
    '{"type": "hint", "cell": [0, 0]}',
    '{"type": "drawn", "turn": -1}',
    '{"type": "drawn"}',
    '{"type": "automatic", "delay_ms": 5001}',
    '{"type": "automatic", "delay_ms": true}',
    '{"type": "automatic", "bot": "nobody"}',
    '{"type": "automatic", "do": "cheat"}',
    '{"type": "daily", "day": 3}',
    '{"type": "daily", "day": "soon"}',
    '{"type": "open", "cell": [99, 99]}',
    '{"type": "open", "cell": [-1, 0]}',
    '{"type": "open", "cell": [true, 0]}',
    '{"type": "open", "cell": [1.5, 0]}',
    '{"type": "open", "cell": [' + "9" * 5000 + ", 0]}",
    '{"type": "open", "cell": [0, 0], "pointer": []}',
    '{"type": "open", "cell": [0, 0], "pointer": [0, 0, 0, 0]}',
    '{"type": "open", "cell": [0, 0], "pointer": [0, 0, 99999]}',
    '{"type": "mark", "cell": [0, 0], "pointer": [5, 0, 0, 9, 0, 0]}',
    '{"type": "undo", "pointer": "x"}',
    '{"type": "chord", "cell": "a1"}',
    '{"type": "new", "settings": 3}',
    '{"type": "new", "settings": {"level": "9x9:500"}}',
    '{"type": "new", "settings": {"level": "1001x1000:5"}}',
    '{"type": "new", "settings": {"level": "9x9@1.2"}}',
    '{"type": "new", "settings": {"level": 7}}',
    '{"type": "new", "settings": {"rules": "poker"}}',
    '{"type": "new", "settings": {"colour": "red"}}',
    '{"type": "new", "settings": {"options": {"seed": 3}}}',
    '{"type": "new", "seed": -1}',
    '{"type": "new", "seed": "x"}',
    '{"type": "settings", "questions": "yes"}',
    '{"type": "assist", "mode": "cheat", "overlay": "none"}',
    '{"type": "assist", "mode": "solo", "debug": 1}',
    '{"type": "assist", "show_states": "yes"}',
    '{"type": "again"}',
    '{"type": "position"}',
    '{"type": "position", "position": {"rows": ["9"], "mines": 1}}',
    '{"type": "position", "position": {"rows": ["1"], "mines": 0}}',
    '{"type": "position", "position": {"rows": ["*."], "mines": 1}}',
    '{"type": "position", "position": {"rows": [".."]}}',
    '{"type": "position", "position": {"rows": [".."], "mines": 1}, "rules": ["classic"]}',
]


def test_bad_messages_get_errors_and_keep_the_connection(site: Any) -> None:
    """Every error has the usual shape, and the game does not change."""
    with site.player(ME) as player:
        before = player.welcome["game"]
        for text in [*BAD, b"\xff\x00"]:
            player.raw(text)
            answer = player.next()
            assert "error" in answer, (text, answer)
            error = answer["error"]
            assert set(error) == {"code", "message"}, text
            assert error["code"] != "internal", (text, error)
            assert error["message"], text
            assert "invalid" not in error["message"].lower()
        after = player.send("sync")["game"]
        assert {**after, "turn": 0} == {**before, "turn": 0}


def test_error_has_the_id_of_its_message(site: Any) -> None:
    """The id tells the page which click was refused."""
    with site.player(ME) as player:
        assert player.send("open", cell=[99, 0])["re"] == "t-1"
        assert player.send("open", cell="a1")["re"] == "t-2"
        assert player.send("cheat")["re"] == "t-3"


def test_a_page_of_another_site_cannot_play(site: Any) -> None:
    """Foreign origins are refused; the server's own origin and clients without one are allowed."""
    with (
        pytest.raises(InvalidStatus) as refused,
        site.player(ME, Origin="https://evil.example"),
    ):
        pass
    assert refused.value.response.status_code == 403
    with site.player(ME, Origin=site.url) as player:
        assert player.welcome["type"] == "welcome"


def test_lone_surrogate_id_is_returned(site: Any) -> None:
    """A lone surrogate is returned unchanged, and later messages still arrive."""
    with site.player(ME) as player:
        player.raw('{"type": "mark", "cell": [0, 0], "id": "\\ud800"}')
        assert player.next()["re"] == "\ud800"
        assert player.send("mark", cell=[0, 0])["type"] == "delta"


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://127.0.0.1:1"])
def test_invalid_origin_is_rejected(site: Any, origin: str) -> None:
    """A malformed Origin always gets 403, never 500."""
    with pytest.raises(InvalidStatus) as refused, site.player(ME, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_game_from_a_shared_position_does_not_count(site: Any) -> None:
    """The board shows the shared position, and the mines fit it."""
    with site.player(ME) as player:
        game = Game("beginner", first_click="opening", seed=3)
        game.open((4, 4))
        shared = game.position.to_json()
        state = player.send("position", position=shared)["game"]
        assert state["rows"] == shared["rows"]
        assert state["helped"] == "shared"
        safe = min(analyze(game.position).safe)
        assert player.send("open", cell=list(safe))["status"] in ("playing", "won")


def test_helped_games_do_not_count(site: Any) -> None:
    """Helped games are marked, and only games without help are counted."""
    with site.player(ME) as player:
        player.send("open", cell=[4, 4])
        assert player.send("hint")["type"] == "hint"
        assert player.send("mark", cell=[0, 0])["helped"] == "hint"
        player.send("new")
        assert player.send("open", cell=[4, 4])["helped"] is None
        assert player.send("undo")["helped"] == "undo"


def test_analysed_running_game_does_not_count(site: Any) -> None:
    """An analysis before the first click or after the end does not count as help."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "3x3:1", "first_click": "safe"})
        assert player.send("analyze")["helped"] is None
        player.send("open", cell=[0, 0])
        assert player.send("analyze")["helped"] == "analysis"


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_in_the_menu_works(site: Any, level: str) -> None:
    """Each level works with every rule set and every first click that the rules allow."""
    with site.player(ME) as player:
        for rules in player.welcome["menu"]["rules"]:
            for first_click in (promise["name"] for promise in rules["first_clicks"]):
                chosen = {"level": level, "rules": rules["name"], "first_click": first_click}
                state = player.send("new", settings=chosen)
                assert state["game"]["settings"]["first_click"] == first_click
