/** A player's page: best games, ratings, statistics and last games. */

import { $, button, make } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { percent } from "../history/figures.js";
import { Plot } from "../lab/plot.js";
import { Refusal } from "../refusal.js";
import { playerOf } from "../replay/public-game.js";
import { HELPED } from "../review/wording.js";
import { date, number, t, tn } from "../translation.js";
import { complaint } from "../refusal.js";
import { ask } from "./api.js";
import { linkTo, tableOf } from "./table.js";
import { MEASURES, day, intervalText, listName, ratingText, seconds, valueText } from "./values.js";

/** @typedef {import("./types.js").Profile} Profile */
/** @typedef {import("./types.js").Rated} Rated */
/** @typedef {import("./values.js").Measure} Measure */

const name = decodeURIComponent(location.pathname.slice(2));
let following = false;

startSettings();
startFrame();

/** @param {Profile} found */
function show(found) {
  $("found").hidden = false;
  $("name").textContent = found.name;
  const since = t("Playing under this name since {day}", { day: day(found.since_ms) });
  $("since").textContent = found.private ? `${since} · ${t("private: only you can see this page")}` : since;
  $("edit").hidden = !found.own;
  $("follow").hidden = found.following === null;
  showFollowing(Boolean(found.following));
  const { streak, played, won } = found.daily;
  $("daily").replaceChildren(
    figure(t("Streak"), tn("{n} day", "{n} days", streak, { n: number(streak) })),
    figure(t("Won without help"), t("{won} of {games}", { won: number(won), games: number(played) })),
  );
  showRatings(found.ratings);
  showBests(found.bests);
  showStatistics(found.statistics);
  showGames(found.games);
}

/**
 * @param {string} title
 * @param {string} value
 */
function figure(title, value) {
  const made = make("div");
  made.append(make("dt", title), make("dd", value));
  return made;
}

/** @param {boolean} now */
function showFollowing(now) {
  following = now;
  $("follow").textContent = now ? t("Following") : t("Follow");
  $("follow").setAttribute("aria-pressed", String(now));
}

/** @param {Rated[]} ratings */
function showRatings(ratings) {
  $("ratings-part").hidden = !ratings.length;
  const table = tableOf(
    t("Ratings"),
    [
      { name: t("Rating list"), look: "who", cell: listName },
      { name: t("Rating"), look: "number value", cell: (one) => t(one.provisional ? "{rating}?" : "{rating}", { rating: ratingText(one.rating) }) },
      { name: t("95 % interval"), look: "number", cell: intervalText },
      { name: t("Games"), look: "number", cell: (one) => number(one.games) },
    ],
    ratings,
  );
  $("ratings").replaceChildren(table);
  $("graphs").replaceChildren(...ratings.filter(({ changes }) => changes.length > 1).map(graph));
}

/**
 * @param {Rated} rated
 * @returns {HTMLElement} The graph of a rating, by game.
 */
function graph(rated) {
  const { changes, games } = rated;
  const first = games - changes.length + 1;
  const lows = changes.map(([, rating, deviation]) => rating - 2 * deviation);
  const highs = changes.map(([, rating, deviation]) => rating + 2 * deviation);
  const plot = new Plot(
    t("Rating after each game, with its 95 % interval"),
    { name: t("game"), least: first, most: games, whole: true, text: number },
    { name: t("rating"), least: Math.min(...lows), most: Math.max(...highs), text: ratingText },
  );
  const xs = changes.map((_, at) => first + at);
  const ends = [...xs.map((x, at) => [x, highs[at]]), ...xs.map((x, at) => [x, lows[at]]).reverse()];
  plot.add("polygon", { class: "band", points: ends.map(([x, y]) => `${plot.x(x)},${plot.y(y)}`).join(" ") });
  plot.line(xs, changes.map(([, rating]) => rating));
  const made = make("figure");
  const caption = make("figcaption", listName(rated));
  const [from, to] = [changes[0][0], changes[changes.length - 1][0]].map(day);
  caption.append(make("small", t("{from} to {to}, with 95 % intervals", { from, to })));
  made.append(caption, plot.svg);
  return made;
}

