"""All limits of the server: per window, game, address and request, and in total."""

from __future__ import annotations

from typing import Final

# Time.

JOB_BUDGET_S: Final = 2.0
"""Time limit for a job, such as dealing a board, before the player gets an error."""
START_BUDGET_S: Final = 10.0
"""Time for starting the first worker process, which does not count towards a job's time."""
ANALYSIS_BUDGET_S: Final = 10.0
"""Time limit for analysing a large board in a worker process, after which it is skipped."""
MEASURING_BUDGET_S: Final = 60.0
"""Time limit for finding the guesses of a finished game in a worker process."""
REVIEW_BUDGET_S: Final = 60.0
"""Time limit for a review in a worker process; partial results are shown."""
ROOM_BUDGET_S: Final = 10.0
"""Time limit for dealing the board of a room before its host gets an error."""
CLAIM_BUDGET_S: Final = 3.0
"""Time limit for getting a session from another worker before the player gets an error."""
LOADING_BUDGET_S: Final = 30.0
"""Time limit for loading a saved game before the player gets an error."""
IMPORT_BUDGET_S: Final = 300.0
"""Time limit for reading and playing the games of a file."""
EXPORT_BUDGET_S: Final = 60.0
"""Time limit for the replays of a batch of games in an export, which are then left out."""
CHANCES_BUDGET_S: Final = 2.0
"""Time limit for exact analysis on the analysis board, after which chances are estimated."""
STUDY_BUDGET_S: Final = 30.0
"""Time limit for win chances and for reading a file on the analysis board."""
ARRANGE_BUDGET_S: Final = 60.0
"""Time limit for finding an arrangement on the analysis board."""
MOMENT_S: Final = 0.2
"""Time limit of a job in a process for quick jobs, after which it restarts as a long job."""
SLOW_S: Final = 10.0
"""Duration from which later jobs of the same kind and visitor start as long jobs."""
PROVIDER_TIMEOUT_S: Final = 10.0
"""Time limit for the requests of a sign-in to the provider of single sign-on."""
TURN_BUDGET_S: Final = 30.0
"""Time that a long job waits for the visitor's other one."""
HEADER_TIMEOUT_S: Final = 10.0
"""Time limit for a connection to send the headers of a request."""
BODY_TIMEOUT_S: Final = 30.0
"""Maximum pause within the body of a request."""
UNREAD_TIMEOUT_S: Final = 30.0
"""Time after which a connection with a full, unread send buffer is dropped."""

# Per window.

OUTBOX_MESSAGES: Final = 256
"""Maximum number of messages waiting for one window; another one closes it."""
OUTBOX_BYTES: Final = 4 * 2**20
"""Maximum number of characters waiting for one window; more close it."""
TUNNEL_MESSAGES: Final = 1_024
"""Maximum number of unread messages of a connection between workers; another one closes it."""
TUNNEL_BYTES: Final = 64 * 2**20
"""Maximum bytes of unread messages of a connection between workers; more close it."""
MESSAGES_PER_S: Final = 200.0
"""Messages read from one window per second; faster messages are delayed, not rejected."""
MESSAGE_BURST: Final = 400
"""Messages that a window may send at once before `MESSAGES_PER_S` applies."""
SLOWEST_MS: Final = 5_000
"""The longest wait between two actions of a bot, in milliseconds."""
MESSAGE_CHARACTERS: Final = 200_000
"""Maximum length of a message, sufficient for a shared position of the largest board."""

OVERLAY_CHARACTERS: Final = 3 * 2**20
"""Maximum length of an overlay, which may have hundreds of thousands of chances on a big board."""

ROOM_MESSAGES_PER_S: Final = 50.0
"""Messages read per second from all windows of one visitor; faster messages are delayed."""
ROOM_MESSAGE_BURST: Final = 100
"""Messages that a visitor may send at once before `ROOM_MESSAGES_PER_S` applies."""
ROOM_MESSAGE_CHARACTERS: Final = 1_000
"""Maximum length of a message from a room window."""

# Per room of several people.

