/** Downloads and shares the last game on the Play page. */

import { fetchReplay } from "../replay/fetch-replay.js";
import { offerDownload } from "./download.js";
import { offerShare } from "./share-game.js";

/** Let the player download the game. */
export function downloadLast() {
  void offerDownload(() => fetchReplay("/api/replay"));
}

/** Let the player share the game. */
export function shareLast() {
  void offerShare("last");
}
