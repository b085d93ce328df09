/** Types that several parts of the page use. */

import type { SentMessage } from "./protocol.js";

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
export type Send = (message: SentMessage) => string | null;
/** Writes a number for the reader. */
export type Format = (value: number, digits: number) => string;
