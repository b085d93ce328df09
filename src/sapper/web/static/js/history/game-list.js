/** The table of games, with links to each replay and review. */

import { make } from "../dom.js";
import { offerDownload } from "../frame/download.js";
import { offerShare } from "../frame/share-game.js";
import { recordedGame } from "../replay/opening.js";
import { date, number, t } from "../translation.js";
import { HELPED } from "../review/wording.js";
import { percent, seconds } from "./figures.js";

/** @typedef {import("./types.js").Game} Game */

/**
 * @param {Game} game
 * @returns {string} When it ended.
 */
const moment = ({ finished_ms: ended }) =>
  !ended ? t("unknown") : date(new Date(ended), { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

/** @param {Game} game */
function guesses({ forced_guesses: forced, needless_guesses: needless }) {
  if (forced === null || needless === null) return t("being measured");
  return t("{forced} + {needless}", { forced: number(forced), needless: number(needless) });
}

/** @param {Game} game */
function kind({ rules_label: rules, variant }) {
  const more = variant === "daily" ? t("daily board") : variant;
  return more ? `${rules} (${more})` : rules;
}

/** @param {Game} game */
function result({ won, helped, bot_label: bot }) {
  const ends = won ? t("Won") : t("Lost");
  const why = bot || (helped && (HELPED[helped] ?? t("with help")));
  return why ? `${ends} · ${why}` : ends;
}

/** @param {Game} game */
const speed = ({ won, time_ms: ms, bbbv }) => (won && ms ? (1000 * bbbv) / ms : null);

/** @param {Game} game */
const efficiency = ({ solved, clicks }) => (solved === null || !clicks ? null : solved / clicks);

/** @param {Game} game */
const guessed = ({ forced_guesses: forced, needless_guesses: needless }) =>
  forced === null || needless === null ? null : forced + needless;

/**
 * The columns: sort key, style, name, sort value and text of a game. The server sorts by the same
 * values.
 *
 * @typedef {object} Column
 * @property {string} by
 * @property {string} look
 * @property {string} name
 * @property {(game: Game) => string | number | boolean | null} value
 * @property {(game: Game) => string} text
 */

/** @type {() => Column[]} */
const columns = () => [
  { by: "date", look: "when", name: t("Date"), value: (game) => game.finished_ms, text: moment },
  { by: "level", look: "", name: t("Level"), value: (game) => game.level, text: (game) => game.level_label },
  { by: "rules", look: "wide", name: t("Rule set"), value: (game) => game.rules, text: kind },
  { by: "result", look: "result", name: t("Result"), value: (game) => game.won, text: result },
  { by: "time", look: "number", name: t("Time"), value: (game) => game.time_ms, text: (game) => seconds(game.time_ms / 1000) },
  { by: "bbbv", look: "number wide", name: "3BV", value: (game) => game.bbbv, text: (game) => number(game.bbbv) },
  { by: "speed", look: "number", name: "3BV/s", value: speed, text: (game) => known(speed(game), (found) => number(found, 2)) },
  {
    by: "efficiency",
    look: "number wide",
    name: t("Efficiency"),
    value: efficiency,
    text: (game) => known(efficiency(game), (found) => percent(found, 0)),
  },
  { by: "guesses", look: "number wide", name: t("Guesses, forced + needless"), value: guessed, text: guesses },
];

/**
 * @param {number | null} value
 * @param {(value: number) => string} text
 */
const known = (value, text) => (value === null ? "–" : text(value));

/** Text is sorted from A to Z, figures from high to low. */
const RISING = new Set(["level", "rules", "time"]);

/**
 * @param {import("./types.js").Sorting | null} sorting
 * @param {string} by
 * @returns {import("./types.js").Sorting} The order after a click on a column.
 */
export function sortedBy(sorting, by) {
  return { by, descending: sorting?.by === by ? !sorting.descending : !RISING.has(by) };
}

/**
 * @param {Game[]} games
 * @param {import("./types.js").Sorting} sorting
 * @returns {Game[]} The games, sorted; those without the figure come last.
 */
export function sorted(games, { by, descending }) {
  const column = columns().find((found) => found.by === by);
  if (!column) return games;
  const way = descending ? -1 : 1;
  return [...games].sort((a, b) => {
    const [one, other] = [column.value(a), column.value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : way * (one < other ? -1 : 1);
  });
}

/**
 * @param {Game} game
 * @returns {string[][]} URL, text and full name of each link.
 */
function links(game) {
  const [id, day] = [game.id, moment(game)];
  if (!game.replay) return [];
  const replay = [`/replay?game=${id}`, t("Replay"), t("Replay of {day}", { day })];
  return [replay, [`/review?game=${id}`, t("Review"), t("Review of {day}", { day })]];
}

/**
 * @param {Game} game
 * @returns {HTMLElement}
 */
function downloadOf(game) {
  const made = make("button", t("Download"));
  made.type = "button";
  made.setAttribute("aria-label", t("Download the game of {day}", { day: moment(game) }));
  made.addEventListener("click", () => void offerDownload(() => recordedGame(new URLSearchParams({ game: game.id }))));
  return made;
}

/**
 * @param {Game} game
 * @returns {HTMLElement}
 */
function shareOf(game) {
  const made = make("button", t("Share"));
  made.type = "button";
  made.setAttribute("aria-label", t("Share the game of {day}", { day: moment(game) }));
  made.addEventListener("click", () => void offerShare(game.id));
  return made;
}

/**
 * Show games as a table that can be sorted by its columns.
 *
 * @param {HTMLElement} place
 * @param {Game[]} games
 * @param {string} caption
 * @param {import("./types.js").Sorting | null} sorting Their order; null for any other order.
 * @param {(sorting: import("./types.js").Sorting) => void} sort Called when a column is chosen.
 */
export function showGames(place, games, caption, sorting, sort) {
  const table = make("table");
  const said = make("caption", caption);
  said.className = "spoken";
  const head = make("tr");
  const body = make("tbody");
  const shown = columns();
  for (const game of games) {
    const row = make("tr");
    for (const { look, name, text } of shown) {
      const cell = make("td", text(game));
      cell.className = look === "result" ? (game.won ? "won" : "lost") : look;
      cell.dataset.label = name;
      row.append(cell);
    }
    const open = make("td");
    open.className = "links";
    for (const [address, text, whole] of links(game)) {
      const link = make("a", text);
      link.href = address;
      link.setAttribute("aria-label", whole);
      open.append(link);
    }
    if (game.replay) open.append(downloadOf(game), shareOf(game));
    row.append(open);
    body.append(row);
  }
  for (const column of shown) head.append(header(column, sorting, sort));
  const last = make("th");
  last.append(Object.assign(make("span", t("Open")), { className: "spoken" }));
  last.scope = "col";
  head.append(last);
  const top = make("thead");
  top.append(head);
  table.append(said, top, body);
  const { activeElement: active } = document;
  const focused = (place.contains(active) && (active?.getAttribute("href") ?? active?.getAttribute("data-by"))) || null;
  place.replaceChildren(sortField(shown, sorting, sort), table);
  // The page refreshes while games are being measured.
  const named = (/** @type {Element} */ found) => [found.getAttribute("href"), found.getAttribute("data-by")].includes(focused);
  if (focused) /** @type {HTMLElement | undefined} */ ([...place.querySelectorAll("a, [data-by]")].find(named))?.focus({ preventScroll: true });
}

/**
 * @param {Column} column
 * @param {import("./types.js").Sorting | null} sorting
 * @param {(sorting: import("./types.js").Sorting) => void} sort
 * @returns {HTMLElement} Its head, a button that sorts by it.
 */
function header({ by, look, name }, sorting, sort) {
  const cell = make("th");
  cell.className = look;
  cell.scope = "col";
  if (sorting?.by === by) cell.setAttribute("aria-sort", sorting.descending ? "descending" : "ascending");
  const choose = make("button", name);
  choose.type = "button";
  choose.dataset.by = by;
  choose.addEventListener("click", () => sort(sortedBy(sorting, by)));
  cell.append(choose);
  return cell;
}

/**
 * @param {Column[]} shown
 * @param {import("./types.js").Sorting | null} sorting
 * @param {(sorting: import("./types.js").Sorting) => void} sort
 * @returns {HTMLElement} The sort field for phones, where column heads do not fit.
 */
function sortField(shown, sorting, sort) {
  const field = make("label", `${t("Sort by")} `);
  field.className = "sort-field";
  const list = make("select");
  list.dataset.by = "field";
  if (!sorting) list.append(new Option("–", ""));
  for (const { by, name } of shown) list.append(new Option(name, by, false, sorting?.by === by));
  list.addEventListener("change", () => sort(sortedBy(null, list.value)));
  field.append(list);
  return field;
}
