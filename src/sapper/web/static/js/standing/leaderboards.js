/** The Leaderboards page. */

import { $, input, make, select } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { playerOf } from "../replay/public-game.js";
import { date, number, t, tn } from "../translation.js";
import { complaint } from "../refusal.js";
import { ask } from "./api.js";
import { linkTo, tableOf } from "./table.js";
import { MEASURES, day, seconds, valueText } from "./values.js";

/** @typedef {import("./types.js").BoardRow} Row */
/** @typedef {import("./types.js").Leaderboard} Leaderboard */

/** Incremented with each request, so that late answers to older requests are dropped. */
let asked = 0;

startSettings();
startFrame();

/** @returns {URLSearchParams} The leaderboard chosen in the fields. */
function chosen() {
  const measure = select("measure").value;
  const among = select("among").value;
  /** @type {Record<string, string>} */
  const some = select("kind").value === "daily" ? { day: input("day").value } : { rules: select("rules").value, level: select("level").value, period: select("period").value };
  return new URLSearchParams({ ...some, measure, among });
}

/** @param {URLSearchParams} named Those in the URL. */
function choose(named) {
  const is = named.has("day");
  select("kind").value = is ? "daily" : "usual";
  if (is) input("day").value = named.get("day") ?? "";
  for (const id of ["rules", "level", "period", "measure", "among"]) {
    const value = named.get(id);
    if (value && [...select(id).options].some((option) => option.value === value)) select(id).value = value;
  }
  showFields();
}

/** Show the fields of the chosen kind of leaderboard. */
function showFields() {
  const daily = select("kind").value === "daily";
  for (const field of /** @type {NodeListOf<HTMLElement>} */ ($("filters").querySelectorAll(".usual, .daily"))) {
    field.hidden = field.classList.contains("daily") !== daily;
  }
}

/** @param {boolean} [replaces] Whether the URL changes. */
async function load(replaces = true) {
  const mine = ++asked;
  const named = chosen();
  if (replaces) history.replaceState(null, "", `/leaderboards?${named}`);
  try {
    const found = await ask(`leaderboard?${named}`);
    if (mine !== asked) return;
    $("banner").hidden = true;
    show(found);
  } catch (problem) {
    if (mine !== asked) return;
    $("banner").textContent = complaint(problem);
    $("banner").hidden = false;
  }
}

/** @param {Leaderboard} found */
function show(found) {
  const { board, rows, own, players } = found;
  $("board-title").textContent = board.day
    ? t("Daily board of {day}", { day: date(new Date(`${board.day}T12:00Z`), { dateStyle: "long", timeZone: "UTC" }) })
    : t("{level}, {rules}", { level: board.level_label, rules: board.rules_label });
  $("about").textContent = rows.length ? tn("{n} player", "{n} players", players, { n: number(players) }) : "";
  $("check").hidden = board.seed === null;
  $("check").textContent = t("Anyone can generate the board: {command}", { command: `sapper generate --daily ${board.day} --seed ${board.seed}` });
  if (!rows.length) return $("rows").replaceChildren(emptyText(found));
  const below = own && !rows.some((row) => row.own) ? [own] : [];
  const table = tableOf($("board-title").textContent ?? "", columns(found), [...rows, ...below], (row) => (row.own ? (below.includes(row) ? "own below" : "own") : ""));
  $("rows").replaceChildren(table);
}

/** @param {Leaderboard} found */
function emptyText({ name, board }) {
  const past = board.day !== null && board.day !== input("day").max;
  const none = past ? t("Nobody has a result for this day.") : t("Nobody has a game here yet. Yours can be the first.");
  const text = make("p", select("among").value === "followed" ? t("Neither you nor anyone you follow has a game here yet.") : none);
  if (!name && !past) text.append(" ", linkTo("/account", t("Claim a name to take part.")));
  text.className = "nobody";
  return text;
}

/**
 * @param {Leaderboard} found
 * @returns {import("./table.js").Column<Row>[]}
 */
function columns({ measure, board }) {
  /** @type {import("./table.js").Column<Row>} */
  const time = { name: MEASURES.time, look: "number", cell: (row) => seconds(row.time_ms) };
  return [
    { name: t("Place"), look: "place", cell: (row) => number(row.place) },
    { name: t("Player"), look: "who", cell: (row) => playerOf(row.name, row.profile) },
    { name: MEASURES[measure], look: "number value", cell: (row) => valueText(measure, row.value) },
    ...(measure === "time" ? [] : [time]),
    { name: "3BV", look: "number", cell: (row) => number(row.bbbv) },
    { name: t("Clicks"), look: "number", cell: (row) => number(row.clicks) },
    // The heading already shows the date of a daily board.
    ...(board.day ? [] : [{ name: t("Date"), look: "when", cell: (/** @type {Row} */ row) => day(row.finished_ms) }]),
    { name: t("Replay"), look: "links", cell: (row) => (row.game ? linkTo(`/g/${row.game}`, t("Replay"), t("Replay of {name}", { name: row.name })) : t("from tomorrow")) },
  ];
}

/** Offer the leaderboards, and show the one in the URL. */
async function start() {
  try {
    /** @type {import("./types.js").Boards} */
    const boards = await ask("leaderboards");
    const named = new URLSearchParams(location.search);
    for (const id of /** @type {const} */ (["rules", "level"])) {
      const [choices, usual] = [id === "rules" ? boards.rules : boards.levels, boards.usual[id]];
      select(id).replaceChildren(...choices.map(({ value, label }) => new Option(label, value, value === usual, value === usual)));
    }
    const level = named.get("level");
    // The URL may have a level that has no entries yet.
    if (level && ![...select("level").options].some((option) => option.value === level)) select("level").append(new Option(level, level));
    input("day").max = boards.today;
    input("day").value = boards.today;
    $("among-field").hidden = !boards.name;
    const own = $("own-profile");
    own.hidden = !boards.name;
    if (boards.name) own.setAttribute("href", `/@${encodeURIComponent(boards.name)}`);
    choose(named);
    await load(false);
  } catch (problem) {
    $("banner").textContent = complaint(problem);
    $("banner").hidden = false;
  }
  document.body.dataset.shown = "";
}

$("filters").addEventListener("change", () => {
  showFields();
  if (select("kind").value === "daily" && !input("day").value) return;
  void load();
});
$("filters").addEventListener("submit", (event) => event.preventDefault());
void start();
