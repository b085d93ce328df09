/** The messages of a room; see docs/together.md. */

import type {
  AnnouncementsMessage,
  Cell,
  RaceBoard as OwnBoard,
  RaceProgress as Progress,
  RaceResult as Result,
  RoomMember as Member,
  RoomSentMessage as SentMessage,
  SharedShare as Share,
} from "../protocol.js";

export type { Member, OwnBoard, Progress, Result, SentMessage, Share };

export type RacerStatus = Progress["status"];

export type Kind = "race" | "shared" | "flags";

/** The phase of a room: of a race, a shared board or a game of Flags. */
export type Phase = "waiting" | "countdown" | "racing" | "break" | "playing" | "won" | "lost" | "over";

export interface Settings {
  level: string;
  rules?: string;
  best_of?: number;
  mine?: "freeze" | "out";
  boards?: "same" | "different";
  rated?: boolean;
  most?: number;
  freeze_ms?: number;
  silence_ms?: number;
  limit_ms?: number;
  missed?: number;
  break_ms?: number;
  lives?: number;
  pointers?: boolean;
  turn_ms?: number;
}

/** A changed cell: row, column, and its new character. */
export type Changed = [number, number, string];

interface RaceEnd {
  results?: Result[];
  mines?: string[];
  wins?: [number, number][];
  over?: boolean;
}

interface SharedGame {
  rows?: string[];
  owners?: [number, number][];
  shares?: Share[];
  lives?: number;
  start_ms?: number;
}

interface FlagsScores {
  turn?: number;
  turn_ends_ms?: number;
  scores?: [number, number];
  bombs?: [boolean, boolean];
}

export interface View extends RaceEnd, SharedGame, FlagsScores {
  kind: Kind;
  phase: Phase;
  /** The length of a finished game on a shared board. */
  time_ms?: number;
  settings: Settings;
  board_shape: { width: number; height: number; mines: number | null; topology: string };
  members: Member[];
  host: number | null;
  locked: boolean;
  you: number | null;
  round?: number;
  phase_ends_ms?: number;
  progress?: Progress[];
  board?: OwnBoard;
  won?: boolean;
  sides?: [number, number];
  winner?: number | null;
}

/** A message that changes the room. */
export type RoomEvent =
  | { type: "view"; view: View }
  | { type: "members"; members: Member[]; host: number | null; locked: boolean }
  | { type: "countdown"; round: number; starts_ms: number }
  | { type: "stopped" }
  | { type: "board"; board: OwnBoard; start_ms: number }
  | { type: "cells"; cells: Changed[]; number?: number; lives?: number }
  | { type: "mine"; status: RacerStatus; frozen_until_ms: number }
  | { type: "finished"; number: number; time_ms: number }
  | { type: "progress"; racers: Progress[] }
  | ({ type: "round_over" } & RaceEnd)
  | ({ type: "game" } & SharedGame & FlagsScores & { sides?: [number, number] })
  | { type: "game_over"; mines: string[]; won?: boolean; time_ms?: number; shares?: Share[]; winner?: number | null }
  | ({ type: "move"; side: number; cell: Cell; bomb: boolean; found: number; cells: Changed[] } & FlagsScores)
  | ({ type: "turn" } & FlagsScores)
  | { type: "phrase"; number: number; phrase: string }
  | { type: "pointer"; number: number; x: number; y: number }
  | { type: "done" | "left" | "removed" | "closed" };

/** A message that may answer one from this window, whose id it then has. */
interface Answer {
  now_ms?: number;
  re?: string;
}

export type RoomMessage = Answer & (
  | RoomEvent
  | { type: "saving"; problem: string | null }
  | Omit<AnnouncementsMessage, "re">
  | { type?: undefined; error: { code: string; message: string } }
);

export interface Phrase {
  name: string;
  emoji: string;
  text: string;
}

export interface Choice {
  name: string;
  label: string;
}

/** The response of `/api/rooms/menu`. */
export interface Menu {
  /** The visitor's name, or null for a guest. */
  name: string | null;
  levels: (Choice & { level: string })[];
  rules: Choice[];
  strengths: Choice[];
  phrases: Phrase[];
  kinds: { name: Kind; settings: Settings }[];
  /** The fixed settings of rated games, and the rule sets of rated races. */
  rated: { race: Record<string, number>; flags: { turn_ms: number; missed: number }; rules: string[] };
}

/** A room in the list of `/api/rooms`. */
export interface ListedRoom {
  code: string;
  kind: Kind;
  level: string;
  rules: string | null;
  phase: Phase;
  players: number;
  bots: number;
  watchers: number;
  most: number;
  host: string | null;
  rated: boolean;
}

type LogKind = "open" | "flag" | "chord";

/** The recording of a finished game, as in `recording` of `/api/rooms/CODE/recording`. */
export interface Recording {
  kind: Kind;
  level: string;
  rules?: string;
  board: string;
  /** Of a race with different boards: the board of each member. */
  boards?: Record<string, string>;
  results?: Result[];
  /** Of a race: the actions of each member, as time since the start, kind, row, column. */
  logs?: Record<string, [number, LogKind, number, number][]>;
  /** Of a shared board: with the member after the time. */
  log?: [number, number, LogKind, number, number][];
  won?: boolean;
  time_ms?: number;
  shares?: Share[];
  /** Of Flags: the side, row, column, whether it was the bomb, mines found, and the time. */
  moves?: [number, number, number, boolean, number, number][];
  sides?: [number, number];
  winner?: number | null;
}

/** The response of `/api/rooms/CODE/recording`. */
export interface Recorded {
  game: number;
  games: number;
  members: { number: number; name: string; colour: number; bot: string | null; strength: string | null }[];
  recording: Recording;
}

/** A move in the review of a game of Flags. */
export interface FlagsDecision {
  move: [number, number, number, boolean, number, number];
  expected: number;
  best: Cell;
  best_expected: number;
  lost: number;
  gift: number;
}
