/** Opens dropped replays on the Replay page. */

import { isReplay } from "../replay/is-replay.js";
import { openOn } from "../replay/kept-files.js";
import { t } from "../translation.js";

/**
 * @param {File} file
 * @param {(text: string) => void} refuse Called if the replay cannot be opened.
 * @returns {Promise<boolean>} Whether the file is a replay.
 */
export async function openReplay(file, refuse) {
  if (!(await isReplay(file))) return false;
  try {
    await openOn("/replay", file);
  } catch {
    refuse(t("This browser cannot transfer the file. Open it on the Replay page."));
  }
  return true;
}
