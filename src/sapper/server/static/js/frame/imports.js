/** What comes from outside: files and texts that are chosen, dropped or pasted on the page. */

import { $, input } from "../dom.js";

/** @param {(given: File | string) => void} take Called with each file or text. */
export function listenToImports(take) {
  document.addEventListener("paste", (event) => {
    const given = givenBy(event.clipboardData);
    // A text in a text field is typed there.
    const typing = document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])");
    if (!given || (typing && typeof given === "string")) return;
    event.preventDefault();
    take(given);
  });
  let inside = 0;
  const showDrop = (/** @type {number} */ change) => {
    inside = Math.max(0, inside + change);
    $("drop").hidden = inside === 0;
  };
  document.addEventListener("dragenter", () => showDrop(1));
  document.addEventListener("dragleave", () => showDrop(-1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    showDrop(-inside);
    const given = givenBy(event.dataTransfer);
    if (given) take(given);
  });
  $("choose").addEventListener("click", () => input("file").click());
  input("file").addEventListener("change", () => {
    const file = input("file").files?.[0];
    if (file) take(file);
    input("file").value = "";
  });
}

/**
 * @param {DataTransfer | null} data
 * @returns {File | string | null} The first file, or else the text.
 */
function givenBy(data) {
  const text = data?.getData("text") ?? "";
  return data?.files[0] ?? (text.trim() ? text : null);
}