ROOM_WINDOWS: Final = 800
"""Number of windows in a room above which only its players may open another one."""
ROOM_WINDOWS_PER_VISITOR: Final = 8
"""Maximum number of windows of one visitor in a room."""
ROOM_CHANGES_PER_S: Final = 0.2
"""How often per second a visitor may join a room, in all rooms together, and the burst size."""
ROOM_CHANGES_BURST: Final = 20
ROOM_MEMBERS_S: Final = 0.2
"""Minimum time between two lists of the members of a small room, except in answers."""
ROOM_MEMBERS_EACH_S: Final = 0.01
"""Additional time for each member."""
ROOM_EVENTS: Final = 200
"""Number of events after which a room is saved as a whole."""
ROOM_SAVED_S: Final = 5.0
"""A room in which something happens is saved as a whole after this time."""
ROOM_IDLE_S: Final = 600.0
"""Time without a window after which a room in which no game is running is removed."""
ROOM_QUIET_S: Final = 10_800.0
"""Time without a message from its windows after which a room is removed."""
ROOM_PLAYERS: Final = 1_000
"""Number of players that a room remembers after they have left, besides those of its game."""
ROOM_ACTIONS: Final = 10_000
"""Maximum number of actions of one player in a game of a room; further ones are rejected."""

# Per game.

CELLS: Final = 1_000_000
"""Largest board in a browser, in cells."""
SMALL_CELLS: Final = 10_000
"""Larger boards are *big*: drawn on a canvas, supported only by rule sets that deal without
analysis, and without bots, reviews, guess counts and the analysis board."""
ACTIONS: Final = 10_000
"""Maximum number of actions per game, including undone ones."""
POINTER_POINTS: Final = 40_000
"""Maximum number of pointer path points per game: half an hour of constant movement."""
CELLS_PER_ACTION: Final = 4
"""A big board allows one action per this many cells if that exceeds `ACTIONS`."""

REVIEWS_PER_SESSION: Final = 2
"""Maximum number of concurrent reviews per browser; more are rejected."""

# Limits per IP address; behind a trusted proxy, that is the forwarded address of the visitor. Local
# addresses are exempt, because local programs do not need a server to exhaust the machine's memory.

WINDOWS_PER_ADDRESS: Final = 64
"""Maximum number of open windows per address."""
NEW_SESSIONS_PER_ADDRESS: Final = 100
"""Number of sessions that an address may start at once; every ten seconds allow another one."""
NEW_SESSIONS_PER_S: Final = 0.1

NEW_ROOMS_PER_S: Final = 0.05
"""New rooms per second and address, and the burst size."""
NEW_ROOMS_BURST: Final = 20
ROOM_REQUESTS_PER_S: Final = 2.0
"""Requests and windows with a room code per second and address, and the burst size; they
also bound how many codes can be guessed."""
ROOM_REQUESTS_BURST: Final = 100
ROOM_MESSAGES_OF_ADDRESS_PER_S: Final = 400.0
"""Messages read from all room windows per second and address, and the burst size; faster messages
are delayed. A class of 50 people needs half of it in a race."""
ROOM_MESSAGES_OF_ADDRESS_BURST: Final = 800
ROOM_CHANGES_OF_ADDRESS_PER_S: Final = 1.0
"""How often per second the visitors of an address may join a room, and the burst size."""
ROOM_CHANGES_OF_ADDRESS_BURST: Final = 120
ROOM_LISTS_PER_S: Final = 20.0
"""Requests for the room list and the menu per second and address, and the burst size."""
ROOM_LISTS_BURST: Final = 200

CONNECTIONS_PER_ADDRESS: Final = 200
"""Maximum number of open connections per address."""
UPLOADS_PER_ADDRESS: Final = 40 * 2**20
"""Maximum bytes of an address's requests in memory: one of the largest files and small ones."""

LOOKS_PER_S: Final = 30.0
"""Positions analysed per second and address, and the burst size."""
LOOKS_BURST: Final = 150
STUDIES_PER_S: Final = 5.0
"""Win chances, arrangements and files per second and address, and the burst size."""
STUDIES_BURST: Final = 60

ACCOUNT_REQUESTS_PER_S: Final = 5.0
"""Requests about accounts per second and address, and the burst size."""
ACCOUNT_REQUESTS_BURST: Final = 60
SIGN_INS_PER_S: Final = 0.2
"""Steps of claims and sign-ins per second and address, and the burst size."""
SIGN_INS_BURST: Final = 40
NEW_ACCOUNTS_PER_S: Final = 1 / 360
"""New accounts per second and address, and the burst size."""
NEW_ACCOUNTS_BURST: Final = 20

