/* tslint:disable */
/* eslint-disable */

export class Analyser {
    free(): void;
    [Symbol.dispose](): void;
    analyze(shape: Shape, cells: Uint8Array | number[], total: number | null | undefined, density: number | null | undefined, running: boolean, states: number | null | undefined, seconds: number | null | undefined, solutions: boolean): Analysis;
    constructor();
    sample(shape: Shape, cells: Uint8Array | number[], total: number | null | undefined, density: number | null | undefined, running: boolean, clear: Uint32Array | number[], mined: Uint32Array | number[], n: number, seed: bigint, states?: number | null, seconds?: number | null): Boards;
}

/**
 * The result of an analysis. The arrays are moved out by their getters.
 */
export class Analysis {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    takePMineError(): Float64Array | undefined;
    takePMine(): Float64Array;
    readonly exact: boolean;
    readonly mined: Uint32Array;
    readonly safe: Uint32Array;
    /**
     * The solution count in hexadecimal; undefined if not exact, not requested, or not counted in
     * time.
     */
    readonly solutions: string | undefined;
}

/**
 * The measures of a complete board.
 */
export class BoardMetrics {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    readonly bbbv: number;
    readonly openings: number;
}

/**
 * Several boards, 1 for a mine.
 */
export class Boards {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    board(number: number): Uint8Array;
    readonly length: number;
}

/**
 * Click counts.
 */
export class Counts {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    readonly chordsEffective: number;
    readonly chords: number;
    readonly leftEffective: number;
    readonly left: number;
    readonly rightEffective: number;
    readonly right: number;
    readonly undos: number;
}

/**
 * A board that needs no guess, and how many boards were tried to find it.
 */
export class Deal {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    readonly mined: Uint8Array;
    readonly tries: number;
}

/**
 * An error with a code of Python's `sapper.errors`, and the indices of the cells at fault.
 */
export class Failure {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Why a position is inconsistent; empty for other errors.
     */
    readonly cause: string;
    readonly cells: Uint32Array;
    readonly code: string;
    readonly message: string;
}

/**
 * The settings of a game.
 */
export class GameTerms {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * `logic_index` is undefined for `classic` rules.
     */
    constructor(total: number | null | undefined, density: number | null | undefined, first_click: string, win: string, chord: string, undo: boolean, seed: bigint, logic_index: number | null | undefined, fast: boolean);
}

export class Round {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Undefined before the mines are placed.
     */
    bbbv(): Solved | undefined;
    chord(cell: number): boolean;
    flag(cell: number): boolean;
    /**
     * `mined` is empty if the mines are placed at the first click.
     */
    constructor(shape: Shape, terms: GameTerms, cells: Uint8Array | number[], mined: Uint8Array | number[]);
    open(cell: number): boolean;
    question(cell: number): boolean;
    undo(): boolean;
    readonly canUndo: boolean;
    readonly cells: Uint8Array;
    readonly changed: Uint32Array;
    readonly counts: Counts;
    readonly flags: number;
    /**
     * The mines; undefined before the end.
     */
    readonly mined: Uint8Array | undefined;
    readonly questions: Uint32Array;
    readonly status: string;
}

export class Shape {
    free(): void;
    [Symbol.dispose](): void;
    metrics(mined: Uint8Array | number[]): BoardMetrics;
    neighbours(cell: number): Uint32Array;
    constructor(topology: string, width: number, height: number);
    numbers(mined: Uint8Array | number[]): Uint8Array;
    /**
     * The most neighbours of a cell.
     */
    readonly mostNeighbours: number;
}

/**
 * The 3BV of a board, and how much of it is solved.
 */
export class Solved {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    readonly bbbv: number;
    readonly solved: number;
}

export function __wbg_reset_state(): void;

/**
 * The board of a seed; undefined if none of the boards tried can be opened by logic.
 */
export function dealNoGuess(shape: Shape, mines: number, start: number, clear: Uint32Array | number[], logic_index: number, fast: boolean, tries: number, seed: bigint): Deal | undefined;

/**
 * The bytes in use, for tests: the memory itself never shrinks.
 */
