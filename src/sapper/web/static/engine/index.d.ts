/**
 * Minesweeper's exact engine: chances, perfect play, strong bots, random boards and games.
 *
 * Cells are numbered from 0 in row order: cell `row * width + col`. Chances run from 0 to 1.
 */

export type TopologyName = "rectangle" | "torus" | "cylinder" | "hexagon" | "triangle";

/** A cell: its index, or its row and column. */
export type CellInput = number | readonly [row: number, col: number];

/** An integer from 0 to 2**64 - 1; above 2**53, a bigint. */
export type Seed = number | bigint;

/** Python's JSON form of a position. */
export interface PositionObject {
  /**
   * One string per row: `.` unopened, `F` flagged (as unopened), `0` to `9` and `a` to `c` opened
   * numbers, `*` an opened mine.
   */
  rows: readonly string[];
  width?: number;
  height?: number;
  /** The mine total, including opened mines. Without it and a density, any number of mines fits. */
  mines?: number | null;
  /** The chance that each cell is a mine, independently of the others. */
  density?: number | null;
  /**
   * Whether the game is not over (default: true), so that some unopened cell is clear. It makes no
   * difference with a mine total, which says the same.
   */
  running?: boolean | null;
  /** The shape of the board (default: rectangle). */
  topology?: TopologyName;
}

/** A position as bytes, which is faster to read. */
export interface PositionBytes extends Omit<PositionObject, "rows"> {
  width: number;
  height: number;
  /** One ASCII character for each cell; for a number, `0` plus the number. */
  cells: Uint8Array;
}

/**
 * A position: an object, or its text form, with optional headers such as `mines: 10` before the
 * rows.
 */
export type PositionInput = string | PositionObject | PositionBytes;

/** A level: `beginner`, `30x16:99`, `20x20@0.15`, `9x9:10/torus`, or its parts. */
export type LevelInput =
  | string
  | {
      width: number;
      height: number;
      mines?: number | null;
      density?: number | null;
      topology?: TopologyName;
    };

/** A complete board. */
export interface Board {
  width: number;
  height: number;
  topology: TopologyName;
  mines: number;
  /** 1 for a mine, otherwise 0. */
  mined: Uint8Array;
}

/** A board: `*` for mines and the correct number in every other cell, or its bytes. */
export type BoardInput =
  | string
  | { rows: readonly string[]; width?: number; height?: number; mines?: number | null; topology?: TopologyName }
  | { width: number; height: number; topology?: TopologyName; mined: Uint8Array };

/** The only error that the engine throws on purpose, with the Python package's codes. */
export class SapperError extends Error {
  constructor(
    code: string,
    message: string,
    details?: { cause?: unknown; why?: "number" | "component" | "total"; cells?: Uint32Array },
  );
  readonly name: "SapperError";
  /**
   * `bad_position`, `bad_board`, `bad_level`, `bad_setting`, `bad_cell`, `wrong_type`,
   * `inconsistent_position`, `illegal_action`, `limit_reached`, `cancelled`; also `missing_extra`
   * (the search is not loaded), `unavailable` (a file did not load), `unsupported` (no
   * WebAssembly with SIMD here) and `error` (a bug).
   */
  readonly code: string;
  /** For an inconsistent position: the cause. */
  readonly why?: "number" | "component" | "total" | "over";
  /** For an inconsistent position: the numbers at fault. */
  readonly cells?: Uint32Array;
}

export interface Limit {
  /** The time limit. */
  seconds?: number;
  /** The maximum number of states to count (default: what fits into memory). */
  states?: number;
}

export interface Analysis {
  /** Each cell's chance of a mine in row order; NaN where opened. Estimates if not `exact`. */
  pMine: Float64Array;
  /** Cells proved safe, in row order. */
  safe: Uint32Array;
  /** Cells proved to hold a mine, in row order. */
  mined: Uint32Array;
  /** The exact number of arrangements that fit; null if not `exact`, or not requested. */
  solutions: bigint | null;
  /** Whether everything was counted. If not, `safe` and `mined` are those proved so far. */
  exact: boolean;
  /** 95 % half-widths of `pMine`, 0 where it is exact; null if `exact`. */
  pMineError: Float64Array | null;
}

