/** The `replay` line in responses of `/api/replay`; see docs/http.md. */

import type { Status } from "../protocol.js";
import type { Line } from "../review/types.js";

export interface Step {
  /** The index of its event. */
  event: number;
  action: "open" | "flag" | "chord" | "question";
  /** By index, like all cells here. */
  cell: number;
  changed: boolean;
  flagged: boolean;
  opened: number[];
  /** The numbers of the opened cells, with one digit for each. */
  numbers: string;
  exploded: number[];
  /** The number of its decisions in the review. */
  decisions: number;
  solved: number;
  /** The left, right, double and effective clicks so far. */
  clicks: [number, number, number, number];
  path_px: number | null;
}

export interface Metrics {
  status: Status;
  time_s: number;
  solved: number;
  flags: number;
  clicks: { all: number; effective: number; left: number; right: number; double: number };
  bbbv_s: number | null;
  estimated_s: number | null;
  ioe: number | null;
  corr: number | null;
  thrp: number | null;
  rqp: number | null;
  qg: number | null;
  stnb: number | null;
  left_s: number | null;
  right_s: number | null;
  double_s: number | null;
  clicks_s: number | null;
  effective_s: number | null;
  flags_s: number | null;
  path_px: number | null;
  is_official: boolean;
  is_fair: boolean;
  board: { bbbv: number; openings: number; islands: number; zini: number; hzini: number };
}

export interface Info {
  program: string;
  version: string;
  player: string;
  started_at: string;
  mode: string;
  time_ms: number | null;
  bbbv: number | null;
  won: boolean | null;
}

/** A value in the file, and the one computed from its board and clicks; `rules` are settings that are not applied. */
export type Contradiction =
  | { what: "rules"; file: string; clicks: "" }
  | { what: "status"; file: string; clicks: Status }
  | { what: "time_s" | "bbbv"; file: number; clicks: number };

export interface ReplayLine {
  type: "replay";
  format: string;
  width: number;
  height: number;
  topology: string;
  /** The level's label; empty for other sizes. */
  level_label: string;
  /** The initial rows, if any cell was open or had a flag. */
  origin: string[] | null;
  mined: number[];
  cell_px: number;
  has_pointer: boolean;
  info: Info;
  contradictions: Contradiction[];
  started_ms: number;
  ended_ms: number;
  kinds: string[];
  events: { ms: number[]; kind: number[]; x: number[]; y: number[] };
  steps: Step[];
  metrics: Metrics;
  dwell_ms: number[];
}

/** A response of `/api/games/ID`. */
export interface PublicGame {
  game: { id: string; rules: string; level: string };
  replay: object;
  name: string | null;
  profile: boolean;
  /** The name of its leaderboard. */
  board: string | null;
  /** Its id in the history, for the player. */
  own: string | null;
  shared: boolean;
  listed: boolean;
}

export type ReplayLines = ReplayLine | Line;