export function liveBytes(): number;

export function start(): void;

/**
 * The seed for one purpose, from the seed of a game.
 */
export function substream(seed: bigint, purpose: string, number: number): bigint;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_analyser_free: (a: number, b: number) => void;
    readonly __wbg_analysis_free: (a: number, b: number) => void;
    readonly __wbg_boardmetrics_free: (a: number, b: number) => void;
    readonly __wbg_boards_free: (a: number, b: number) => void;
    readonly __wbg_counts_free: (a: number, b: number) => void;
    readonly __wbg_deal_free: (a: number, b: number) => void;
    readonly __wbg_failure_free: (a: number, b: number) => void;
    readonly __wbg_gameterms_free: (a: number, b: number) => void;
    readonly __wbg_get_boardmetrics_bbbv: (a: number) => number;
    readonly __wbg_get_boardmetrics_openings: (a: number) => number;
    readonly __wbg_get_counts_chords: (a: number) => number;
    readonly __wbg_get_counts_chordsEffective: (a: number) => number;
    readonly __wbg_get_counts_left: (a: number) => number;
    readonly __wbg_get_counts_leftEffective: (a: number) => number;
    readonly __wbg_get_counts_right: (a: number) => number;
    readonly __wbg_get_counts_rightEffective: (a: number) => number;
    readonly __wbg_get_counts_undos: (a: number) => number;
    readonly __wbg_get_deal_tries: (a: number) => number;
    readonly __wbg_get_solved_bbbv: (a: number) => number;
    readonly __wbg_get_solved_solved: (a: number) => number;
    readonly __wbg_round_free: (a: number, b: number) => void;
    readonly __wbg_shape_free: (a: number, b: number) => void;
    readonly __wbg_solved_free: (a: number, b: number) => void;
    readonly analyser_analyze: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number];
    readonly analyser_new: () => number;
    readonly analyser_sample: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: bigint, o: number, p: number, q: number, r: number) => [number, number, number];
    readonly analysis_exact: (a: number) => number;
    readonly analysis_mined: (a: number) => [number, number];
    readonly analysis_safe: (a: number) => [number, number];
    readonly analysis_solutions: (a: number) => [number, number];
    readonly analysis_takePMine: (a: number) => [number, number];
    readonly analysis_takePMineError: (a: number) => [number, number];
    readonly boards_board: (a: number, b: number) => [number, number];
    readonly boards_length: (a: number) => number;
    readonly dealNoGuess: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: bigint) => [number, number, number];
    readonly deal_mined: (a: number) => [number, number];
    readonly failure_cause: (a: number) => [number, number];
    readonly failure_cells: (a: number) => [number, number];
    readonly failure_code: (a: number) => [number, number];
    readonly failure_message: (a: number) => [number, number];
    readonly gameterms_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: bigint, l: number, m: number) => [number, number, number];
    readonly liveBytes: () => number;
    readonly round_bbbv: (a: number) => number;
    readonly round_canUndo: (a: number) => number;
    readonly round_cells: (a: number) => [number, number];
    readonly round_changed: (a: number) => [number, number];
    readonly round_chord: (a: number, b: number) => [number, number, number];
    readonly round_counts: (a: number) => number;
    readonly round_flag: (a: number, b: number) => [number, number, number];
    readonly round_flags: (a: number) => number;
    readonly round_mined: (a: number) => [number, number];
    readonly round_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly round_open: (a: number, b: number) => [number, number, number];
    readonly round_question: (a: number, b: number) => [number, number, number];
    readonly round_questions: (a: number) => [number, number];
    readonly round_status: (a: number) => [number, number];
    readonly round_undo: (a: number) => number;
    readonly shape_metrics: (a: number, b: number, c: number) => [number, number, number];
    readonly shape_mostNeighbours: (a: number) => number;
    readonly shape_neighbours: (a: number, b: number) => [number, number, number, number];
    readonly shape_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly shape_numbers: (a: number, b: number, c: number) => [number, number, number, number];
    readonly start: () => void;
    readonly substream: (a: bigint, b: number, c: number, d: number) => bigint;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
