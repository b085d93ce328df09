/** The Leaderboards page. */

import { $, button, input, make, select } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { playerOf } from "../replay/public-game.js";
import { date, number, t, tn } from "../translation.js";
import { complaint } from "../refusal.js";
import { ask } from "./api.js";
import { linkTo, tableOf } from "./table.js";
import { MEASURES, day, intervalText, listName, ratingText, seconds, valueText } from "./values.js";

/** @typedef {import("./types.js").BoardRow} Row */
/** @typedef {import("./types.js").Leaderboard} Leaderboard */
/** @typedef {import("./types.js").RatingBoard} RatingBoard */
/** @typedef {import("./types.js").RatingRow} RatingRow */

const PAGE = 100;

/** The number of the first row of the page, from 1, or `own` for the page around the player's row. */
let start = "1";

/** Incremented with each request, so that late answers to older requests are dropped. */
let asked = 0;

startSettings();
startFrame();

/** @returns {URLSearchParams} The leaderboard chosen in the fields. */
function chosen() {
  const measure = select("measure").value;
  /** @type {Record<string, Record<string, string>>} */
  const some = {
    usual: { rules: select("rules").value, level: select("level").value, period: select("period").value, measure },
    daily: { day: input("day").value, measure },
    rating: { list: select("list").value },
  };
  return new URLSearchParams({ ...some[select("kind").value], among: select("among").value, ...(start === "1" ? {} : { start }) });
}

/** @param {URLSearchParams} named Those in the URL. */
function choose(named) {
  select("kind").value = named.has("list") ? "rating" : named.has("day") ? "daily" : "usual";
  if (named.has("day")) input("day").value = named.get("day") ?? "";
  start = named.get("start") ?? "1";
  for (const id of ["rules", "level", "period", "measure", "among", "list"]) {
    const value = named.get(id);
    if (value && [...select(id).options].some((option) => option.value === value)) select(id).value = value;
  }
  showFields();
}

/** Show the fields of the chosen kind of leaderboard. */
function showFields() {
  for (const field of /** @type {NodeListOf<HTMLElement>} */ ($("filters").querySelectorAll(".usual, .daily, .rating"))) {
    field.hidden = !field.classList.contains(select("kind").value);
  }
}

/** @param {boolean} [replaces] Whether the URL changes. */
async function load(replaces = true) {
  const mine = ++asked;
  const named = chosen();
  if (replaces) history.replaceState(null, "", `/leaderboards?${named}`);
  try {
    const found = await ask(`${named.has("list") ? "ratings" : "leaderboard"}?${named}`);
    if (mine !== asked) return;
    $("banner").hidden = true;
    if (named.has("list")) showRatings(found);
    else showBoard(found);
    showPages(found);
  } catch (problem) {
    if (mine !== asked) return;
    $("banner").textContent = complaint(problem);
    $("banner").hidden = false;
  }
}

/** @param {Leaderboard | RatingBoard} found */
function showPages({ rows, own, players, start: first }) {
  const shown = own !== null && rows.some((row) => row.own);
  $("about").textContent = rows.length ? tn("{n} player", "{n} players", players, { n: number(players) }) : "";
  $("around").hidden = own === null || shown;
  $("pages").hidden = first === 1 && rows.length >= players;
  $("place").textContent = t("{first} to {last} of {total}", { first: number(first), last: number(first + rows.length - 1), total: number(players) });
  button("previous").disabled = first === 1;
  button("next").disabled = rows.length < PAGE || first + rows.length > players;
  $("previous").dataset.start = String(Math.max(1, first - PAGE));
  $("next").dataset.start = String(first + PAGE);
}

/** @param {RatingBoard} found */
function showRatings(found) {
  $("board-title").textContent = select("list").selectedOptions[0]?.text ?? "";
  $("check").hidden = true;
  /** @type {import("./table.js").Column<RatingRow>[]} */
  const all = [
    { name: t("Place"), look: "place", cell: (row) => number(row.place) },
    { name: t("Player"), look: "who", cell: (row) => playerOf(row.name, row.profile) },
    { name: t("Rating"), look: "number value", cell: (row) => ratingText(row.rating) },
    { name: t("95 % interval"), look: "number", cell: intervalText },
    { name: t("Games"), look: "number", cell: (row) => number(row.games) },
    { name: t("Last game"), look: "when", cell: (row) => day(row.changed_ms) },
  ];
  if (found.rows.length) showRows(found, all);
  else $("rows").replaceChildren(emptyText(t("Nobody has a settled rating here yet.")));
}

/**
 * @template {{ own: boolean }} Row
 * @param {{ rows: Row[], own: Row | null }} found
 * @param {import("./table.js").Column<Row>[]} all
 */
function showRows({ rows, own }, all) {
  const other = own && !rows.some((row) => row.own) ? [own] : [];
  const look = (/** @type {Row} */ row) => (row.own ? (other.includes(row) ? "own below" : "own") : "");
  $("rows").replaceChildren(tableOf($("board-title").textContent ?? "", all, [...rows, ...other], look));
}

/** @param {Leaderboard} found */
function showBoard(found) {
  const { board, rows, name } = found;
  $("board-title").textContent = board.day
    ? t("Daily board of {day}", { day: date(new Date(`${board.day}T12:00Z`), { dateStyle: "long", timeZone: "UTC" }) })
    : t("{level}, {rules}", { level: board.level_label, rules: board.rules_label });
  $("check").hidden = board.seed === null;
  $("check").textContent = t("Anyone can generate the board: {command}", { command: `sapper generate --daily ${board.day} --seed ${board.seed}` });
  if (rows.length) return showRows(found, columns(found));
  const past = board.day !== null && board.day !== input("day").max;
  const text = emptyText(past ? t("Nobody has a result for this day.") : t("Nobody has a game here yet. Yours can be the first."));
  if (!name && !past) text.append(" ", linkTo("/account", t("Claim a name to take part.")));
  $("rows").replaceChildren(text);
}

/** @param {string} none Why the list of all players is empty. */
function emptyText(none) {
  const text = make("p", select("among").value === "followed" ? t("Neither you nor anyone you follow has a game here yet.") : none);
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
async function begin() {
  try {
    /** @type {import("./types.js").Boards} */
    const boards = await ask("leaderboards");
    const named = new URLSearchParams(location.search);
    for (const id of /** @type {const} */ (["rules", "level"])) {
      const [choices, usual] = [id === "rules" ? boards.rules : boards.levels, boards.usual[id]];
      select(id).replaceChildren(...choices.map(({ value, label }) => new Option(label, value, value === usual, value === usual)));
    }
    select("list").replaceChildren(...boards.lists.map((one) => new Option(listName(one), one.list)));
    $("filters").querySelector("[value=rating]")?.toggleAttribute("hidden", !boards.lists.length);
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

/** @param {string} first */
async function turn(first) {
  start = first;
  await load();
  const own = document.querySelector("#rows .own");
  if (first === "own") own?.scrollIntoView({ block: "center" });
  else $("board-title").scrollIntoView({ block: "start" });
}

$("around").addEventListener("click", () => turn("own"));
for (const id of ["previous", "next"]) $(id).addEventListener("click", () => turn($(id).dataset.start ?? "1"));
$("filters").addEventListener("change", () => {
  start = "1";
  showFields();
  if (select("kind").value === "daily" && !input("day").value) return;
  void load();
});
$("filters").addEventListener("submit", (event) => event.preventDefault());
void begin();