export interface CellChance {
  cell: number;
  pMine: number;
  /** The chance to win by opening the cell, including its risk. */
  winChance: number;
  /** The 95 % half-width of `winChance`: 0 if exact, null if unknown. */
  error: number | null;
}

export interface WinChance {
  /** The chance of winning with the best cell found. */
  winChance: number;
  /** Perfect play, complete games, or a search with a learned chance. */
  kind: "exact" | "sampled" | "estimated";
  error: number | null;
  /** The candidates, best first; if exact, every cell that can be opened. */
  cells: CellChance[];
}

export interface Optimal {
  /** The number of solutions that perfect play wins; null with a density. */
  wins: bigint | null;
  solutions: bigint;
  winChance: number;
  /** Every best cell; empty if only mines are left. */
  best: Uint32Array;
  /** The number of states searched. */
  states: number;
}

export type BotName = "exact" | "swift" | "champion";

export interface Move {
  /** `flag` only if nothing but mines is left. */
  action: "open" | "flag";
  /** All cells proved safe, or one guess. Remove flags before opening them. */
  cells: Uint32Array;
  /** `proved`, `least risk`, `search` or `nothing left`. */
  by: string;
  /** The chance of a mine in the opened cells. */
  risk: number;
  guess: boolean;
}

export type Logic = "single" | "pairs" | "local" | "total";
export type Method = "uniform" | "fast";

export interface NoGuessOptions {
  /** The first click (default: drawn from the seed). */
  start?: CellInput;
  seed?: Seed;
  firstClick?: "opening" | "safe";
  /** The hardest logic that the board may need (default: total). */
  logic?: Logic;
  /** Default: uniform, then fast if that finds none. */
  method?: Method;
  /** The most boards that each method tries (default: 20,000). */
  tries?: number;
}

export interface NoGuessBoard extends Board {
  start: number;
  seed: bigint;
  logic: Logic;
  method: Method;
  /** The boards tried, including this one. */
  tries: number;
}

export interface SampleOptions extends Limit {
  /** The number of boards (default: 1). */
  n?: number;
  seed?: Seed;
  /** Unopened cells that must be clear. */
  safe?: readonly CellInput[] | Uint32Array;
  /** Unopened cells that must hold a mine. */
  mined?: readonly CellInput[] | Uint32Array;
}

export interface BoardMetrics {
  /** The fewest left clicks that open the board without chords (3BV). */
  bbbv: number;
  /** Groups of zeros. */
  openings: number;
}

export interface Shape {
  width: number;
  height: number;
  topology?: TopologyName;
}

export interface GameOptions {
  rules?: "classic" | "no-guess";
  /** Equal seeds give equal games, in Python as well. */
  seed?: Seed;
  /** The promise for the first click (default: safe, or opening for no-guess boards). */
  firstClick?: "safe" | "any" | "opening";
  win?: "open" | "flags" | "either";
  chord?: "exact" | "at_least";
  /** Whether actions can be undone (default: true). */
  undo?: boolean;
  /** no-guess: the hardest logic that the board may need. */
  logic?: Logic;
  /** no-guess: how the board is found. */
  method?: Method;
}

export interface Counts {
  left: number;
  right: number;
  chords: number;
  leftEffective: number;
  rightEffective: number;
  chordsEffective: number;
  undos: number;
}

