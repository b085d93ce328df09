/** Types that several parts of the page use. */

import type { SentMessage } from "./protocol.js";

/** The effect of a message on the board. */
export interface Change {
  /** Whether the board has another size. */
  fresh: boolean;
  /** The indices of the cells that changed. */
  changed: number[];
  /** Whether messages were lost, so that the whole state must be requested. */
  lost: boolean;
  /** Whether another game has begun. */
  another: boolean;
}

/** Sends a message; gives the id under which it will be answered, null if it was not sent. */
export type Send = (message: SentMessage) => string | null;
/** Writes a number for the reader. */
export type Format = (value: number, digits: number) => string;
