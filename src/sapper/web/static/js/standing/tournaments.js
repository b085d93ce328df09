/** The list of tournaments, and the form for a new one. */

import { $, input, make, select } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { number, t } from "../translation.js";
import { complaint } from "../refusal.js";
import { ask } from "./api.js";
import { linkTo, tableOf } from "./table.js";
import { leftText, settingsText } from "./tournament-texts.js";
import { day } from "./values.js";

/** @typedef {import("./types.js").ListedTournament} Listed */

startSettings();
startFrame();

/** @type {import("./table.js").Column<Listed>} */
const NAME = { name: t("Name"), look: "who", cell: ({ code, name }) => linkTo(`/t/${code}`, name) };
/** @type {import("./table.js").Column<Listed>} */
const SETTINGS = { name: t("Settings"), cell: settingsText };
/** @type {import("./table.js").Column<Listed>} */
const PLAYERS = { name: t("Players"), look: "number", cell: ({ players }) => number(players) };

/**
 * @param {string} id
 * @param {Listed[]} tournaments
 * @param {string} title
 * @param {import("./table.js").Column<Listed>[]} more
 * @param {string} none
 */
function show(id, tournaments, title, more, none) {
  if (tournaments.length) return $(id).replaceChildren(tableOf(title, [NAME, SETTINGS, PLAYERS, ...more], tournaments));
  const text = make("p", none);
  text.className = "fine";
  $(id).replaceChildren(text);
}

async function load() {
  try {
    /** @type {import("./types.js").TournamentList} */
    const { tournaments, levels, rules, name } = await ask("tournaments");
    for (const [id, choices, usual] of /** @type {const} */ ([["level", levels, "intermediate"], ["rules", rules, "no-guess"]])) {
      select(id).replaceChildren(...choices.map(({ value, label }) => new Option(label, value, value === usual, value === usual)));
    }
    $("nameless").hidden = Boolean(name);
    $("make").hidden = !name;
    const running = tournaments.filter(({ finished_ms: ended }) => ended === null);
    const left = { name: t("Time left"), look: "number", cell: (/** @type {Listed} */ one) => (one.starts_in_ms ? t("starts in {time}", { time: leftText(one.starts_in_ms) }) : leftText(one.left_ms)) };
    show("running", running, t("Running"), [left], t("No tournament is running. Start one below."));
    const winner = { name: t("Winner"), cell: (/** @type {Listed} */ one) => one.winner ?? "–" };
    const ended = { name: t("Date"), look: "when", cell: (/** @type {Listed} */ one) => day(one.finished_ms ?? 0) };
    const over = tournaments.filter(({ finished_ms: done }) => done !== null);
    show("over", over, t("Over"), [winner, ended], t("No tournament has ended yet."));
    $("banner").hidden = true;
  } catch (problem) {
    $("banner").textContent = complaint(problem);
    $("banner").hidden = false;
  }
  document.body.dataset.shown = "";
}

$("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = Object.fromEntries(["level", "rules", "mine", "boards"].map((id) => [id, select(id).value]));
  const numbers = Object.fromEntries(["minutes", "race_size", "starts_in"].map((id) => [id, Number(select(id).value)]));
  try {
    const { code } = await ask("tournaments", { name: input("name").value, rated: input("rated").checked, ...chosen, ...numbers });
    location.href = `/t/${code}`;
  } catch (problem) {
    $("said").textContent = complaint(problem);
  }
});
void load();
