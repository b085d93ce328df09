/** Types used in several parts of the page. */

import type { SentMessage } from "./protocol.js";

/** The effect of a message on the board. */
export interface Change {
  /** Whether the board has a different size than before. */
  fresh: boolean;
  /** The indices of the cells that changed. */
  changed: number[];
  /** Whether messages were lost, in which case the whole state must be requested. */
  lost: boolean;
  /** Whether another game has begun. */
  another: boolean;
}

/** Sends a message, and returns the id of its answer, or null if it was not sent. */
export type Send = (message: SentMessage) => string | null;
/** Formats a number for the reader. */
export type Format = (value: number, digits: number) => string;
