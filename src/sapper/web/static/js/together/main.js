/** The Together page: open rooms, a new room, and joining by code. */

import { $, button, input } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { learnLabels } from "../menu.js";
import { jsonOf, Refusal } from "../refusal.js";
import { sentence } from "../sentence.js";
import { t } from "../translation.js";
import { Form, requestOf } from "./form.js";
import { showRooms } from "./list.js";

const AGAIN_MS = 3000;
const CODE = /^[a-z0-9]{6}$/i;

/** @type {Form | null} */
let form = null;
/** @type {Map<string, string>} */
const rules = new Map();
let timer = 0;

startSettings();
startFrame();

/** @param {unknown} problem */
function complain(problem) {
  const refused = problem instanceof Refusal;
  $("banner").textContent = refused ? sentence(problem.message) : t("The server is not responding. This page keeps trying.");
  $("banner").hidden = false;
}

/** Show the rooms now, and again every few seconds while the page is in view. */
async function list() {
  clearTimeout(timer);
  try {
    if (!form) await offer();
    /** @type {{rooms: import("../room/types.js").ListedRoom[]}} */
    const { rooms } = await jsonOf(await fetch("/api/rooms"));
    showRooms($("rooms"), rooms, (name) => rules.get(name) ?? name);
    $("none").hidden = rooms.length > 0;
    $("banner").hidden = true;
    document.body.dataset.shown = "";
  } catch (problem) {
    complain(problem);
  }
  if (!document.hidden) timer = window.setTimeout(list, AGAIN_MS);
}

/** Fill the form. */
async function offer() {
  /** @type {import("../room/types.js").Menu} */
  const menu = await jsonOf(await fetch("/api/rooms/menu"));
  for (const { name, label } of menu.rules) rules.set(name, label);
  learnLabels(/** @type {any} */ ({ levels: menu.levels, bots: [] }));
  form = new Form(menu);
  $("playing-as").replaceChildren(...playingAs(menu.name));
}

/**
 * @param {string | null} name
 * @returns {(string | Node)[]}
 */
function playingAs(name) {
  if (name) return [t("You are playing as {name}.", { name })];
  const link = document.createElement("a");
  link.href = "/account";
  link.textContent = t("Claim a name");
  return [t("You are playing as a guest."), " ", link];
}

$("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!form || button("create").disabled) return;
  button("create").disabled = true;
  try {
    const how = { method: "POST", body: JSON.stringify(requestOf(form.values)), headers: { "content-type": "application/json" } };
    const { code } = await jsonOf(await fetch("/api/rooms", how));
    location.href = `/r/${code}`;
  } catch (problem) {
    if (!(problem instanceof Refusal)) complain(problem);
    else {
      $("make-error").textContent = sentence(problem.message);
      $("make-error").hidden = false;
    }
    button("create").disabled = false;
  }
});

$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = input("code").value.trim();
  $("code-error").hidden = CODE.test(code);
  $("code-error").textContent = t("A code has six letters and digits, such as K7QM3X.");
  if (CODE.test(code)) location.href = `/r/${code.toUpperCase()}`;
  else input("code").focus();
});

// A page shown again by the Back button must not keep its button disabled.
addEventListener("pageshow", () => (button("create").disabled = false));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void list();
});
void list();
