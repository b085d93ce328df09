BEGIN TRANSACTION;
CREATE TABLE account_names (
    look TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    until_ms INTEGER
);
INSERT INTO "account_names" VALUES('ann-look','acc-ann-1',NULL);
INSERT INTO "account_names" VALUES('former ann-look','acc-ann-1',4398046511104);
INSERT INTO "account_names" VALUES('bob-look','acc-bob-2',NULL);
INSERT INTO "account_names" VALUES('former bob-look','acc-bob-2',4398046511104);
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    renamed_ms INTEGER
);
INSERT INTO "accounts" VALUES('acc-ann-1','annA_-annA_-annA_-annA_-','Anñ',1,1);
INSERT INTO "accounts" VALUES('acc-bob-2','bobB_-bobB_-bobB_-bobB_-','Bobñ',1,1);
CREATE TABLE actions (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
INSERT INTO "actions" VALUES('annA_-annA_-annA_-annA_-',1,'action-50');
INSERT INTO "actions" VALUES('annA_-annA_-annA_-annA_--unreadable-0011aabb',1,'action-50');
INSERT INTO "actions" VALUES('bobB_-bobB_-bobB_-bobB_-',1,'action-51');
INSERT INTO "actions" VALUES('bobB_-bobB_-bobB_-bobB_--unreadable-0011aabb',1,'action-51');
CREATE TABLE announcements (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    event_ms INTEGER,
    restart INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
);
INSERT INTO "announcements" VALUES('id-50','Welcome',1,1,1,1);
INSERT INTO "announcements" VALUES('id-51','Welcome',1,1,1,1);
CREATE TABLE bans (
    account TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    until_ms INTEGER
);
INSERT INTO "bans" VALUES('acc-ann-1','Anñ cheats',1,4398046511104);
INSERT INTO "bans" VALUES('acc-bob-2','Bobñ cheats',1,4398046511104);
CREATE TABLE bests (
    board TEXT NOT NULL,
    period TEXT NOT NULL,
    measure TEXT NOT NULL,
    player TEXT NOT NULL,
    value REAL NOT NULL,
    finished_ms INTEGER NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (board, period, measure, player)
) WITHOUT ROWID;
INSERT INTO "bests" VALUES('board-50','all','time','annA_-annA_-annA_-annA_-',0.5,1,'key-50');
INSERT INTO "bests" VALUES('board-51','all','time','bobB_-bobB_-bobB_-bobB_-',0.5,1,'key-51');
CREATE TABLE dailies (
    session TEXT NOT NULL,
    day TEXT NOT NULL,
    won INTEGER NOT NULL,
    seconds REAL NOT NULL,
    bbbv INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    helped TEXT,
    game TEXT NOT NULL,
    PRIMARY KEY (session, day)
) WITHOUT ROWID;
INSERT INTO "dailies" VALUES('annA_-annA_-annA_-annA_-','day-50',1,0.5,1,1,'helped-50','key-50');
INSERT INTO "dailies" VALUES('bobB_-bobB_-bobB_-bobB_-','day-51',1,0.5,1,1,'helped-51','key-51');
CREATE TABLE daily_starts (
    session TEXT NOT NULL,
    day TEXT NOT NULL,
    PRIMARY KEY (session, day)
) WITHOUT ROWID;
INSERT INTO "daily_starts" VALUES('annA_-annA_-annA_-annA_-','day-50');
INSERT INTO "daily_starts" VALUES('bobB_-bobB_-bobB_-bobB_-','day-51');
CREATE TABLE entries (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    board TEXT NOT NULL,
    finished_ms INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    bbbv INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    -- The id of its public page.
    link TEXT NOT NULL,
    -- Why the operator has withdrawn it, or NULL.
    withdrawn TEXT,
    -- The figures for fair play as JSON, empty if they cannot be computed, NULL until they are.
    figures TEXT,
    PRIMARY KEY (player, game)
) WITHOUT ROWID;
INSERT INTO "entries" VALUES('annA_-annA_-annA_-annA_-','key-50','board-50',1,1,1,1,'link-50',NULL,NULL);
INSERT INTO "entries" VALUES('bobB_-bobB_-bobB_-bobB_-','key-51','board-51',1,1,1,1,'link-51',NULL,NULL);
CREATE TABLE follows (
    player TEXT NOT NULL,
    followed TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (player, followed)
) WITHOUT ROWID;
INSERT INTO "follows" VALUES('annA_-annA_-annA_-annA_-','bobB_-bobB_-bobB_-bobB_-',1);
INSERT INTO "follows" VALUES('bobB_-bobB_-bobB_-bobB_-','annA_-annA_-annA_-annA_-',1);
CREATE TABLE games (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    finished_ms INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    player TEXT NOT NULL,
    bot TEXT NOT NULL,
    rules TEXT NOT NULL,
    variant TEXT NOT NULL,
    level TEXT NOT NULL,
    first_click TEXT NOT NULL,
    won INTEGER NOT NULL,
    helped TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    bbbv INTEGER NOT NULL,
    solved INTEGER,
    clicks INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    forced_guesses INTEGER,
    needless_guesses INTEGER,
    risk REAL,
    -- 0: not yet; 1: done; 2: it failed.
    measured INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID;
INSERT INTO "games" VALUES('annA_-annA_-annA_-annA_-','key-50',1700000000000,1,'Anñ','','rules-50','variant-50','level-50','first_click-50',1,'helped-50',1,1,1,1,1,1,1,0.5,1);
INSERT INTO "games" VALUES('bobB_-bobB_-bobB_-bobB_-','key-51',1700000000000,1,'Bobñ','','rules-51','variant-51','level-51','first_click-51',1,'helped-51',1,1,1,1,1,1,1,0.5,1);
CREATE TABLE history_version (version INTEGER PRIMARY KEY);
INSERT INTO "history_version" VALUES(1);
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
);
INSERT INTO "identities" VALUES('issuer-50','subject-50','acc-ann-1',1);
INSERT INTO "identities" VALUES('issuer-51','subject-51','acc-bob-2',1);
CREATE TABLE lessons_done (
    player TEXT NOT NULL,
    board TEXT NOT NULL,
    PRIMARY KEY (player, board)
) WITHOUT ROWID;
INSERT INTO "lessons_done" VALUES('annA_-annA_-annA_-annA_-','board-50');
INSERT INTO "lessons_done" VALUES('bobB_-bobB_-bobB_-bobB_-','board-51');
CREATE TABLE logins (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    device TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL
);
INSERT INTO "logins" VALUES('digest-50','acc-ann-1','device-50',1,4398046511104);
INSERT INTO "logins" VALUES('digest-51','acc-bob-2','device-51',1,4398046511104);
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
INSERT INTO "meta" VALUES('secret',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO "meta" VALUES('name-50',X'3232323232323232323232323232323232323232323232323232323232323232');
INSERT INTO "meta" VALUES('name-51',X'3333333333333333333333333333333333333333333333333333333333333333');
CREATE TABLE mistakes (
    player TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The key of the game in the history, or the day of a daily board.
    game TEXT NOT NULL,
    mistake TEXT NOT NULL,
    added REAL NOT NULL,
    -- When it was answered last, and the days of the last answers, right and wrong.
    answered REAL,
    right_day TEXT,
    missed_day TEXT NOT NULL,
    right_days INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) WITHOUT ROWID;
INSERT INTO "mistakes" VALUES('annA_-annA_-annA_-annA_-','id-50','key-50','{"id": "d8202d2398b1acf5", "question": "safe", "cell": [0, 1], "move": 3, "position": {"width": 4, "height": 2, "mines": 2, "rows": ["....", "1221"]}}',0.5,0.5,'right_day-50','missed_day-50',1);
INSERT INTO "mistakes" VALUES('bobB_-bobB_-bobB_-bobB_-','id-51','key-51','{"id": "d8202d2398b1acf5", "question": "safe", "cell": [0, 1], "move": 3, "position": {"width": 4, "height": 2, "mines": 2, "rows": ["....", "1221"]}}',0.5,0.5,'right_day-51','missed_day-51',1);
CREATE TABLE moves (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID;
INSERT INTO "moves" VALUES('annA_-annA_-annA_-annA_-','key-50',X'789CAB564AAA54B2525072CC8B293530483354AA0500316C052D');
INSERT INTO "moves" VALUES('bobB_-bobB_-bobB_-bobB_-','key-51',X'789CAB564AAA54B2525072CA4F8A293530483354AA050037B90591');
CREATE TABLE owners (
    session TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    token INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "owners" VALUES('annA_-annA_-annA_-annA_-','worker-50',1);
INSERT INTO "owners" VALUES('bobB_-bobB_-bobB_-bobB_-','worker-51',1);
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    public_key TEXT NOT NULL,
    sign_count INTEGER NOT NULL,
    transports TEXT NOT NULL,
    device TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    used_ms INTEGER,
    locked_ms INTEGER
);
INSERT INTO "passkeys" VALUES('69642d3530','acc-ann-1','AAAA',1,'transports-50','device-50',1,1,1);
INSERT INTO "passkeys" VALUES('69642d3531','acc-bob-2','AAAA',1,'transports-51','device-51',1,1,1);
CREATE TABLE pattern_cards (
    player TEXT NOT NULL,
    pattern TEXT NOT NULL,
    added_day TEXT NOT NULL,
    due REAL NOT NULL,
    reviewed REAL NOT NULL,
    state INTEGER NOT NULL,
    step INTEGER,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    -- Of the right answers.
    seconds REAL NOT NULL,
    PRIMARY KEY (player, pattern)
) WITHOUT ROWID;
INSERT INTO "pattern_cards" VALUES('annA_-annA_-annA_-annA_-','pattern-50','added_day-50',0.5,0.5,1,1,0.5,0.5,0.5,0.5,0.5,1,1,0.5);
INSERT INTO "pattern_cards" VALUES('bobB_-bobB_-bobB_-bobB_-','pattern-51','added_day-51',0.5,0.5,1,1,0.5,0.5,0.5,0.5,0.5,1,1,0.5);
CREATE TABLE pattern_counts (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    pattern TEXT NOT NULL,
    seen INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (owner, key, pattern)
) WITHOUT ROWID;
INSERT INTO "pattern_counts" VALUES('annA_-annA_-annA_-annA_-','key-50','pattern-50',1,1,1);
INSERT INTO "pattern_counts" VALUES('bobB_-bobB_-bobB_-bobB_-','key-51','pattern-51',1,1,1);
CREATE TABLE pattern_days (
    player TEXT NOT NULL,
    day TEXT NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (player, day)
) WITHOUT ROWID;
INSERT INTO "pattern_days" VALUES('annA_-annA_-annA_-annA_-','day-50',1,1,0.5);
INSERT INTO "pattern_days" VALUES('bobB_-bobB_-bobB_-bobB_-','day-51',1,1,0.5);
CREATE TABLE pattern_players (
    player TEXT PRIMARY KEY,
    exercise TEXT NOT NULL,
    served REAL NOT NULL,
    chosen TEXT NOT NULL
);
INSERT INTO "pattern_players" VALUES('annA_-annA_-annA_-annA_-','exercise-50',0.5,'chosen-50');
INSERT INTO "pattern_players" VALUES('bobB_-bobB_-bobB_-bobB_-','exercise-51',0.5,'chosen-51');
CREATE TABLE profiles (
    player TEXT PRIMARY KEY,
    private INTEGER NOT NULL
);
INSERT INTO "profiles" VALUES('annA_-annA_-annA_-annA_-',1);
INSERT INTO "profiles" VALUES('bobB_-bobB_-bobB_-bobB_-',1);
CREATE TABLE public_games (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    shared_ms INTEGER NOT NULL,
    listed INTEGER NOT NULL
);
INSERT INTO "public_games" VALUES('id-50','annA_-annA_-annA_-annA_-','key-50',1,1);
INSERT INTO "public_games" VALUES('id-51','bobB_-bobB_-bobB_-bobB_-','key-51',1,1);
CREATE TABLE puzzle_answers (
    player TEXT NOT NULL,
    number INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    solved INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    seconds REAL NOT NULL,
    timed INTEGER NOT NULL,
    PRIMARY KEY (player, number)
) WITHOUT ROWID;
INSERT INTO "puzzle_answers" VALUES('annA_-annA_-annA_-annA_-',1,'puzzle-50',1,0.5,0.5,0.5,1);
INSERT INTO "puzzle_answers" VALUES('bobB_-bobB_-bobB_-bobB_-',1,'puzzle-51',1,0.5,0.5,0.5,1);
CREATE TABLE puzzle_ratings (
    puzzle TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL
);
INSERT INTO "puzzle_ratings" VALUES('puzzle-50',0.5,0.5,0.5);
INSERT INTO "puzzle_ratings" VALUES('puzzle-51',0.5,0.5,0.5);
CREATE TABLE rated_rounds (
    id TEXT PRIMARY KEY,
    finished_ms INTEGER NOT NULL
);
INSERT INTO "rated_rounds" VALUES('id-50',1);
INSERT INTO "rated_rounds" VALUES('id-51',1);
CREATE TABLE rating_changes (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    number INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (player, list, number)
) WITHOUT ROWID;
INSERT INTO "rating_changes" VALUES('annA_-annA_-annA_-annA_-','list-50',1,0.5,0.5,1);
INSERT INTO "rating_changes" VALUES('bobB_-bobB_-bobB_-bobB_-','list-51',1,0.5,0.5,1);
CREATE TABLE ratings (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (player, list)
) WITHOUT ROWID;
INSERT INTO "ratings" VALUES('annA_-annA_-annA_-annA_-','list-50',0.5,0.5,0.5,1,1);
INSERT INTO "ratings" VALUES('bobB_-bobB_-bobB_-bobB_-','list-51',0.5,0.5,0.5,1,1);
CREATE TABLE recordings (
    code TEXT NOT NULL,
    game INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    recording TEXT NOT NULL,
    PRIMARY KEY (code, game)
) WITHOUT ROWID;
INSERT INTO "recordings" VALUES('code-50',1,4398046511104,'{"code": "ABCDEF", "members": [{"number": 0, "colour": 0, "name": "An\u00f1", "plays": true, "bot": null}, {"number": 1, "colour": 1, "name": "Bob\u00f1", "plays": true, "bot": null}], "recording": {"kind": "race", "results": [{"number": 0, "place": 1, "time_ms": 9}, {"number": 1, "place": 2, "time_ms": 9}]}}');
INSERT INTO "recordings" VALUES('code-51',1,4398046511104,'{"code": "ABCDEF", "members": [{"number": 0, "colour": 0, "name": "Bob\u00f1", "plays": true, "bot": null}, {"number": 1, "colour": 1, "name": "An\u00f1", "plays": true, "bot": null}], "recording": {"kind": "race", "results": [{"number": 0, "place": 1, "time_ms": 9}, {"number": 1, "place": 2, "time_ms": 9}]}}');
CREATE TABLE recovery_codes (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL
);
INSERT INTO "recovery_codes" VALUES('digest-50','acc-ann-1');
INSERT INTO "recovery_codes" VALUES('digest-51','acc-bob-2');
CREATE TABLE removed_players (
    player TEXT PRIMARY KEY,
    removed_ms INTEGER NOT NULL
);
INSERT INTO "removed_players" VALUES('xxxxxxxxxxxxxxxxxxxxxxxx',5);
CREATE TABLE replay_files (
    owner TEXT NOT NULL,
    digest BLOB NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
) WITHOUT ROWID;
INSERT INTO "replay_files" VALUES('annA_-annA_-annA_-annA_-',X'323232','key-50');
INSERT INTO "replay_files" VALUES('bobB_-bobB_-bobB_-bobB_-',X'333333','key-51');
CREATE TABLE room_events (
    code TEXT NOT NULL,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (code, number)
) WITHOUT ROWID;
INSERT INTO "room_events" VALUES('code-50',0,'[5, "away", "annA_-annA_-annA_-annA_-"]');
INSERT INTO "room_events" VALUES('code-50',1,'[5, "join", "xxxxxxxxxxxxxxxxxxxxxxxx", "Guest 3", false]');
INSERT INTO "room_events" VALUES('code-50',2,'[5, "back", "annA_-annA_-annA_-annA_-"]');
INSERT INTO "room_events" VALUES('code-50',3,'[5, "join", "annA_-annA_-annA_-annA_-", "An\u00f1", false]');
INSERT INTO "room_events" VALUES('code-51',0,'[5, "away", "bobB_-bobB_-bobB_-bobB_-"]');
INSERT INTO "room_events" VALUES('code-51',1,'[5, "join", "xxxxxxxxxxxxxxxxxxxxxxxx", "Guest 3", false]');
INSERT INTO "room_events" VALUES('code-51',2,'[5, "back", "bobB_-bobB_-bobB_-bobB_-"]');
INSERT INTO "room_events" VALUES('code-51',3,'[5, "join", "bobB_-bobB_-bobB_-bobB_-", "Bob\u00f1", false]');
CREATE TABLE rooms (
    code TEXT PRIMARY KEY,
    maker TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    summary TEXT NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "rooms" VALUES('code-50','annA_-annA_-annA_-annA_-',1,1,'{"host": "An\u00f1"}','{"info": {"code": "Rn-1", "id": "Rn-1-93774037737b", "maker": "annA_-annA_-annA_-annA_-", "made_ms": 1795867474042, "public": false, "tournament": "CUP", "race": 1, "starts_by_ms": 5}, "room": {"kind": "race", "settings": {"level": "beginner", "rules": "no-guess", "best_of": 1, "mine": "freeze", "rated": false, "most": 50, "freeze_ms": 5000, "countdown_ms": 5000, "late_ms": 30000, "silence_ms": 60000, "limit_ms": 900000, "break_ms": 10000}, "phase": "waiting", "seed": 5, "time_ms": 0, "members": {"next": 2, "members": [{"id": "annA_-annA_-annA_-annA_-", "name": "An\u00f1", "number": 0, "colour": 0, "plays": true, "connected": false, "bot": null}, {"id": "bobB_-bobB_-bobB_-bobB_-", "name": "Bob\u00f1", "number": 1, "colour": 1, "plays": true, "connected": false, "bot": null}]}, "late": [], "past": [], "rounds": 0, "matches": 0, "wins": [], "phase_ends_ms": 0, "told_ms": -200, "round": null, "bots": []}, "games": 0, "actions": 0, "players": [[0, "annA_-annA_-annA_-annA_-", {"number": 0, "colour": 0, "name": "An\u00f1", "plays": true, "connected": false, "bot": null, "strength": null}], [1, "bobB_-bobB_-bobB_-bobB_-", {"number": 1, "colour": 1, "name": "Bob\u00f1", "plays": true, "connected": true, "bot": null, "strength": null}]], "unconfirmed": [["id:1", "race", "beginner", true, 5, {"annA_-annA_-annA_-annA_-": 1, "bobB_-bobB_-bobB_-bobB_-": 2}, {"annA_-annA_-annA_-annA_-": 9}, "", 0]]}');
INSERT INTO "rooms" VALUES('code-51','bobB_-bobB_-bobB_-bobB_-',1,1,'{"host": "Bob\u00f1"}','{"info": {"code": "Rb-2", "id": "Rb-2-4a7631898357", "maker": "bobB_-bobB_-bobB_-bobB_-", "made_ms": 1795867474058, "public": false, "tournament": "CUP", "race": 1, "starts_by_ms": 5}, "room": {"kind": "race", "settings": {"level": "beginner", "rules": "no-guess", "best_of": 1, "mine": "freeze", "rated": false, "most": 50, "freeze_ms": 5000, "countdown_ms": 5000, "late_ms": 30000, "silence_ms": 60000, "limit_ms": 900000, "break_ms": 10000}, "phase": "waiting", "seed": 5, "time_ms": 0, "members": {"next": 2, "members": [{"id": "bobB_-bobB_-bobB_-bobB_-", "name": "Bob\u00f1", "number": 0, "colour": 0, "plays": true, "connected": false, "bot": null}, {"id": "annA_-annA_-annA_-annA_-", "name": "An\u00f1", "number": 1, "colour": 1, "plays": true, "connected": false, "bot": null}]}, "late": [], "past": [], "rounds": 0, "matches": 0, "wins": [], "phase_ends_ms": 0, "told_ms": -200, "round": null, "bots": []}, "games": 0, "actions": 0, "players": [[0, "bobB_-bobB_-bobB_-bobB_-", {"number": 0, "colour": 0, "name": "Bob\u00f1", "plays": true, "connected": false, "bot": null, "strength": null}], [1, "annA_-annA_-annA_-annA_-", {"number": 1, "colour": 1, "name": "An\u00f1", "plays": true, "connected": true, "bot": null, "strength": null}]], "unconfirmed": [["id:1", "race", "beginner", true, 5, {"bobB_-bobB_-bobB_-bobB_-": 1, "annA_-annA_-annA_-annA_-": 2}, {"bobB_-bobB_-bobB_-bobB_-": 9}, "", 0]]}');
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    saved INTEGER NOT NULL,
    state TEXT NOT NULL,
    game TEXT
);
INSERT INTO "sessions" VALUES('annA_-annA_-annA_-annA_-',1,'{"questions": true}',NULL);
INSERT INTO "sessions" VALUES('annA_-annA_-annA_-annA_--unreadable-0011aabb',1,'?',NULL);
INSERT INTO "sessions" VALUES('bobB_-bobB_-bobB_-bobB_-',1,'{"questions": true}',NULL);
INSERT INTO "sessions" VALUES('bobB_-bobB_-bobB_-bobB_--unreadable-0011aabb',1,'?',NULL);
CREATE TABLE tournaments (
    code TEXT PRIMARY KEY,
    maker TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    -- When it is due next, NULL once it is over.
    due_ms INTEGER,
    state TEXT NOT NULL
);
INSERT INTO "tournaments" VALUES('code-50','annA_-annA_-annA_-annA_-',1,NULL,1,'{"arena":{"settings":{"name":"Cup","race":{"level":"beginner","rules":"no-guess","best_of":1,"mine":"freeze","rated":false,"most":50,"freeze_ms":5000,"countdown_ms":5000,"late_ms":30000,"silence_ms":60000,"limit_ms":900000,"break_ms":10000},"length_ms":600000,"race_size":4,"wait_ms":10000},"seed":7,"time_ms":89000,"table":[{"player":"annA_-annA_-annA_-annA_-","points":0,"races":0,"wins":0,"streak":0,"best_ms":null,"place":1},{"player":"bobB_-bobB_-bobB_-bobB_-","points":0,"races":0,"wins":0,"streak":0,"best_ms":null,"place":1}],"ready":[],"running":[[1,["annA_-annA_-annA_-annA_-","bobB_-bobB_-bobB_-bobB_-"]]],"races":1},"saved_ms":90000,"rooms":{"1":"ABCDEF"},"pending":[[9,["annA_-annA_-annA_-annA_-","bobB_-bobB_-bobB_-bobB_-"],3],[1,["annA_-annA_-annA_-annA_-","bobB_-bobB_-bobB_-bobB_-"],9568944437033563971]]}');
INSERT INTO "tournaments" VALUES('code-51','bobB_-bobB_-bobB_-bobB_-',1,NULL,1,'{"arena":{"settings":{"name":"Cup","race":{"level":"beginner","rules":"no-guess","best_of":1,"mine":"freeze","rated":false,"most":50,"freeze_ms":5000,"countdown_ms":5000,"late_ms":30000,"silence_ms":60000,"limit_ms":900000,"break_ms":10000},"length_ms":600000,"race_size":4,"wait_ms":10000},"seed":7,"time_ms":89000,"table":[{"player":"bobB_-bobB_-bobB_-bobB_-","points":0,"races":0,"wins":0,"streak":0,"best_ms":null,"place":1},{"player":"annA_-annA_-annA_-annA_-","points":0,"races":0,"wins":0,"streak":0,"best_ms":null,"place":1}],"ready":[],"running":[[1,["bobB_-bobB_-bobB_-bobB_-","annA_-annA_-annA_-annA_-"]]],"races":1},"saved_ms":90000,"rooms":{"1":"ABCDEF"},"pending":[[9,["bobB_-bobB_-bobB_-bobB_-","annA_-annA_-annA_-annA_-"],3],[1,["bobB_-bobB_-bobB_-bobB_-","annA_-annA_-annA_-annA_-"],9568944437033563971]]}');
CREATE TABLE trainees (
    player TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    best_streak INTEGER NOT NULL,
    puzzle TEXT,
    served REAL,
    timed INTEGER NOT NULL,
    focus TEXT NOT NULL
);
INSERT INTO "trainees" VALUES('annA_-annA_-annA_-annA_-',0.5,0.5,0.5,1,1,1,1,'puzzle-50',0.5,1,'focus-50');
INSERT INTO "trainees" VALUES('bobB_-bobB_-bobB_-bobB_-',0.5,0.5,0.5,1,1,1,1,'puzzle-51',0.5,1,'focus-51');
CREATE TABLE used_challenges (
    digest TEXT PRIMARY KEY,
    expires_s INTEGER NOT NULL
);
INSERT INTO "used_challenges" VALUES('digest-50',1);
INSERT INTO "used_challenges" VALUES('digest-51',1);
CREATE INDEX sessions_by_age ON sessions (saved);
CREATE INDEX games_by_time ON games (owner, finished_ms);
CREATE INDEX games_to_measure ON games (bot, finished_ms) WHERE measured = 0;
CREATE INDEX replay_files_by_game ON replay_files (owner, key);
CREATE INDEX games_figures ON games (
    owner, bot, level, rules, helped, won, variant, first_click, time_ms, finished_ms, bbbv,
    solved, clicks, forced_guesses, needless_guesses, risk
);
CREATE INDEX games_by_player ON games (owner, player)
WHERE player <> '' AND bot = '';
CREATE INDEX account_names_by_account ON account_names (account);
CREATE INDEX passkeys_by_account ON passkeys (account);
CREATE INDEX recovery_codes_by_account ON recovery_codes (account);
CREATE INDEX logins_by_account ON logins (account);
CREATE UNIQUE INDEX identities_by_account ON identities (account, issuer);
CREATE INDEX owners_by_worker ON owners (worker);
CREATE UNIQUE INDEX entries_by_link ON entries (link);
CREATE UNIQUE INDEX entries_of_days ON entries (player, board)
WHERE substr(board, 1, 6) = 'daily ';
CREATE INDEX entries_to_measure ON entries (finished_ms) WHERE figures IS NULL;
CREATE INDEX bests_in_order ON bests (
    board, period, measure, value, finished_ms, game
);
CREATE INDEX bests_by_player ON bests (player, period);
CREATE UNIQUE INDEX public_games_by_game ON public_games (player, game);
CREATE INDEX follows_by_followed ON follows (followed);
CREATE INDEX ratings_in_order ON ratings (list, rating);
CREATE INDEX tournaments_by_time ON tournaments (created_ms);
CREATE INDEX tournaments_due ON tournaments (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX tournaments_by_maker ON tournaments (maker, created_ms);
CREATE INDEX rooms_by_maker ON rooms (maker);
CREATE INDEX recordings_by_age ON recordings (finished_ms);
COMMIT;
PRAGMA user_version = 10;
