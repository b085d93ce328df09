/** Responses of `/api/analyze`; see docs/http.md. */

import type { Chance } from "../board/chances.js";
import type { CoverMessage } from "../protocol.js";

/** Row and column, from 0. */
export type Cell = [number, number];

export interface Refusal {
  error: { code: string; message: string };
}

/** The chances of a position, as in a game's overlay. */
export interface ChancesAnswer {
  whole: boolean;
  chances: Array<[number, Chance | null]>;
  outside: Chance | null;
  solutions: string | null;
  exact: boolean;
  weighted: boolean;
  /** The number of cells proved safe, and of cells proved to be mines. */
  safe: number;
  mined: number;
  /** The marks of the requested overlay. */
  cover?: CoverMessage | Refusal;
}

/** No arrangement fits; `conflict` has the contradictory numbers. */
export interface Impossible extends Refusal {
  conflict: { cells: Cell[]; mines: number | null; minimal: boolean; sentence: string } | null;
}

/** A win chance, and how it was computed. */
export interface WinValue {
  win_chance: number;
  kind: "exact" | "sampled" | "estimated";
  error: number | null;
}

export interface WinsAnswer extends WinValue {
  cells: Array<{ cell: Cell; p_mine: number; win_chance: number; error: number | null }>;
}

export interface CellAnswer {
  cell: Cell;
  outcomes: Array<{ number: number | null; chance: number; safe: number; value: WinValue | null }>;
}

/** The position in a file. */
export interface LoadAnswer {
  form: "text" | "json" | "board" | "mbf" | "id" | "picture";
  position: { width: number; height: number; mines: number | null; density?: number | null; topology?: string; rows: string[] };
  /** The mines by index, if the file contains them. */
  board: number[] | null;
  notes: string[];
}

/** A line of the response to a search for an arrangement. */
export type ArrangeLine =
  | { progress: string }
  | { found: true; board: number[]; mines: number; areas: number; combinations: number; elapsed_s: number }
  | ({ found: false } & Refusal)
  | Refusal;
