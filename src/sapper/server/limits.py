"""All limits of the server in one place: per window, per address and in total."""

from __future__ import annotations

from typing import Final

# Time.

JOB_BUDGET_S: Final = 2.0
"""Time limit for a job, such as dealing a board, before the player gets an error."""
START_BUDGET_S: Final = 10.0
"""Time to start the first worker process that does not count towards a job's time."""
ANALYSIS_BUDGET_S: Final = 10.0
"""Time limit for analysing a large board in a worker process; it is skipped then."""
MEASURING_BUDGET_S: Final = 60.0
"""Time limit for finding the guesses of a finished game in a worker process."""
REVIEW_BUDGET_S: Final = 60.0
"""Time limit for a review in a worker process; partial results are shown."""
LOADING_BUDGET_S: Final = 30.0
"""Time limit for loading a saved game before the player gets an error."""
IMPORT_BUDGET_S: Final = 300.0
"""Time limit for reading and playing the games of a file."""
CHANCES_BUDGET_S: Final = 2.0
"""Time limit for exact analysis of a drawn position; then its chances are estimated."""
STUDY_BUDGET_S: Final = 30.0
"""Time limit for win chances and for reading a file on the analysis board."""
ARRANGE_BUDGET_S: Final = 60.0
"""Time limit for finding an arrangement on the analysis board."""
MOMENT_S: Final = 0.2
"""Time limit for a job in a process for quick ones; then it restarts in another."""
SLOW_S: Final = 10.0
"""After a job that took longer, those of its kind and visitor begin in a process for long ones."""
TURN_BUDGET_S: Final = 30.0
"""Time a long job waits for the visitor's other one."""
HEADER_TIMEOUT_S: Final = 10.0
"""Time limit for a connection to send the headers of a request."""
BODY_TIMEOUT_S: Final = 30.0
"""Longest pause in the body of a request."""
UNREAD_TIMEOUT_S: Final = 30.0
"""Time after which a connection with a full, unread send buffer is dropped."""

# One window.

OUTBOX_MESSAGES: Final = 256
"""Messages waiting for one window; one more closes it."""
OUTBOX_BYTES: Final = 4 * 2**20
"""Characters waiting for one window; more close it."""
MESSAGES_PER_S: Final = 200.0
"""Messages read from one window per second; a faster one is read later, not refused."""
MESSAGE_BURST: Final = 400
"""Messages that a window may send at once before `MESSAGES_PER_S` applies."""
MESSAGE_CHARACTERS: Final = 200_000
"""The longest message accepted: enough for a shared position of the largest board."""

OVERLAY_CHARACTERS: Final = 3 * 2**20
"""The longest overlay sent: on a big board it may have hundreds of thousands of chances."""

# One game.

CELLS: Final = 1_000_000
"""The largest board played in a browser."""
SMALL_CELLS: Final = 10_000
"""Larger boards are *big*: drawn on a canvas, and only for rule sets that deal without reasoning;
without bots, reviews, counts of guesses and the analysis board."""
ACTIONS: Final = 10_000
"""The most actions per game, including undone ones."""
POINTER_POINTS: Final = 40_000
"""Points of the pointer's path kept per game: half an hour of moving it all the time."""
CELLS_PER_ACTION: Final = 4
"""A big board allows one action per this many cells, if that is more than `ACTIONS`."""

REVIEWS_PER_SESSION: Final = 2
"""Reviews running at the same time for one browser; more are refused."""

# One address: that of the visitor, if a trusted proxy forwards it. This machine's own addresses are
# exempt, since a local program needs no server to use up memory.

WINDOWS_PER_ADDRESS: Final = 64
"""Windows open at the same time from one address."""
NEW_SESSIONS_PER_ADDRESS: Final = 100
"""Sessions that one address may begin at once; ten seconds give it another one."""
NEW_SESSIONS_PER_S: Final = 0.1

CONNECTIONS_PER_ADDRESS: Final = 200
"""Connections open at the same time from one address."""
UPLOADS_PER_ADDRESS: Final = 40 * 2**20
"""Bytes of requests of one address in memory: one of the largest files, and small ones."""

LOOKS_PER_S: Final = 30.0
"""Positions analysed per second and address, and how many at once."""
LOOKS_BURST: Final = 150
STUDIES_PER_S: Final = 5.0
"""Win chances, arrangements and files per second and address, and how many at once."""
STUDIES_BURST: Final = 60

# One request.

POSITION_BYTES: Final = 200_000
"""The longest position: enough for the largest board."""
FILE_BYTES: Final = 8 * 2**20
"""The largest file read: a screenshot, a position of another program, or a replay."""
REPLAY_BYTES_AT_ONCE: Final = 2**18
"""A longer replay is read in a process; nearly all are shorter, and are read in milliseconds."""
REPLAY_EVENTS: Final = 200_000
"""The most events of a replay in the browser: hours of play."""
HISTORY_BYTES: Final = 32 * 2**20
"""The largest file of games read at once: several thousand games."""
IMPORTED_GAMES: Final = 200_000
"""Games of such a file."""
IMPORT_BYTES: Final = 192 * 2**20
"""Memory for reading such a file, in addition to the program itself."""
IMPORTS: Final = 2
"""Such files read at the same time, of all visitors together."""
FILES: Final = 8
"""Such files that wait or are read at the same time; more are refused."""
FILES_PER_ADDRESS: Final = 4
"""Such files of one address."""

# Long jobs: analyses, reviews and files.

QUICK_PROCESSES: Final = 2
"""Processes for jobs that take a moment."""
LONG_PROCESSES: Final = 3
"""Processes for jobs that take longer: one more than one address may use."""
QUICK_PER_ADDRESS: Final = 2
"""Jobs of one address in the processes for quick ones at the same time, and one of each visitor."""
LONG_PER_ADDRESS: Final = 2
"""Long jobs of one address at the same time, and one of each visitor."""
WAITING_TURNS: Final = 20
"""Jobs of one visitor that wait for another one of theirs; more are refused."""
LONG_JOB_BYTES: Final = 2**30
"""Memory that one such job may use."""

# All together.

WINDOWS: Final = 2_000
"""Windows open at the same time."""
CONNECTIONS: Final = 2_500
"""Connections open at the same time, fewer if there are not enough file descriptors."""
UPLOADS: Final = 128 * 2**20
"""Bytes of all requests in memory."""
WINDOW_BYTES: Final = 2**18
"""The longest message that is received from a window, in bytes; a longer one closes it."""
UNFINISHED_BYTES: Final = 64 * 2**20
"""Bytes of unfinished messages of all windows; with more, the window with most is closed."""
ACCEPT_BACKLOG: Final = 128
"""Connections that the system queues, and the most that are accepted at once."""
SESSIONS_IN_MEMORY: Final = 500
"""Past this, sessions without a window are dropped from memory; they are saved already."""
BIG_CELLS: Final = 20_000_000
"""Cells of all big boards in memory, at about 60 bytes each; a game on one more is refused."""
SESSIONS_STORED: Final = 20_000
"""Past this, the sessions saved longest ago are deleted."""
GAMES_PER_VISITOR: Final = 200_000
"""Past this, a visitor's oldest games are deleted from the history, those of bots first."""
FILE_DESCRIPTORS: Final = 16_384
"""The limit on open files that the server asks the system for."""
WAITING_JOBS: Final = 1_000
"""Jobs queued for the worker threads; more are refused at once."""
