/** The view of one run: figures, plots and tables. */

import { $ } from "../dom.js";
import { number, t, tn } from "../translation.js";
import { interval, pace, percent, setting, whole } from "./run-text.js";
import { Plot } from "./plot.js";

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").RunCharts} RunCharts */

/** @param {number} value */
const share = (value) => whole(100 * value);

/**
 * @param {string} title
 * @param {string} note
 * @param {Plot} plot
 */
function figure(title, note, plot) {
  const made = document.createElement("figure");
  const caption = document.createElement("figcaption");
  const small = document.createElement("small");
  small.textContent = note;
  caption.append(title, small);
  made.append(caption, plot.svg);
  return made;
}

/** @param {RunCharts} run */
function history(run) {
  const { games, rate, low, high } = run.history;
  const ends = [...low.slice(Math.floor(low.length / 8)), ...high.slice(Math.floor(high.length / 8))];
  const least = Math.max(0, Math.floor(10 * Math.min(...ends)) / 10);
  const most = Math.min(1, Math.ceil(10 * Math.max(...ends)) / 10);
  const axis = { name: t("games won, %"), least, most: most > least ? most : least + 0.1, text: share };
  const plot = new Plot(t("Win rate by games played"), { name: t("games played"), most: games.at(-1) ?? 0, whole: true, text: (value) => whole(value) }, axis);
  const inside = (/** @type {number} */ value) => Math.min(axis.most, Math.max(least, value));
  plot.band(games, low.map(inside), high.map(inside));
  plot.line(games, rate.map(inside));
  return figure(t("Win rate"), t("Win rate as games are played, with its 95 % interval."), plot);
}

/** @param {RunCharts} run */
function calibration(run) {
  const axis = { most: 1, text: share };
  const plot = new Plot(
    t("Share of mines against predicted risk"),
    { ...axis, name: t("predicted risk, %") },
    { ...axis, name: t("guesses that hit a mine, %") },
  );
  plot.add("line", { class: "ideal", x1: plot.x(0), y1: plot.y(0), x2: plot.x(1), y2: plot.y(1) });
  for (const { predicted, n, mines, share: hit, low, high } of run.calibration) {
    const words = { predicted: percent(predicted), mines: whole(mines), guesses: whole(n), share: percent(hit) };
    const says = t("{predicted} predicted: {mines} mines in {guesses} guesses, {share}", words);
    plot.point(predicted, hit, low, high, says);
  }
  return figure(t("Calibration"), t("All guesses, in 5 % steps of predicted risk, with 95 % intervals."), plot);
}

/** @param {RunCharts} run */
function guesses(run) {
  const most = Math.max(...run.guesses.map((row) => row.games));
  const last = Math.max(...run.guesses.map((row) => row.guesses));
  const plot = new Plot(
    t("Games by number of guesses"),
    { name: t("guesses in a game"), least: -0.5, most: last + 0.5, whole: true, text: (value) => whole(value) },
    { name: t("games"), most, whole: true, text: (value) => whole(value) },
  );
  for (const { guesses: n, games, wins } of run.guesses) {
    const words = { games: whole(games), won: percent(wins / games) };
    const says = tn("{n} guess: {games} games, {won} won", "{n} guesses: {games} games, {won} won", n, words);
    plot.bar("bar-all", n, 0.8, games, says);
    plot.bar("bar-won", n, 0.8, wins, says);
  }
  return figure(t("Guesses"), t("Games by number of guesses; wins are dark."), plot);
}

/** @param {Run} run */
function levels(run) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const name of [t("Decided by"), t("choices"), t("per game"), t("games lost")]) {
    const cell = document.createElement("th");
    cell.textContent = name;
    head.append(cell);
  }
  const rows = Object.entries(run.by ?? {}).sort(([, a], [, b]) => b - a);
  const body = table.createTBody();
  for (const [name, uses] of rows) {
    const row = body.insertRow();
    const each = number(uses / (run.games ?? 0), 2);
    for (const text of [name || t("(not named)"), whole(uses), each, whole(run.lost_by?.[name] ?? 0)]) {
      row.insertCell().textContent = text;
    }
  }
  return table;
}

/**
 * Show the state of a run.
 *
 * @param {Run} run
 */
export function showStanding(run) {
  $("run").hidden = false;
  $("title").textContent = t("{bot} on {level}", { bot: run.bot ?? "", level: run.level ?? "" });
  $("setting").textContent = setting(run);
  $("rate").textContent = percent(run.win_rate);
  $("interval").textContent = run.games ? interval(run.interval) : "";
  const progress = $("progress");
  progress.max = run.games_wanted || 1;
  progress.value = run.games ?? 0;
  $("pace").textContent = pace(run, Date.now() / 1000);
  $("failure").hidden = !run.error;
  $("failure").textContent = run.error ?? "";
  // Network visitors do not receive the command.
  $("command").hidden = !run.command;
  $("command").textContent = run.command ?? "";
  const digest = run.digest ? [t("Digest of all games: {digest}.", { digest: run.digest })] : [];
  const origin = run.path ? [t("Sapper {version}, in {path}.", { version: run.sapper_version ?? "", path: run.path })] : [];
  $("fine").textContent = [...digest, ...origin].join(" ");
}

/**
 * Draw the charts that are based on single games.
 *
 * @param {RunCharts} run
 */
export function showPlots(run) {
  const plots = run.history.games.length ? [history(run)] : [];
  if (run.calibration.length) plots.push(calibration(run));
  if (run.guesses.length > 1) plots.push(guesses(run));
  $("plots").replaceChildren(...plots);
  $("tables").replaceChildren(...(run.games ? [levels(run)] : []));
}
