/** The box that downloads a game as a replay file, in any format that can be written. */

import { make } from "../dom.js";
import { Refusal, complaint } from "../refusal.js";
import { listed, sentence } from "../sentence.js";
import { t } from "../translation.js";
import { dialogBox } from "./dialog-box.js";
import { saveFile } from "./save-file.js";

/**
 * @typedef {object} Format
 * @property {"json" | "rawvf" | "evf"} format
 * @property {string} name The name of the file.
 * @property {string[]} changed The content it cannot hold exactly.
 * @property {string | null} problem Why it cannot be written, or null.
 */

/** @type {Record<string, [name: string, use: string]>} */
const FORMATS = {
  json: ["Sapper (.json)", t("Keeps all data")],
  rawvf: ["RawVF (.rawvf)", t("Text format for replay tools")],
  evf: ["EVF 4 (.evf)", t("For Metasweeper")],
};

/** @type {Record<string, string>} Content that a file may lack. */
const PARTS = {
  started_at: t("start time"),
  player: t("player"),
  identity: t("player"),
  country: t("country"),
  mode: t("rule set"),
  origin: t("density"),
};

/**
 * Offer the formats of a game.
 *
 * @param {() => Promise<Blob>} find Finds its replay.
 */
export async function offerDownload(find) {
  const { box, content: list, said } = dialogBox("download", t("Download the replay"), "ul");
  list.replaceChildren();
  said.textContent = t("Preparing the files…");
  box.showPopover();
  try {
    const replay = await find();
    const { formats } = await (await ask("formats", replay)).json();
    list.replaceChildren(...formats.map((/** @type {Format} */ each) => rowOf(each, () => save(each, replay))));
    said.textContent = "";
    list.querySelector("button")?.focus();
  } catch (problem) {
    said.textContent = complaint(problem);
  }

  /**
   * @param {Format} chosen
   * @param {Blob} replay
   */
  async function save({ format, name }, replay) {
    try {
      const answer = await ask(`convert?format=${format}`, replay);
      saveFile(await answer.blob(), name);
      box.hidePopover();
    } catch (problem) {
      said.textContent = complaint(problem);
    }
  }
}

/**
 * @param {string} what
 * @param {Blob} body
 * @returns {Promise<Response>}
 */
async function ask(what, body) {
  const answer = await fetch(`/api/replay/${what}`, { method: "POST", body });
  if (!answer.ok) throw new Refusal((await answer.json()).error);
  return answer;
}

/**
 * @param {Format} format
 * @param {() => void} save
 * @returns {HTMLElement}
 */
function rowOf({ format, changed, problem }, save) {
  const [name, use] = FORMATS[format];
  const row = make("li");
  const choice = make("button", name);
  choice.type = "button";
  choice.dataset.format = format;
  choice.disabled = problem !== null;
  choice.addEventListener("click", save);
  const lost = [...new Set(changed.map((part) => PARTS[part]).filter(Boolean))];
  const without = lost.length ? t("without {parts}", { parts: listed(lost) }) : "";
  const note = make("p", problem ? sentence(problem) : [use, without].filter(Boolean).join(" · "));
  note.id = `format-${format}`;
  choice.setAttribute("aria-describedby", note.id);
  row.append(choice, note);
  return row;
}
