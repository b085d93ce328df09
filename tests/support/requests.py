"""Requests for every URL of the web app; a test fails until the table has those of a new one."""

from __future__ import annotations

__all__ = ["REQUESTS"]

_POSITION_TEXT = {"text": "../11", "mines": 1}

_PAGES = (
    *("", "account", "analyze", "history", "lab", "learn", "learn/patterns", "offline", "replay"),
    *("review", "together", "leaderboards", "tournaments"),
)

REQUESTS: dict[tuple[str, str], list[tuple[str, object]]] = {
    **{("GET", f"/{page}"): [(f"/{page}", None)] for page in _PAGES},
    ("GET", "/assets/{name:path}"): [("/assets/none", None)],
    ("GET", "/manifest.webmanifest"): [("/manifest.webmanifest", None)],
    ("GET", "/service-worker.js"): [("/service-worker.js", None)],
    ("GET", "/healthz"): [("/healthz", None)],
    ("GET", "/readyz"): [("/readyz", None)],
    ("GET", "/metrics"): [("/metrics", None)],
    ("GET", "/api/menu"): [("/api/menu", None)],
    ("GET", "/moved"): [("/moved", None)],
    ("POST", "/api/move"): [("/api/move", {})],
    ("POST", "/api/move/arrive"): [("/api/move/arrive", {"token": "{other}"})],
    ("GET", "/api/runs"): [("/api/runs", None)],
    ("GET", "/api/runs/{name}"): [("/api/runs/{me}", None)],
    ("POST", "/api/analyze"): [("/api/analyze", _POSITION_TEXT)],
    ("POST", "/api/analyze/cell"): [("/api/analyze/cell", {**_POSITION_TEXT, "cell": [0, 0]})],
    ("POST", "/api/analyze/deal"): [("/api/analyze/deal", {"seed": 1})],
    ("POST", "/api/analyze/wins"): [("/api/analyze/wins", _POSITION_TEXT)],
    ("POST", "/api/analyze/arrange"): [("/api/analyze/arrange", {"rows": ["..", "11"]})],
    ("POST", "/api/analyze/load"): [("/api/analyze/load", "../11")],
    ("GET", "/api/review"): [
        ("/api/review", None),
        ("/api/review?game=1", None),
        ("/api/review?game={key}", None),
        ("/api/review?game={me}", None),
        ("/api/review?game={other}", None),
        ("/api/review?day=2026-11-22", None),
    ],
    ("POST", "/api/review"): [
        ("/api/review?game={other}", None),
        ("/api/review?day=2026-11-22", None),
    ],
    ("POST", "/api/review/retry"): [
        ("/api/review/retry", {"key": "game-1", "decision": 0}),
        ("/api/review/retry", {"key": "day-2026-11-22", "decision": 0}),
        ("/api/review/retry", {"key": "{other}", "decision": 0}),
    ],
    ("POST", "/api/review/mistake"): [("/api/review/mistake", {"key": "{key}", "decision": 0})],
    ("GET", "/api/replay"): [("/api/replay", None), ("/api/replay?game={key}", None)],
    ("POST", "/api/replay"): [("/api/replay", "{key}")],
    ("POST", "/api/replay/convert"): [("/api/replay/convert?format=rawvf", "{key}")],
    ("POST", "/api/replay/formats"): [("/api/replay/formats", "{key}")],
    ("POST", "/api/replay/take-over"): [("/api/replay/take-over?steps=0", "{key}")],
    ("GET", "/api/learn"): [("/api/learn", None)],
    ("POST", "/api/learn/puzzle"): [("/api/learn/puzzle", {"focus": "none"})],
    ("POST", "/api/learn/answer"): [("/api/learn/answer", {"puzzle": "{key}"})],
    ("POST", "/api/learn/lesson"): [("/api/learn/lesson", {"board": "{key}"})],
    ("GET", "/api/learn/patterns"): [("/api/learn/patterns", None)],
    ("POST", "/api/learn/pattern"): [("/api/learn/pattern", {"pattern": "{key}"})],
    ("GET", "/api/learn/practice"): [("/api/learn/practice", None)],
    ("POST", "/api/learn/practice"): [("/api/learn/practice", {"pattern": "{key}"})],
    ("POST", "/api/learn/practice/answer"): [("/api/learn/practice/answer", {"exercise": "{key}"})],
    ("GET", "/api/learn/mistakes"): [("/api/learn/mistakes", None)],
    ("GET", "/api/learn/mistakes/export"): [("/api/learn/mistakes/export", None)],
    ("POST", "/api/learn/mistakes/next"): [("/api/learn/mistakes/next", {})],
    ("POST", "/api/learn/mistakes/answer"): [("/api/learn/mistakes/answer", {"id": "{key}"})],
    ("POST", "/api/learn/mistakes/erase"): [("/api/learn/mistakes/erase", {"mistakes": 0})],
    ("GET", "/api/history/statistics"): [("/api/history/statistics", None)],
    ("GET", "/api/history/games"): [("/api/history/games", None)],
    ("GET", "/api/history/games/{key}"): [
        ("/api/history/games/1", None),
        ("/api/history/games/{key}", None),
        ("/api/history/games/{me}", None),
        ("/api/history/games/{other}", None),
    ],
    ("GET", "/api/history/export"): [("/api/history/export", None)],
    ("POST", "/api/history/import"): [("/api/history/import", "")],
    ("POST", "/api/history/erase"): [("/api/history/erase", {"selection": {}})],
    **{
        (method, "/api/history/games/{key}/share"): [
            ("/api/history/games/{key}/share", body),
            ("/api/history/games/{other}/share", body),
        ]
        for method, body in (("GET", None), ("POST", {"listed": True}), ("DELETE", None))
    },
    **{
        ("GET", f"/g/{{id}}{ending}"): [(f"/g/{{key}}{ending}", None), (f"/g/{{me}}{ending}", None)]
        for ending in ("", ".png", ".svg")
    },
    ("GET", "/api/games/{id}"): [("/api/games/{key}", None), ("/api/games/{me}", None)],
    ("GET", "/api/leaderboards"): [("/api/leaderboards", None)],
    ("GET", "/api/leaderboard"): [("/api/leaderboard?rules=classic&level=beginner", None)],
    ("GET", "/api/ratings"): [("/api/ratings?list=race%20beginner", None)],
    ("GET", "/api/daily"): [("/api/daily", None)],
    ("GET", "/@{name}"): [("/@{me}", None)],
    ("GET", "/api/profiles/{name}"): [("/api/profiles/{me}", None)],
    ("POST", "/api/profiles/{name}/follow"): [("/api/profiles/{other}/follow", {})],
    ("POST", "/api/profiles/{name}/unfollow"): [("/api/profiles/{other}/unfollow", {})],
    ("GET", "/api/following"): [("/api/following", None)],
    ("POST", "/api/account/private"): [("/api/account/private", {"private": True})],
    ("GET", "/api/tournaments"): [("/api/tournaments", None)],
    ("POST", "/api/tournaments"): [("/api/tournaments", {"name": "{key}"})],
    ("GET", "/api/tournaments/{code}"): [("/api/tournaments/{key}", None)],
    ("POST", "/api/tournaments/{code}/join"): [("/api/tournaments/{key}/join", {})],
    ("POST", "/api/tournaments/{code}/pause"): [("/api/tournaments/{key}/pause", {})],
    ("GET", "/t/{code}"): [("/t/{key}", None)],
    ("GET", "/r/{code}"): [("/r/{key}", None)],
    ("GET", "/api/rooms"): [("/api/rooms", None)],
    ("GET", "/api/rooms/menu"): [("/api/rooms/menu", None)],
    # A new room would have a random code.
    ("POST", "/api/rooms"): [("/api/rooms", {"kind": "race", "settings": {"level": "{key}"}})],
    ("GET", "/api/rooms/{code}/qr.svg"): [("/api/rooms/{key}/qr.svg", None)],
    ("GET", "/api/rooms/{code}/recording"): [("/api/rooms/{key}/recording", None)],
    ("GET", "/api/rooms/{code}/games/{number}"): [("/api/rooms/{key}/games/0", None)],
    ("GET", "/api/rooms/{code}/review"): [("/api/rooms/{key}/review", None)],
    ("GET", "/api/account"): [("/api/account", None)],
    ("GET", "/api/account/export"): [("/api/account/export", None)],
    **{
        ("POST", f"/api/account/{act}"): [(f"/api/account/{act}", {"name": "x", "id": "{me}"})]
        for act in (
            *("claim/options", "claim", "sign-in/options", "sign-in", "recover", "rename"),
            *("passkeys/options", "passkeys", "passkeys/remove", "codes", "sign-out"),
            *("sessions/end", "sessions/end-others", "delete"),
        )
    },
}
"""Requests for each URL. `{key}` is the game's key, `{me}` and `{other}` are session ids."""
