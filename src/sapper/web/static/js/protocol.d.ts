/** What travels over the WebSocket: the types of docs/http.md. */

/** Row and column, from 0. */
export type Cell = [number, number];

export type Status = "ready" | "playing" | "won" | "lost";
export type Mode = "solo" | "assisted" | "automatic";
export type OverlayKind = "none" | "states" | "chances" | "risks";
/** What lies over the board: an overlay, or Kaboom's marks. */
export type Layer = OverlayKind | "marks";

export interface Settings {
  level: string;
  rules: string;
  first_click: string;
  win: string;
  chord: string;
  options: Record<string, boolean | string>;
}

export interface AssistSettings {
  mode: Mode;
  overlay: OverlayKind;
  show_states: boolean;
  debug: boolean;
}

export interface ClockTime {
  seconds: number;
  running: boolean;
}

/** How a game stands: sent with every change. */
export interface Standing {
  turn: number;
  status: Status;
  mines_left: number | null;
  clock: ClockTime;
  can_undo: boolean;
  /** How many actions were done since the game began. */
  actions: number;
  helped: string | null;
  seed: number | null;
}

/** The first attempt at a day's board, which was finished. */
export interface DayResult {
  day: string;
  won: boolean;
  seconds: number;
  bbbv: number;
  clicks: number;
  helped: string | null;
}

/** The daily board; days are YYYY-MM-DD in UTC. */
export interface Daily {
  today: string;
  yesterday: string;
  /** Days in a row won without help. */
  streak: number;
  results: Record<string, DayResult | null>;
  /**
   * By month (YYYY-MM) a character for each day: `w` won, `h` won with help, `l` lost, `a` abandoned,
   * `p` being played, `.` not played.
   */
  calendar: Record<string, string>;
}

export interface GameMessage extends Standing {
  key: string;
  /** The day whose board this is. */
  day: string | null;
  /** Whether it is the attempt of that day that counts. */
  attempt: boolean;
  width: number;
  height: number;
  mines: number | null;
  /** The chance of each cell on a board by density. */
  density: number | null;
  topology: string;
  settings: Settings;
  /** Of a game that is over and was not a bot's alone. */
  result?: Result | null;
  /** One text per row; of a big board `packed` instead. */
  rows?: string[];
  packed?: string;
}

export interface Level {
  name: string;
  width: number;
  height: number;
  mines: number;
}

export interface RuleOption {
  name: string;
  summary: string;
  choices: string[];
}

export interface RuleSet {
  name: string;
  /** The largest board that may be played under it. */
  max_cells: number;
  label: string;
  summary: string;
  first_clicks: string[];
  aid: string;
  /** What a button says that offers these rules to a newcomer; empty for most. */
  invitation: string;
  wins: string[];
  options: RuleOption[];
}

export interface Menu {
  levels: Level[];
  rules: RuleSet[];
  chords: string[];
  bots: { name: string; summary: string }[];
}

/** A choice of a bot, as its log holds it. */
export interface LogEntry {
  /** Counted from 1 in each game. */
  number: number;
  /** Which level or rule decided. */
  by: string;
  /** The chance of a mine that the bot assumes. */
  risk: number | null;
  guess: boolean;
  /** How many cells it opens. */
  opens: number;
  /** How many cells it marks. */
  marks: number;
  /** The first of these cells, if there is one. */
  first: Cell[];
}

export interface BotChoice {
  number: number;
  guess: boolean;
  opens: number[];
  marks: number[];
}

export interface AutomaticState {
  bot: string;
  delay_ms: number;
  loop: boolean;
  running: boolean;
  thinking: boolean;
  problem: string | null;
  choice: BotChoice | null;
  log: LogEntry[];
  games: number;
  wins: number;
}

/** The figures of a finished game. */
export interface Result {
  seconds: number;
  bbbv: number;
  /** The part of the 3BV that is open. */
  solved: number;
  clicks: number;
  helped: string | null;
  /** Of a win: its rank by time among `wins`, and the best time before it. */
  rank?: number | null;
  wins?: number | null;
  best?: number | null;
  /** The best figures before it, if any; times in seconds, shares from 0. */
  before?: { seconds: number; bbbv_s: number | null; efficiency: number | null } | null;
  /** Games won in a row, with it, and the longest such streak before it. */
  streak?: number;
  longest?: number;
}

/** What a change was about, with the figures of a game that it ended. */
export interface GameEvent extends Partial<Result> {
  kind: "open" | "chord" | "mark" | "undo" | "nothing" | "assist";
  tried?: string;
  /** Why a chord opened nothing. */
  why?: "flags" | "finished" | "unopened";
  cell?: Cell;
  shows?: string;
  bot?: string;
  assist?: AssistSettings;
  daily?: Daily;
}

