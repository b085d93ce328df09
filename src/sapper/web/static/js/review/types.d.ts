/** The lines in responses of `/api/review`; see docs/http.md. */

import type { Cell, ProofStep, Status } from "../protocol.js";

export type Kind = "proved" | "forced_guess" | "good_guess" | "needless_guess" | "blunder";

/** A chance of winning. */
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
  /** The pattern that proves one of the safe cells. */
  pattern: { id: string; title: string; numbers: Cell[] } | null;
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
  /** The cells that an undo before the decision closed, by index. */
  covered: number[];
  cell: number;
  opened: number[];
  /** The numbers of the opened cells, with one digit for each. */
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
  /** The initial rows, if the game did not begin from an untouched board. */
  origin: string[] | null;
  moves: Move[];
  /** The cells that an undo after the last move closed. */
  covered: number[];
  /** The mines, if the game is finished. */
  mined: number[] | null;
}

export interface DecisionsLine {
  type: "decisions";
  done: number;
  total: number;
  decisions: Decision[];
}

/** Luck and skill, measured in wins: 1 is a whole game. */
export interface Luck {
  start: number;
  /** The decision for which the chance `start` was computed. */
  index: number;
  /** Whether that decision is a promised first click. */
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
  /** The decisions that become questions, one per position. */
  mistakes: number[];
}

export interface ErrorLine {
  type?: undefined;
  error: { code: string; message: string };
}

export type Line = GameLine | DecisionsLine | DoneLine | ErrorLine;
