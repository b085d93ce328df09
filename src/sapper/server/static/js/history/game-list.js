/** Games as a table, each with the links to its replay and its review. */

import { make } from "../dom.js";
import { offerDownload } from "../frame/download.js";
import { recordedGame } from "../replay/opening.js";
import { nameLabel } from "../frame/labels.js";
import { date, number, t } from "../translation.js";
import { HELPED } from "../review/wording.js";
import { percent, seconds } from "./figures.js";

/** @typedef {import("./types.js").Game} Game */

/**
 * @param {Game} game
 * @returns {string} When it ended.
 */
const moment = ({ finished_ms: ended }) =>
  date(new Date(ended), { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

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
function result({ won, helped, bot }) {
  const ends = won ? t("Won") : t("Lost");
  const why = bot ? nameLabel(bot) : helped && (HELPED[helped] ?? t("with help"));
  return why ? `${ends} · ${why}` : ends;
}

/**
 * @param {Game} game
 * @returns {[string, string, string][]} The look, name and content of each column.
 */
function columns(game) {
  const speed = game.won && game.time_ms ? number((1000 * game.bbbv) / game.time_ms, 2) : "–";
  const efficiency = game.solved === null || !game.clicks ? "–" : percent(game.solved / game.clicks, 0);
  return [
    ["when", t("Date"), moment(game)],
    ["", t("Level"), nameLabel(game.level)],
    ["wide", t("Rule set"), kind(game)],
    [game.won ? "won" : "lost", t("Result"), result(game)],
    ["number", t("Time"), seconds(game.time_ms / 1000)],
    ["number wide", "3BV", number(game.bbbv)],
    ["number", "3BV/s", speed],
    ["number wide", t("Efficiency"), efficiency],
    ["number wide", t("Guesses, forced + needless"), guesses(game)],
  ];
}

/**
 * @param {Game} game
 * @returns {string[][]} Address, text and full name of each link.
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
 * @param {HTMLElement} place
 * @param {Game[]} games
 * @param {string} caption
 */
export function showGames(place, games, caption) {
  const table = make("table");
  const said = make("caption", caption);
  said.className = "spoken";
  const head = make("tr");
  const body = make("tbody");
  for (const game of games) {
    const row = make("tr");
    for (const [look, , text] of columns(game)) {
      const cell = make("td", text);
      cell.className = look;
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
    if (game.replay) open.append(downloadOf(game));
    row.append(open);
    body.append(row);
  }
  for (const [look, name] of games.length ? columns(games[0]) : []) {
    const cell = make("th", name);
    cell.className = look.replace(/won|lost/, "");
    cell.scope = "col";
    head.append(cell);
  }
  const last = make("th");
  last.append(Object.assign(make("span", t("Open")), { className: "spoken" }));
  last.scope = "col";
  head.append(last);
  const top = make("thead");
  top.append(head);
  table.append(said, top, body);
  const focused = place.contains(document.activeElement) && document.activeElement?.getAttribute("href");
  place.replaceChildren(table);
  // The page asks again while games are being measured.
  if (focused) [...place.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
}