STANDING_PER_S: Final = 10.0
"""Requests about leaderboards, profiles, public games and tournaments per second and address, and
the burst size."""
STANDING_BURST: Final = 60

# Per request.

POSITION_BYTES: Final = 200_000
"""Maximum size of a position in bytes, sufficient for the largest board."""
FILE_BYTES: Final = 8 * 2**20
"""Maximum size of a file: a screenshot, a position of another program, or a replay."""
REPLAY_BYTES_AT_ONCE: Final = 2**18
"""Longer replays are read in a process; nearly all are shorter and take milliseconds."""
REPLAY_EVENTS: Final = 200_000
"""Maximum number of events of a replay in the browser: hours of play."""
HISTORY_BYTES: Final = 32 * 2**20
"""Maximum size of an imported file of games: several thousand games."""
IMPORTED_GAMES: Final = 200_000
"""Maximum number of games in such a file."""
IMPORT_BYTES: Final = 192 * 2**20
"""Memory for reading such a file, in addition to the program."""
IMPORTS: Final = 2
"""Maximum number of such files read concurrently, for all visitors together."""
FILES: Final = 8
"""Maximum number of such files that are waiting or being read; more are rejected."""
FILES_PER_ADDRESS: Final = 4
"""Maximum number of such files per address."""

# Limits for long jobs: analyses, reviews and files.

QUICK_PROCESSES: Final = 2
"""Number of processes for quick jobs."""
LONG_PROCESSES: Final = 3
"""Number of processes for long jobs: one more than an address may use."""
QUICK_PER_ADDRESS: Final = 2
"""Maximum number of concurrent quick jobs per address, with one per visitor."""
LONG_PER_ADDRESS: Final = 2
"""Maximum number of concurrent long jobs per address, with one per visitor."""
WAITING_TURNS: Final = 20
"""Maximum number of a visitor's waiting jobs; more are rejected."""
LONG_JOB_BYTES: Final = 2**30
"""Memory limit of such a job."""

# In total.

WINDOWS: Final = 2_000
"""Maximum number of open windows."""
CONNECTIONS: Final = 2_500
"""Maximum number of open connections, fewer if there are not enough file descriptors."""
UPLOADS: Final = 128 * 2**20
"""Maximum bytes of all requests in memory."""
WINDOW_BYTES: Final = 2**18
"""Maximum size of a message from a window in bytes; a larger one closes the window."""
UNFINISHED_BYTES: Final = 64 * 2**20
"""Maximum bytes of unfinished messages in total; beyond it, the largest window is closed."""
ACCEPT_BACKLOG: Final = 128
"""Number of connections that the system queues, and that are accepted at once."""
SESSIONS_IN_MEMORY: Final = 500
"""Number of sessions above which those without a window, already saved, leave memory."""
BIG_CELLS: Final = 20_000_000
"""Maximum cells of all big boards in memory, at about 60 bytes each."""
ROOMS: Final = 500
"""Maximum number of open rooms of several people in memory."""
ROOMS_PER_VISITOR: Final = 5
"""Maximum number of open rooms made by one visitor."""
ROOMS_LISTED: Final = 100
"""Maximum number of rooms in the list of public rooms."""
RECORDING_KEPT_S: Final = 30 * 86_400.0
"""Time after which the recording of a game in a room is deleted."""
RECORDINGS: Final = 2_000
"""Number of recordings in an SQLite file above which the oldest are deleted."""
RECORDINGS_ON_A_SERVER: Final = 200_000
"""The same number for PostgreSQL."""
SESSIONS_STORED: Final = 20_000
"""Number of sessions in an SQLite file above which those saved longest ago are deleted."""
SESSIONS_STORED_ON_A_SERVER: Final = 1_000_000
"""The same number for PostgreSQL."""
GAMES_PER_VISITOR: Final = 200_000
"""Number of games above which a visitor's oldest games are deleted, starting with bots'."""
FILE_DESCRIPTORS: Final = 16_384
"""The limit on open files that the server requests."""
PROVIDER_REQUESTS: Final = 20
"""Maximum number of sign-ins that use the provider of single sign-on concurrently."""
WAITING_JOBS: Final = 1_000
"""Maximum number of jobs queued for the worker threads; more are rejected immediately."""
