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

/** The schedule of a pattern for a player. */
export interface Card {
  rating: number;
  deviation: number;
  answered: number;
  solved: number;
  /** The mean time of the right answers. */
  seconds: number | null;
  /** The probability that the player recalls it. */
  recalled: number;
  /** Seconds until it is due; negative if it is overdue. */
  due_s: number;
}

/** The state of a player's practice today. */
export interface Practice {
  due: number;
  new: number;
  answered: number;
  solved: number;
  seconds: number;
  streak: number;
  /** Seconds until the next pattern is due. */
  next_due_s: number | null;
  cards: Record<string, Card>;
}

export interface PracticeExercise {
  id: string;
  rows: string[];
  mines: number | null;
  /** The ringed numbers. */
  numbers: Cell[];
  /** The pattern that the player chose; empty in the daily queue. */
  chosen: string;
  elapsed_s: number;
}

export interface NextExercise {
  exercise: PracticeExercise | null;
  /** The name of the chosen pattern. */
  name: string;
  practice: Practice;
}

export interface PracticeVerdict extends Verdict {
  counted: boolean;
  seconds: number;
  change: number;
  pattern: string;
  name: string;
  /** The false friend that was shown; empty if it was the pattern itself. */
  friend: string;
  friend_name: string;
  /** Seconds until it is due again. */
  interval_s: number | null;
  practice: Practice;
}

/** A picture of a pattern. */
export interface PatternForm {
  rows: string[];
  remaining: number | null;
  /** Whether unopened cells outside the picture are safe, if mines are counted. */
  elsewhere: "none" | "safe" | "any";
  numbers: Cell[];
  safe: Cell[];
  mined: Cell[];
  guessed: Cell[];
  explanations: Explanation[];
}

export interface Pattern {
  id: string;
  name: string;
  family: string;
  level: number;
  source: string;
  summary: string;
  /** For a false friend, the pattern that it resembles. */
  looks_like: string;
  exercises: number;
  /** The first picture. */
  rows: string[];
}

/** A pattern in the player's own games. */
export interface PatternCount {
  seen: number;
  missed: number;
  /** The mean time until it was found. */
  seconds: number | null;
}

export interface Library {
  families: import("../protocol.js").MenuChoice[];
  patterns: Pattern[];
  practice: Practice;
  counts: Record<string, PatternCount>;
}

export interface Start {
  practice: Practice;
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
