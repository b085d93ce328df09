/** The Lab page, which polls the runs and shows the one in the URL. */

import { $ } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { t } from "../translation.js";
import { pace, percent, state } from "./run-text.js";
import { showPlots, showStanding } from "./run-view.js";

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").RunCharts} RunCharts */

const POLL_MS = 1000;

let drawn = "";

/** The response of a server that lacks the lab's dependencies. */
class NotInstalled extends Error {}

/** @returns {string} The run in the URL. */
const wanted = () => location.hash.slice(1);

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function ask(path) {
  const answer = await fetch(path);
  const body = await answer.json();
  if (answer.status === 501) throw new NotInstalled(body.error.message);
  if (!answer.ok) throw new Error(body.error.message);
  return body;
}

/**
 * Show the list of runs.
 *
 * @param {Run[]} runs
 * @returns {Run | undefined} The run to show, if any.
 */
function list(runs) {
  const chosen = runs.find((run) => run.id === wanted()) ?? runs[0];
  const links = runs.map((run) => {
    const link = document.createElement("a");
    link.href = `#${run.id}`;
    if (run === chosen) link.setAttribute("aria-current", "true");
    const head = document.createElement("b");
    const [bot, rate] = [document.createElement("span"), document.createElement("span")];
    bot.textContent = run.bot;
    rate.textContent = percent(run.win_rate);
    head.append(bot, rate);
    const [what, how] = [document.createElement("small"), document.createElement("small")];
    what.textContent = `${run.level}, ${run.rules}`;
    const now = Date.now() / 1000;
    how.textContent = pace(run, now);
    link.append(head, what, how);
    if (state(run, now) === "running") {
      const bar = document.createElement("progress");
      bar.max = run.games_wanted || 1;
      bar.value = run.games ?? 0;
      link.append(bar);
    }
    return link;
  });
  const focus = [...$("runs").children].findIndex((link) => link === document.activeElement);
  $("runs").replaceChildren(...links);
  if (focus >= 0) links[focus]?.focus();
  if (runs.length) $("empty").hidden = true;
  else explain("no-runs");
  return chosen;
}

/**
 * Explain the lab and how to start a run.
 *
 * @param {"no-runs" | "not-installed"} why
 */
function explain(why) {
  $("no-runs").hidden = why !== "no-runs";
  $("not-installed").hidden = why !== "not-installed";
  $("run").hidden = true;
  $("banner").hidden = true;
  $("empty").hidden = false;
}

async function look() {
  const chosen = list(/** @type {Run[]} */ (await ask("/api/runs")));
  $("banner").hidden = true;
  if (!chosen) {
    $("run").hidden = true;
    return;
  }
  const now = `${chosen.id} ${chosen.games} ${chosen.state}`;
  if (now === drawn) return showStanding(chosen);
  const whole = /** @type {RunCharts} */ (await ask(`/api/runs/${chosen.id}`));
  drawn = now;
  // Update both at once, so that the plots do not shift the page.
  showStanding(chosen);
  showPlots(whole);
}

async function watch() {
  try {
    if (!document.hidden) await look();
  } catch (problem) {
    if (problem instanceof NotInstalled) explain("not-installed");
    else {
      const gone = problem instanceof TypeError;
      $("banner").textContent = gone ? t("Sapper is not running. Reconnecting…") : String(/** @type {Error} */ (problem).message);
      $("banner").hidden = false;
    }
  }
  setTimeout(watch, POLL_MS);
}

startSettings();
startFrame();
addEventListener("hashchange", () => look().catch(() => undefined));
watch();
