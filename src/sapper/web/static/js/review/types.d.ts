/** The lines of `/api/review`: the types of docs/http.md. */

import type { Cell, ProofStep, Status } from "../protocol.js";

export type Kind = "proved" | "forced_guess" | "good_guess" | "needless_guess" | "blunder";

/** A chance to win. */
export interface Value {
  win_chance: number;
  kind: "exact" | "sampled" | "estimated";
  /** 95 % half-width; null if it is not known. */
  error: number | null;
}

export interface Decision {
  index: number;
  cell: Cell;
  kind: Kind;
  chord: Cell | null;
  p_mine: number;
  least: number;
  exact: boolean;
  safe: Cell[];
  proof: { steps: ProofStep[] } | null;
  best: Cell | null;
  best_p_mine: number | null;
  before: Value | null;
  chosen: Value | null;
  after: Value | null;
  loss: number | null;
  exploded: boolean;
  undone: boolean;
  promised: boolean;
  granted: boolean;
  forbidden: boolean;
}

/** The effect of one decision on the board. */
export interface Move {
  /** The cells that an undo closed before it, by index. */
  covered: number[];
  cell: number;
  opened: number[];
  /** The numbers of the opened cells, one digit each. */
  numbers: string;
  exploded: boolean;
}

export interface GameLine {
  type: "game";
  key: string;
  level: string;
  width: number;
  height: number;
  mines: number | null;
  density: number | null;
  topology: string;
  rules_label: string;
  status: Status;
  helped: string | null;
  /** The rows of the position that it began from, if not from an untouched one. */
  origin: string[] | null;
  moves: Move[];
  /** The cells that an undo closed after the last move. */
  covered: number[];
  /** The mines of a finished game. */
  mined: number[] | null;
}

export interface DecisionsLine {
  type: "decisions";
  done: number;
  total: number;
  decisions: Decision[];
}

/** Luck and skill in wins: 1 is a whole game. */
export interface Luck {
  start: number;
  /** The decision to which the chance `start` belongs. */
  index: number;
  /** Whether that is a promised first click. */
  promised: boolean;
  kind: Value["kind"];
  error: number | null;
  lost: number;
  expected: number;
  result: number;
  luck: number;
  survival: number;
}

export interface DoneLine {
  type: "done";
  status: Status;
  rules: string;
  counts: Record<Kind, number>;
  luck: Luck | null;
  lost_at: number | null;
  costliest: number | null;
  curve: (Value & { index: number })[];
  end: Value | null;
  /** The decisions that can be asked about, each position once. */
  mistakes: number[];
}

export interface ErrorLine {
  type?: undefined;
  error: { code: string; message: string };
}

export type Line = GameLine | DecisionsLine | DoneLine | ErrorLine;
