/** The box that shares a finished game at a public URL. */

import { make } from "../dom.js";
import { complaint, jsonOf } from "../refusal.js";
import { t } from "../translation.js";
import { dialogBox } from "./dialog-box.js";

/**
 * The response about a game; see docs/http.md.
 *
 * @typedef {object} Shared
 * @property {string} game
 * @property {string | null} id
 * @property {boolean} listed
 * @property {boolean} named Whether the player has a name.
 */

/**
 * Let the player share a game, or stop sharing it.
 *
 * @param {string} game Its id in the history, or `last`.
 */
export async function offerShare(game) {
  const { box, content: parts, said } = dialogBox("share", t("Share this game"), "div");
  parts.replaceChildren();
  said.textContent = "";
  box.showPopover();
  await run("GET");

  /**
   * @param {"GET" | "POST" | "DELETE"} method
   * @param {boolean} [listed]
   * @param {string} [done] The message shown on success.
   */
  async function run(method, listed = false, done = "") {
    try {
      const body = method === "POST" ? JSON.stringify({ listed }) : undefined;
      /** @type {Shared} */
      const shared = await jsonOf(await fetch(`/api/history/games/${encodeURIComponent(game)}/share`, { method, body }));
      game = shared.game;
      show(shared);
      said.textContent = done;
    } catch (problem) {
      said.textContent = complaint(problem);
    }
  }

  /** @param {Shared} shared */
  function show({ id, listed, named }) {
    if (!id) {
      const create = act(t("Create link"), () => run("POST"));
      create.className = "primary";
      parts.replaceChildren(make("p", t("Anyone with the link can watch this game, with its metrics and review. Nobody can guess the link.")), create);
      create.focus();
      return;
    }
    const address = `${location.origin}/g/${id}`;
    const field = make("input");
    field.type = "text";
    field.readOnly = true;
    field.value = address;
    field.setAttribute("aria-label", t("Link"));
    field.addEventListener("focus", () => field.select());
    const copy = act(t("Copy link"), () => copied(address));
    copy.className = "primary";
    const buttons = make("div");
    buttons.className = "acts";
    buttons.append(copy, act(t("Stop sharing"), () => run("DELETE", false, t("The link no longer works."))));
    parts.replaceChildren(field, ...(named ? [listing(listed)] : []), buttons);
    if (!parts.contains(document.activeElement)) copy.focus();
  }

  /** @param {boolean} listed */
  function listing(listed) {
    const label = make("label");
    label.className = "check";
    const choice = make("input");
    choice.type = "checkbox";
    choice.checked = listed;
    choice.addEventListener("change", () => void run("POST", choice.checked));
    label.append(choice, make("span", t("List it on my profile")));
    return label;
  }

  /** @param {string} address */
  async function copied(address) {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = t("Link copied.");
    } catch {
      /** @type {HTMLInputElement | null} */ (parts.querySelector("input[type=text]"))?.focus();
      said.textContent = t("Copying is not allowed here. The link is selected.");
    }
  }
}

/**
 * @param {string} label
 * @param {() => unknown} work
 * @returns {HTMLButtonElement}
 */
function act(label, work) {
  const made = make("button", label);
  made.type = "button";
  made.addEventListener("click", () => void work());
  return made;
}