interface Answer {
  /** The id of the message that this answers. */
  re?: string | null;
}

export interface StateMessage extends Answer {
  type: "welcome" | "state";
  game: GameMessage;
  settings: Settings;
  questions: boolean;
  assist: AssistSettings;
  automatic: AutomaticState;
  daily: Daily;
  menu?: Menu;
}

export interface DeltaMessage extends Answer, Standing {
  type: "delta";
  cells: [number, string][];
  /** Instead of many cells: the board as one text, with `=` for each cell that stays. */
  patch?: string;
  event: GameEvent;
}

export interface OverlayMessage extends Answer {
  type: "overlay";
  turn: number;
  /** Whether to begin from nothing; otherwise only what changed is told. */
  whole: boolean;
  /** Frontier cells: a chance, or what is proved; null where a cell left the frontier. */
  chances: [number, number | "safe" | "mine" | "unknown" | null][];
  /** The chance of every cell that no number touches, or what is proved of them all. */
  outside: number | "safe" | "mine" | "unknown" | null;
  solutions: string | null;
  exact: boolean;
  /** Whether arrangements have different weights. */
  weighted: boolean;
}

export interface MarksMessage extends Answer {
  type: "marks";
  turn: number;
  marks: string;
  frontier: number;
  outside: number;
  least: number | null;
  most: number | null;
  ms: number;
  advice: string | null;
}

/** One step of a proof. */
export interface ProofStep {
  numbers: Cell[];
  /** Whether it looks at the mine total as well. */
  total: boolean;
  safe: Cell[];
  mined: Cell[];
  /** Whether this follows only if the cell in question is a mine. */
  assumed: boolean;
  contradiction: boolean;
  text: string;
}

export interface HintMessage extends Answer {
  type: "hint";
  turn: number;
  cell: Cell;
  p_mine: number;
  proved: boolean;
  sentence: string;
  because: Cell[];
  /** For a guess: the chance to win by it, if known, and how it is known. */
  win_chance?: number | null;
  kind?: "exact" | "estimated" | null;
  /** A least risky cell, if the hint is another one that wins more often. */
  least_risky?: { cell: Cell; p_mine: number; win_chance: number; error: number | null } | null;
  /** The proof, if the cell is proved and one was found. */
  steps?: ProofStep[];
  /** Two arrangements that fit, if nothing is proved: their mines by index. */
  ways?: { mined: number[]; clear: number[] } | null;
  safe_count: number;
  exact: boolean;
  first?: boolean;
  granted?: boolean;
  advice?: string;
}

export interface Guess {
  cell: Cell;
  p: number;
  least: number;
  safe: number;
  exploded: boolean;
  /** Whether the rules made it a mine because they forbid such a guess. */
  forbidden: boolean;
}

export interface GuessesMessage extends Answer {
  type: "guesses";
  turn: number;
  made: number;
  forced: number;
  needless: number;
  /** Each guess, once the game is over. */
  each?: Guess[];
}

export interface ReviewMessage extends Answer {
  type: "review";
  turn: number;
  cell: Cell;
  p: number;
  least: number;
  safe: Cell[];
  mined: number[];
  clear: number[] | null;
  sentence: string;
  wrong_flags: Cell[];
  exact: boolean;
}

export interface AutomaticMessage extends Answer {
  type: "automatic";
  automatic: AutomaticState;
  clock: ClockTime;
}

/** Whether games can be saved. */
export interface SavingMessage extends Answer {
  type: "saving";
  problem: string | null;
  /** Whether only a restart of the server helps. */
  restart?: boolean;
}

export interface ErrorMessage extends Answer {
  type?: undefined;
  error: { code: string; message: string };
}

export type Message =
  | StateMessage
  | DeltaMessage
  | OverlayMessage
  | MarksMessage
  | HintMessage
  | GuessesMessage
  | ReviewMessage
  | AutomaticMessage
  | SavingMessage
  | ErrorMessage;

export type GoodMessage = Exclude<Message, ErrorMessage>;

/** What a message did to the board. */
export interface Change {
  /** Whether the board has another size. */
  fresh: boolean;
  /** The indices of the cells that changed. */
  changed: number[];
  /** Whether messages went missing, so that everything has to be asked for. */
  lost: boolean;
  /** Whether another game has begun. */
  another: boolean;
}

/** Sends a message; gives the id under which it will be answered, null if it was not sent. */
export type Send = (message: object) => string | null;
/** Writes a number for the reader. */
export type Format = (value: number, digits: number) => string;
