/** Server responses for the History page; see docs/http.md. */

export interface Part {
  /** Its first day. */
  from: string;
  games: number;
  won: number;
  interval: [number, number];
  median_s: number | null;
  bbbv_s: number | null;
}

export interface Statistics {
  games: number;
  won: number;
  interval: [number, number];
  best_s: number | null;
  median_s: number | null;
  recent_s: number[];
  bbbv: number | null;
  bbbv_s: number | null;
  best_bbbv_s: number | null;
  efficiency: number | null;
  unmeasured: number;
  forced_guesses: number | null;
  needless_guesses: number | null;
  risk: number;
  losses: number;
  streak: number;
  longest_won: number;
  longest_lost: number;
  trend: Part[];
  trend_unit: "day" | "week" | "month";
  days: Record<string, number>;
  distribution: { ends: number[]; games: number[] };
}

export interface Kind {
  bot: string;
  rules: string;
  rules_label: string;
  bot_label: string;
  level: string;
  level_label: string;
  games: number;
  won: number;
}

export interface Game {
  id: string;
  finished_ms: number;
  bot: string;
  rules: string;
  rules_label: string;
  bot_label: string;
  variant: string;
  level: string;
  level_label: string;
  won: boolean;
  helped: string;
  time_ms: number;
  bbbv: number;
  solved: number | null;
  clicks: number;
  forced_guesses: number | null;
  needless_guesses: number | null;
  /** Whether the board is small enough for the Replay and Review pages. */
  replay: boolean;
}

export interface Found {
  statistics: Statistics;
  best: Game[];
  kinds: Kind[];
  players: string[];
  patterns: PatternRow[];
}

/** A pattern in the selected games. */
export interface PatternRow {
  pattern: string;
  name: string;
  seen: number;
  missed: number;
  /** The mean time until it was found. */
  seconds: number | null;
}

export interface Page {
  games: Game[];
  total: number;
  offset: number;
}

/** The order of a game table, with the server's names. */
export interface Sorting {
  by: string;
  descending: boolean;
}

/** The result of an import. */
export interface Imported {
  games: number;
  added: number;
  refused: number;
  /** The first files that were refused. */
  refusals: { name: string; reason: string }[];
  /** The other files in an archive, counted by reason. */
  skipped: { reason: string; files: number }[];
}
