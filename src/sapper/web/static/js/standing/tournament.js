/** A tournament's page: its live table, and a link to the player's next race. */

import { $, button, make } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { playerOf } from "../replay/public-game.js";
import { Refusal } from "../refusal.js";
import { listed } from "../sentence.js";
import { number, t } from "../translation.js";
import { complaint } from "../refusal.js";
import { ask } from "./api.js";
import { linkTo, tableOf } from "./table.js";
import { leftText, settingsText } from "./tournament-texts.js";
import { seconds } from "./values.js";

/** @typedef {import("./types.js").TournamentView} View */
/** @typedef {import("./types.js").TableRow} Row */

const EVERY_MS = 2_000;
const RACE = "sapper.race";
const code = location.pathname.split("/")[2] ?? "";
/** The end of the tournament, by this page's clock. */
let endsAt = 0;
/** The time of the first race, by the same clock. */
let startsAt = 0;
/** The last table, so that an unchanged one stays in place. */
let drawn = "";
/** The room that this page has opened. */
let opened = remembered();

startSettings();
startFrame();

/** @type {Record<Row["state"], string>} */
const STATES = { racing: t("racing"), ready: t("waiting for a race"), paused: t("paused") };

/** @param {View} view */
function show(view) {
  const { you, over } = view;
  $("found").hidden = false;
  $("name").textContent = view.name;
  $("about").textContent = settingsText(view);
  endsAt = performance.now() + view.left_ms;
  startsAt = performance.now() + view.starts_in_ms;
  showLeft(over);
  button("join").hidden = over || !you || you.state === "ready";
  button("join").textContent = you?.room ? t("Go to your race") : you?.state ? t("Continue") : t("Join");
  button("pause").hidden = over || !(you?.state === "ready" || (you?.state === "racing" && !you.pausing));
  $("claim").hidden = over || Boolean(you);
  const now = JSON.stringify([view.table, view.races]);
  if (now !== drawn) {
    drawn = now;
    $("table").replaceChildren(view.table.length ? table(view) : make("p", t("Nobody has joined yet.")));
    $("races-part").hidden = !view.races.length;
    $("races").replaceChildren(...view.races.map(race));
  }
  if (you?.room && you.room !== opened && document.visibilityState === "visible") enter(you.room);
}

/** @returns {string | null} */
function remembered() {
  try {
    return sessionStorage.getItem(RACE);
  } catch {
    return null;
  }
}

/** @param {string} room */
function enter(room) {
  opened = room;
  try {
    sessionStorage.setItem(RACE, room);
  } catch {
    // Without storage, the page opens the race again when the player returns.
  }
  location.href = `/r/${room}?t=${code}`;
}

/** @param {boolean} over */
function showLeft(over) {
  const [wait, left] = [startsAt, endsAt].map((at) => Math.max(0, at - performance.now()));
  const running = left ? t("{time} left", { time: leftText(left) }) : t("Last races");
  $("left").textContent = over ? t("Over") : wait ? t("starts in {time}", { time: leftText(wait) }) : running;
}

/** @param {View} view */
function table(view) {
  return tableOf(
    t("Table"),
    [
      { name: t("Place"), look: "place", cell: (row) => number(row.place) },
      { name: t("Player"), look: "who", cell: (row) => (row.name === null ? make("span", t("deleted player")) : playerOf(row.name, row.profile)) },
      { name: t("Points"), look: "number value", cell: (row) => number(row.points) },
      { name: t("Races"), look: "number", cell: (row) => number(row.races) },
      { name: t("Wins"), look: "number", cell: (row) => number(row.wins) },
      { name: t("Wins in a row"), look: "number", cell: (row) => number(row.streak) },
      { name: t("Best time"), look: "number", cell: (row) => (row.best_ms === null ? "–" : seconds(row.best_ms)) },
      ...(view.over ? [] : [{ name: t("Now"), cell: (/** @type {Row} */ row) => STATES[row.state] }]),
    ],
    view.table,
    (row) => (row.own ? "own" : ""),
  );
}

/** @param {View["races"][number]} race */
function race({ room, names }) {
  const item = make("li", `${listed(names.map((name) => name ?? t("deleted player")))} `);
  if (room) item.append(linkTo(`/r/${room}`, t("Watch")));
  return item;
}

async function load() {
  try {
    show(await ask(`tournaments/${encodeURIComponent(code)}`));
    $("banner").hidden = true;
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === "no_game") {
      $("missing").hidden = false;
      return;
    }
    $("banner").textContent = complaint(problem);
    $("banner").hidden = false;
  }
  if ($("left").textContent !== t("Over")) setTimeout(() => void load(), EVERY_MS);
}

/** @param {"join" | "pause"} what */
async function act(what) {
  try {
    const view = await ask(`tournaments/${encodeURIComponent(code)}/${what}`, {});
    const paused = view.you?.pausing ? t("You will be paused after this race, and keep your points.") : t("You are paused, and keep your points.");
    $("said").textContent = what === "join" ? t("You have joined. Your next race opens here.") : paused;
    show(view);
    if (what === "join" && view.you?.room) enter(view.you.room);
  } catch (problem) {
    $("said").textContent = complaint(problem);
  }
}

$("join").addEventListener("click", () => void act("join"));
$("pause").addEventListener("click", () => void act("pause"));
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    $("said").textContent = t("Link copied.");
  } catch {
    $("said").textContent = location.href;
  }
});
setInterval(() => $("found").hidden || showLeft($("left").textContent === t("Over")), 1000);
void load();