/** @param {Profile["bests"]} bests */
function showBests(bests) {
  if (!bests.length) return nothing("bests", t("No game on a leaderboard yet."));
  /** @param {Measure} measure */
  const column = (measure) => ({
    name: MEASURES[measure],
    look: "number",
    cell: (/** @type {import("./types.js").BestGames} */ row) => {
      const best = row[measure];
      if (!best) return "–";
      const value = valueText(measure, best.value);
      return linkTo(`/g/${best.game}`, value, t("{value}: replay of {day}", { value, day: day(best.finished_ms) }));
    },
  });
  const board = (/** @type {import("./types.js").BestGames} */ row) =>
    linkTo(`/leaderboards?${new URLSearchParams({ rules: row.rules, level: row.level })}`, t("{level}, {rules}", { level: row.level_label, rules: row.rules_label }));
  $("bests").replaceChildren(
    tableOf(t("Best games"), [{ name: t("Leaderboard"), look: "who", cell: board }, column("time"), column("speed"), column("efficiency")], bests),
  );
}

/** @param {Profile["statistics"]} kinds */
function showStatistics(kinds) {
  if (!kinds.length) return nothing("statistics", t("No games yet."));
  $("statistics").replaceChildren(
    tableOf(
      t("Statistics"),
      [
        { name: t("Kind"), look: "who", cell: (row) => t("{level}, {rules}", { level: row.level_label, rules: row.rules_label }) },
        { name: t("Games"), look: "number", cell: (row) => number(row.games) },
        { name: t("Win rate"), look: "number value", cell: (row) => percent(row.won / row.games) },
        { name: t("95 % interval"), look: "number", cell: ({ interval: [low, high] }) => t("{low} to {high}", { low: percent(low), high: percent(high) }) },
        { name: t("Best time"), look: "number", cell: (row) => (row.best_ms === null ? "–" : seconds(row.best_ms)) },
      ],
      kinds,
    ),
  );
}

/** @param {Profile["games"]} games */
function showGames(games) {
  if (!games.length) return nothing("games", t("No games yet."));
  const moment = (/** @type {number} */ ms) => date(new Date(ms), { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
  const result = (/** @type {import("./types.js").LastGame} */ game) => {
    const ends = game.won ? t("Won") : t("Lost");
    return game.helped ? `${ends} · ${HELPED[game.helped] ?? t("with help")}` : ends;
  };
  $("games").replaceChildren(
    tableOf(
      t("Last games"),
      [
        { name: t("Date"), look: "when", cell: (game) => (game.finished_ms ? moment(game.finished_ms) : t("unknown")) },
        { name: t("Game"), look: "who", cell: (game) => t("{level}, {rules}", { level: game.level_label, rules: game.rules_label }) },
        { name: t("Result"), cell: result },
        { name: t("Time"), look: "number", cell: (game) => seconds(game.time_ms) },
        { name: t("Replay"), look: "links", cell: (game) => (game.id ? linkTo(`/g/${game.id}`, t("Replay"), t("Replay of {day}", { day: moment(game.finished_ms) })) : "") },
      ],
      games,
    ),
  );
}

/**
 * @param {string} id
 * @param {string} text
 */
function nothing(id, text) {
  const line = make("p", text);
  line.className = "fine";
  $(id).replaceChildren(line);
}

async function toggle() {
  button("follow").disabled = true;
  try {
    const found = await ask(`profiles/${encodeURIComponent(name)}/${following ? "unfollow" : "follow"}`, {});
    showFollowing(found.following);
    $("said").textContent = found.following ? t("You now follow this player.") : t("You no longer follow this player.");
  } catch (problem) {
    $("said").textContent = complaint(problem);
  }
  button("follow").disabled = false;
  $("follow").focus();
}

/** Show players the names that they follow. */
async function showFollowed() {
  /** @type {{following: {name: string, profile: boolean}[]}} */
  const { following: followed } = await ask("following");
  $("following-part").hidden = !followed.length;
  $("following").replaceChildren(
    ...followed.map((one) => {
      const item = make("li");
      item.append(playerOf(one.name, one.profile));
      return item;
    }),
  );
}

async function start() {
  try {
    /** @type {Profile} */
    const found = await ask(`profiles/${encodeURIComponent(name)}`);
    show(found);
    if (found.own) await showFollowed();
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === "no_game") $("missing").hidden = false;
    else {
      $("banner").textContent = complaint(problem);
      $("banner").hidden = false;
    }
  }
}

$("follow").addEventListener("click", () => void toggle());
void start();
