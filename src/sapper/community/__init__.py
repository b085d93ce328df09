"""Rooms, standings and tournaments, for several people together."""

from sapper._util.glicko2 import Rating
from sapper.community.arena import Arena, ArenaSettings, Pairing, Standing
from sapper.community.bot_pace import STRENGTHS, BotSettings
from sapper.community.errors import NotAMember, NotTheHost, RoomFull
from sapper.community.fair_play import Luck, PlayFigures, luck_of, play_figures
from sapper.community.flags import Flags, FlagsPhase, FlagsSettings
from sapper.community.flags_advice import FlagsAdvice, advise_flags
from sapper.community.flags_bot import FlagsChoice, best_move
from sapper.community.flags_game import FLAGS_LEVEL, FlagsGame, FlagsMove
from sapper.community.flags_review import FlagsDecision, review_flags
from sapper.community.following import FollowList
from sapper.community.leaderboards import (
    Entry,
    Measure,
    Period,
    Ranked,
    board_name,
    entry_of,
    leaderboard,
)
from sapper.community.members import Member
from sapper.community.message import Message
from sapper.community.phrases import PHRASES, Phrase
from sapper.community.race import Race, RacePhase
from sapper.community.race_result import RaceResult, RacerStatus, in_order
from sapper.community.race_settings import Boards, Mine, RaceSettings
from sapper.community.ratings import is_provisional, rated_game, rating_list
from sapper.community.recorded_game import game_in
from sapper.community.room import Room
from sapper.community.rooms import ROOMS, load_room
from sapper.community.shared_board import SharedBoard, SharedBoardSettings, SharedPhase

__all__ = [
    "FLAGS_LEVEL",
    "PHRASES",
    "ROOMS",
    "STRENGTHS",
    "Arena",
    "ArenaSettings",
    "Boards",
    "BotSettings",
    "Entry",
    "Flags",
    "FlagsAdvice",
    "FlagsChoice",
    "FlagsDecision",
    "FlagsGame",
    "FlagsMove",
    "FlagsPhase",
    "FlagsSettings",
    "FollowList",
    "Luck",
    "Measure",
    "Member",
    "Message",
    "Mine",
    "NotAMember",
    "NotTheHost",
    "Pairing",
    "Period",
    "Phrase",
    "PlayFigures",
    "Race",
    "RacePhase",
    "RaceResult",
    "RaceSettings",
    "RacerStatus",
    "Ranked",
    "Rating",
    "Room",
    "RoomFull",
    "SharedBoard",
    "SharedBoardSettings",
    "SharedPhase",
    "Standing",
    "advise_flags",
    "best_move",
    "board_name",
    "entry_of",
    "game_in",
    "in_order",
    "is_provisional",
    "leaderboard",
    "load_room",
    "luck_of",
    "play_figures",
    "rated_game",
    "rating_list",
    "review_flags",
]
