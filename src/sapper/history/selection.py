"""Select games in the history by an SQL condition."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from sapper._util.arguments import whole
from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["Selection"]

_CONDITIONS = {
    "player": "player = ?",
    "bot": "bot = ?",
    "rules": "rules = ?",
    "variant": "variant = ?",
    "level": "level = ?",
    "won": "won = ?",
    "since_ms": "finished_ms >= ?",
    "until_ms": "finished_ms < ?",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Games with all the given properties; None means any.

    Attributes:
        player: Name of the player.
        bot: Name of the bot; empty for people.
        rules: The rule set.
        variant: The variant of the rules; empty for the usual games.
        level: The level, as text.
        won: Whether the games were won.
        helped: True for games with help, False for those without.
        since_ms: Earliest end time in milliseconds since 1970.
        until_ms: The games ended before this time, in milliseconds since 1970.

    Raises:
        BadSetting: If a property has the wrong type, or a time is negative.
    """

    player: str | None = None
    bot: str | None = None
    rules: str | None = None
    variant: str | None = None
    level: str | None = None
    won: bool | None = None
    helped: bool | None = None
    since_ms: int | None = None
    until_ms: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if field.name in ("since_ms", "until_ms"):
                object.__setattr__(self, field.name, whole(value, field.name, most=2**63 - 1))
            elif field.name in ("won", "helped"):
                if not isinstance(value, bool):
                    raise BadSetting(
                        f"{field.name} must be True, False or None, got {shown(value)}"
                    )
            elif not isinstance(value, str):
                raise BadSetting(f"{field.name} must be text or None, got {shown(value)}")

    def sql(self) -> tuple[str, list[Any]]:
        """Return the condition and the values of its placeholders."""
        parts, values = ["true"], []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if field.name == "helped":
                parts.append("helped <> ''" if value else "helped = ''")
                continue
            parts.append(_CONDITIONS[field.name])
            values.append(value)
        return " AND ".join(parts), values
