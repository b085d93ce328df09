/** The lab's page: asks how the runs stand, and shows the one in the address. */

import { startColorScheme } from "../frame/color-scheme.js";
import { pace, percent, state } from "./run-text.js";
import { showPlots, showStanding } from "./run-view.js";

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);

const POLL_MS = 1000;

let drawn = "";

/** @returns {string} The run in the address. */
const wanted = () => location.hash.slice(1);

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
async function ask(path) {
  const answer = await fetch(path);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body;
}

/** @param {any[]} runs */
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
      bar.value = run.games;
      link.append(bar);
    }
    return link;
  });
  const focus = [...$("runs").children].indexOf(document.activeElement);
  $("runs").replaceChildren(...links);
  if (focus >= 0) $("runs").children[focus]?.focus();
  $("empty").hidden = runs.length > 0;
  return chosen;
}

async function look() {
  const chosen = list(await ask("/api/runs"));
  $("banner").hidden = true;
  if (!chosen) {
    $("run").hidden = true;
    return;
  }
  showStanding(chosen);
  const now = `${chosen.id} ${chosen.games} ${chosen.state}`;
  if (now === drawn) return;
  const whole = await ask(`/api/runs/${chosen.id}`);
  drawn = now;
  showPlots(whole);
}

async function watch() {
  try {
    if (!document.hidden) await look();
  } catch (problem) {
    const gone = problem instanceof TypeError;
    $("banner").textContent = gone ? "Sapper is not running. Reconnecting …" : String(/** @type {Error} */ (problem).message);
    $("banner").hidden = false;
  }
  setTimeout(watch, POLL_MS);
}

startColorScheme($("theme"));
addEventListener("hashchange", () => look().catch(() => undefined));
watch();
