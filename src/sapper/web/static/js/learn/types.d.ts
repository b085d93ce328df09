/** Server responses for the Learn page; see docs/http.md. */

import type { Cell, ProofStep } from "../protocol.js";

export type Question = "safe" | "all" | "guess";

export interface Puzzle {
  id: string;
  question: Question;
  rows: string[];
  mines: number | null;
  /** The time limit for the answer, in seconds. */
  limit_s: number | null;
  elapsed_s: number;
  focus: string;
}

export interface LessonBoard {
  id: string;
  question: Question;
  prompt: string;
  rows: string[];
  mines: number | null;
}

export interface Lesson {
  id: string;
  title: string;
  text: string;
  boards: LessonBoard[];
}

export interface Explanation {
  cell: Cell;
  state: "safe" | "mined" | "open";
  text: string;
  steps: ProofStep[];
  /** The mines of an arrangement that fits but contradicts the answer. */
  board: Cell[] | null;
}

export interface Chance {
  cell: Cell;
  p_mine: number;
  win_chance: number;
}

export interface Verdict {
  solved: boolean;
  text: string;
  safe: Cell[];
  mined: Cell[];
  explanations: Explanation[];
  chances: Chance[];
}

export interface Standing {
  rating: number;
  deviation: number;
  answered: number;
  solved: number;
  streak: number;
  best_streak: number;
  /** The rating after each recent answer, and whether the answer was right. */
  history: [number, boolean][];
}

export interface Outcome extends Verdict {
  late: boolean;
  counted: boolean;
  seconds: number;
  change: number;
  need: string;
  puzzle_rating: number;
  standing: Standing;
}

/** A mistake in one of the player's games. */
export interface Mistake {
  id: string;
  question: Question;
  /** The cell that was opened, and the number of the decision in the game. */
  cell: Cell;
  move: number;
  rows: string[];
  mines: number | null;
  topology: string;
}

/** The number of stored mistakes, and of those not yet answered correctly today. */
export interface KeptCounts {
  total: number;
  due: number;
}

export interface Kept extends KeptCounts {
  mistake: Mistake | null;
}

export interface KeptVerdict extends Verdict, KeptCounts {
  removed: boolean;
}

export interface Start {
  mistakes: KeptCounts;
  standing: Standing;
  lessons: Lesson[];
  done: string[];
  /** The kinds of puzzles to practise. */
  focuses: import("../protocol.js").MenuChoice[];
}

export interface Answer {
  safe: Cell[];
  mined: Cell[];
}
