/** Responses of `/api/runs`: the settings, status and charts of runs. */

/** A run in the list; it has no figures if its status cannot be read. */
export interface Run {
  id: string;
  name: string;
  /** Like the command, the options and errors, not sent to network visitors. */
  path?: string;
  state: string;
  updated: number | null;
  bot: string;
  level: string;
  rules: string;
  first_click: string;
  start: [number, number] | null;
  seed: number;
  options?: Record<string, unknown>;
  command?: string;
  games?: number;
  games_wanted?: number;
  games_per_second?: number | null;
  win_rate?: number | null;
  interval?: [number, number];
  by?: Record<string, number>;
  lost_by?: Record<string, number>;
  digest?: string | null;
  error?: string | null;
  sapper_version?: string;
}

/** The win rate after each number of games, with its interval. */
export interface History {
  games: number[];
  rate: number[];
  low: number[];
  high: number[];
}

export interface GuessCount {
  guesses: number;
  games: number;
  wins: number;
}

/** Guesses with similar predicted risk, and how many of them hit a mine. */
export interface RiskGroup {
  predicted: number;
  n: number;
  mines: number;
  share: number;
  low: number;
  high: number;
}

/** A run with the data series of its charts. */
export interface RunCharts extends Run {
  history: History;
  guesses: GuessCount[];
  calibration: RiskGroup[];
}
