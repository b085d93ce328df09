/** Responses about leaderboards, profiles and tournaments; see docs/http.md. */

import type { Measure } from "./values.js";

export interface Choice {
  value: string;
  label: string;
}

/** `/api/leaderboards`. */
export interface Boards {
  usual: { rules: string; level: string };
  rules: Choice[];
  levels: Choice[];
  lists: RatingList[];
  today: string;
  name: string | null;
}

export interface RatingList {
  list: string;
  kind: string;
  level_label: string;
  /** What distinguishes the list from the usual one of its level, such as `classic`. */
  rules: string[];
}

export interface Interval {
  rating: number;
  deviation: number;
}

export interface BoardRow {
  place: number;
  name: string;
  profile: boolean;
  value: number;
  time_ms: number;
  bbbv: number;
  clicks: number;
  finished_ms: number;
  game: string | null;
  own: boolean;
}

/** `/api/leaderboard`. */
export interface Leaderboard {
  board: { level: string; rules: string; level_label: string; rules_label: string; day: string | null; seed: number | null };
  measure: Measure;
  rows: BoardRow[];
  own: BoardRow | null;
  players: number;
  /** The number of the first row, from 1. */
  start: number;
  name: string | null;
}

export interface RatingRow extends Interval {
  place: number;
  name: string;
  profile: boolean;
  games: number;
  changed_ms: number;
  own: boolean;
}

/** `/api/ratings`. */
export interface RatingBoard {
  rows: RatingRow[];
  own: RatingRow | null;
  players: number;
  start: number;
  name: string | null;
}

export interface Rated extends RatingList, Interval {
  provisional: boolean;
  games: number;
  /** Time, rating and deviation after each of the last games. */
  changes: [number, number, number][];
}

export interface Best {
  value: number;
  game: string;
  finished_ms: number;
}

export interface BestGames extends Record<Measure, Best | null> {
  rules: string;
  level: string;
  rules_label: string;
  level_label: string;
}

export interface Kind {
  rules_label: string;
  level_label: string;
  games: number;
  won: number;
  interval: [number, number];
  best_ms: number | null;
}

export interface LastGame {
  /** The id of its public page, if it is listed. */
  id: string | null;
  finished_ms: number;
  rules_label: string;
  level_label: string;
  won: boolean;
  helped: string;
  time_ms: number;
}

/** `/api/profiles/NAME`. */
export interface Profile {
  name: string;
  since_ms: number;
  private: boolean;
  own: boolean;
  following: boolean | null;
  ratings: Rated[];
  bests: BestGames[];
  statistics: Kind[];
  daily: { streak: number; played: number; won: number };
  games: LastGame[];
}

/** The settings of a tournament. */
export interface TournamentSettings {
  code: string;
  name: string;
  level_label: string;
  rules_label: string;
  mine: "freeze" | "out";
  boards: "same" | "different";
  rated: boolean;
  race_size: number;
  minutes: number;
}

export interface ListedTournament extends TournamentSettings {
  players: number;
  left_ms: number;
  starts_in_ms: number;
  finished_ms: number | null;
  winner: string | null;
}

/** `/api/tournaments`. */
export interface TournamentList {
  tournaments: ListedTournament[];
  levels: Choice[];
  rules: Choice[];
  name: string | null;
}

export interface TableRow {
  place: number;
  name: string | null;
  profile: boolean;
  points: number;
  races: number;
  wins: number;
  streak: number;
  best_ms: number | null;
  state: "racing" | "ready" | "paused";
  own: boolean;
}

/** `/api/tournaments/CODE`. */
export interface TournamentView extends TournamentSettings {
  over: boolean;
  left_ms: number;
  starts_in_ms: number;
  table: TableRow[];
  races: { race: number; room: string | null; names: (string | null)[] }[];
  /** `pausing`: whether a pause begins after the race. */
  you: { name: string; state: TableRow["state"] | null; pausing: boolean; room: string | null } | null;
}
