/** The card that shows new recovery codes. */

import { $, make } from "../dom.js";
import { saveFile } from "../frame/save-file.js";
import { t } from "../translation.js";

/** @type {string[]} */
let shown = [];

/** @param {string[]} codes */
export function showCodes(codes) {
  shown = codes;
  $("code-list").replaceChildren(...codes.map((code) => make("li", code)));
  $("codes").hidden = false;
  $("codes-title").focus();
}

/** @param {(text: string) => void} say Shows a message. */
export function startCodes(say) {
  $("copy-codes").addEventListener("click", async () => {
    await navigator.clipboard.writeText(shown.join("\n"));
    say(t("Copied."));
  });
  $("save-codes").addEventListener("click", () => {
    const text = new Blob([`${shown.join("\n")}\n`], { type: "text/plain" });
    saveFile(text, "sapper-recovery-codes.txt");
  });
  $("codes-done").addEventListener("click", () => {
    hideCodes();
    $("own-name").scrollIntoView({ block: "nearest" });
    $("sign-out").focus();
  });
}

/** Remove the codes from the page. */
export function hideCodes() {
  shown = [];
  $("codes").hidden = true;
  $("code-list").replaceChildren();
}