/** A game, with the rules of the Python package. It keeps its board secret until the end. */
export interface Game {
  readonly width: number;
  readonly height: number;
  readonly topology: TopologyName;
  readonly rules: string;
  /** It determines the mines: do not show it to the player before the end. */
  readonly seed: bigint;
  readonly status: "ready" | "playing" | "won" | "lost";
  readonly over: boolean;
  /** The player's view. */
  readonly position: {
    width: number;
    height: number;
    mines: number | null;
    density?: number;
    topology?: TopologyName;
    rows: string[];
  };
  /** One ASCII character for each cell; for a number, `0` plus the number. */
  readonly cells: Uint8Array;
  /** Cells with a question mark; in the position they are unopened. */
  readonly questions: Uint32Array;
  /** Mine total minus flags; null if the total is unknown. */
  readonly minesLeft: number | null;
  readonly canUndo: boolean;
  /** The cells that the last action changed. */
  readonly changed: Uint32Array;
  readonly counts: Counts;
  /** The 3BV of the board, and its open part; 0 before the mines are placed. */
  readonly bbbv: number;
  readonly solved: number;
  /** The positions of the mines; reading them before the end is an error. */
  readonly board: Board;
  /** Open a cell; returns whether anything was opened, even a mine. */
  open(cell: CellInput): boolean;
  /** Set or remove a flag; returns whether the cell is unopened. */
  flag(cell: CellInput): boolean;
  /** Set or remove a question mark; returns whether the cell is unopened. */
  question(cell: CellInput): boolean;
  /** Open the other neighbours of a number whose flags match it. */
  chord(cell: CellInput): boolean;
  /** Undo the last action that had an effect; returns whether there was one. */
  undo(): boolean;
}

/** The methods that both engines have. */
interface Methods {
  analyze(position: PositionInput, options?: Limit & { solutions?: boolean }): Analysis;
  winChance(
    position: PositionInput,
    options?: { seconds?: number; samples?: number; seed?: Seed },
  ): WinChance;
  optimal(position: PositionInput, options?: Limit & { solutions?: number }): Optimal;
  bestMove(position: PositionInput, options?: { bot?: BotName; seconds?: number }): Move;
  dealNoGuess(level: LevelInput, options?: NoGuessOptions): NoGuessBoard;
  sample(position: PositionInput, options?: SampleOptions): Board[];
  metrics(board: BoardInput): BoardMetrics;
  neighbours(board: Shape | PositionInput, cell: CellInput): Uint32Array;
}

/** The engine in this thread. Its methods return when they are done. */
export interface Engine extends Methods {
  /** Start a game: the same as Python's `Game` with the same seed. */
  game(level: LevelInput, options?: GameOptions): Game;
  /** Start a game on a board, without a first-click promise. */
  gameFromBoard(board: BoardInput, options?: Omit<GameOptions, "firstClick">): Game;
  /** Continue from a position, on a board drawn from all that fit it. */
  gameFromPosition(position: PositionInput, options?: GameOptions): Game;
  /** Load the search, unless it is loaded: `optimal`, `winChance`, `swift` and `champion`. */
  loadSearch(): Promise<void>;
}

type Remote<Method> = Method extends (
  input: infer Input,
  options?: infer Options,
) => infer Result
  ? (input: Input, options?: Options & { signal?: AbortSignal }) => Promise<Result>
  : never;

/**
 * The engine in a worker. Calls run one after another, and each takes a signal: an aborted call is
 * rejected immediately with code `cancelled`. If it is still running 200 ms later, its worker ends,
 * and the next call starts a new one.
 */
export interface WorkerEngine {
  analyze: Remote<Methods["analyze"]>;
  winChance: Remote<Methods["winChance"]>;
  optimal: Remote<Methods["optimal"]>;
  bestMove: Remote<Methods["bestMove"]>;
  dealNoGuess: Remote<Methods["dealNoGuess"]>;
  sample: Remote<Methods["sample"]>;
  metrics(board: BoardInput, options?: { signal?: AbortSignal }): Promise<BoardMetrics>;
  neighbours(
    board: Shape | PositionInput,
    cell: CellInput,
    options?: { signal?: AbortSignal },
  ): Promise<Uint32Array>;
  /** End the worker and reject all calls. */
  terminate(): void;
}

export interface LoadOptions {
  /** The folder of the .wasm files and `win_chance.net` (default: this one). */
  url?: string | URL;
}

/**
 * Load the engine in this thread. `search: false` loads less than half: everything but `optimal`,
 * `winChance`, `swift` and `champion`.
 */
export function load(options?: LoadOptions & { search?: boolean }): Promise<Engine>;

/**
 * Load the engine in a worker.
 *
 * The worker loads the search when a call needs it, in addition to the build without it. With
 * `search: true`, it loads only the build with the search.
 */
export function loadWorker(options?: LoadOptions & { search?: boolean }): Promise<WorkerEngine>;
