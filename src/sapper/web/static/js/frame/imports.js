/** Files and text that are imported: chosen, dropped or pasted. */

import { $, input } from "../dom.js";
import { givenBy, sortOut, takeDrops } from "./drops.js";

/**
 * @param {(given: File | string) => void} take Called with each file or text.
 * @param {{replays?: boolean}} [more] Whether to accept replays (default: they open on the Replay page).
 */
export function listenToImports(take, { replays = false } = {}) {
  takeDrops(take, { texts: true, replays });
  document.addEventListener("paste", (event) => {
    const given = givenBy(event.clipboardData);
    // Text pasted into a text field is not imported.
    const typing = document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])");
    if (!given || (typing && typeof given === "string")) return;
    event.preventDefault();
    void sortOut(given, take);
  });
  $("choose").addEventListener("click", () => input("file").click());
  input("file").addEventListener("change", () => {
    const file = input("file").files?.[0];
    if (file) void sortOut(file, take);
    input("file").value = "";
  });
}
