/** The History page: figures, charts and the list of finished games. */

import { $, button } from "../dom.js";
import { filesOf } from "../frame/dropped-folders.js";
import { takeManyDrops } from "../frame/drops.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { number, t, tn } from "../translation.js";
import { Refusal } from "../refusal.js";
import { games, statistics } from "./api.js";
import { calendar } from "./calendar.js";
import { showCharts } from "./charts.js";
import { showFigures } from "./figures.js";
import { Filters } from "./filters.js";
import { showGames, sorted } from "./game-list.js";
import { OwnData } from "./own-data.js";
import { patternTable } from "./patterns.js";

const PAGE = 50;
const AGAIN_MS = 3000;

let offset = 0;
/** @type {import("./types.js").Sorting} The order of all games. */
let sorting = { by: "date", descending: true };
/**
 * @type {import("./types.js").Sorting | null} The order of the personal bests, if not the default.
 */
let bestSorting = null;
/** Incremented with each request, so that late answers to older requests are dropped. */
let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

startSettings();
startFrame();
const filters = new Filters(() => {
  offset = 0;
  load();
});
const data = new OwnData(() => load());
takeManyDrops((dropped) => void filesOf(dropped).then((files) => data.import(files)));

/** @param {boolean} [again] Whether to refresh the same games. */
async function load(again = false) {
  const mine = ++asked;
  clearTimeout(waiting);
  const { selection, versus, withHelp } = filters;
  let answers;
  try {
    answers = await Promise.all([
      statistics(selection),
      games(selection, offset, PAGE, sorting),
      versus && statistics(versus),
      withHelp && games(withHelp, 0, 1, sorting),
    ]);
  } catch (problem) {
    if (mine === asked) complain(problem);
    return;
  }
  if (mine !== asked) return;
  const [found, page, other, helped] = answers;
  $("banner").hidden = true;
  if (page.total && offset >= page.total) {
    // The list no longer reaches the page shown.
    offset = PAGE * Math.floor((page.total - 1) / PAGE);
    return load();
  }
  const { scrollLeft } = $("calendar");
  show(found, page, other && other.statistics);
  showHidden(helped?.total ?? 0);
  $("calendar").scrollLeft = again ? scrollLeft : $("calendar").scrollWidth;
  if (found.statistics.unmeasured) waiting = setTimeout(() => load(true), AGAIN_MS);
}

/** @param {unknown} problem */
function complain(problem) {
  const refused = problem instanceof Refusal;
  $("banner").textContent = refused
    ? t("The games cannot be shown: {problem}.", { problem: problem.message })
    : t("Sapper is not running. Start it again, and this page will reconnect.");
  $("banner").hidden = false;
  if (!refused) waiting = setTimeout(() => load(true), AGAIN_MS);
}

/**
 * @param {import("./types.js").Found} found
 * @param {import("./types.js").Page} page
 * @param {import("./types.js").Statistics | null} before
 */
function show({ statistics: all, best, kinds, players, patterns }, page, before) {
  filters.offer(kinds, players);
  data.show(filters.selection, page.total);
  const some = all.games > 0;
  $("found").hidden = !some;
  $("empty").hidden = some;
  $("filters").hidden = !kinds.length;
  if (!some && kinds.length) {
    $("empty-title").textContent = t("No matching games");
    $("empty-text").textContent = t("None of your games match. Try another level, period or player above.");
  }
  if (!some) return;
  showFigures($("figures"), all, before);
  $("measuring").textContent = all.unmeasured
    ? tn(
        "Measuring the guesses in {n} game.",
        "Measuring the guesses in {n} games.",
        all.unmeasured,
        { n: number(all.unmeasured) },
      )
    : "";
  showCharts($("charts"), all);
  $("calendar").replaceChildren(calendar(all.days, filters.lastDay));
  $("patterns-part").hidden = !patterns.length;
  $("patterns").replaceChildren(patternTable(patterns));
  $("bests-part").hidden = !best.length;
  showBests(best);
  showGames($("games"), page.games, t("Games"), sorting, (chosen) => {
    [sorting, offset] = [chosen, 0];
    void load();
  });
  const last = Math.min(offset + PAGE, page.total);
  $("place").textContent = t("{first} to {last} of {total}", { first: number(offset + 1), last: number(last), total: number(page.total) });
  button("newer").disabled = offset === 0;
  button("older").disabled = last >= page.total;
}

/** @param {number} total The number of games that the default choice hides. */
function showHidden(total) {
  $("hidden-games").hidden = !total;
  $("hidden-text").textContent = total
    ? tn("{n} game with help is not shown.", "{n} games with help are not shown.", total, { n: number(total) })
    : "";
}

/** @param {import("./types.js").Game[]} best */
function showBests(best) {
  const shown = bestSorting ? sorted(best, bestSorting) : best;
  showGames($("bests"), shown, t("Personal bests"), bestSorting, (chosen) => {
    bestSorting = chosen;
    showBests(best);
  });
}

/** @param {number} by */
async function turn(by) {
  offset = Math.max(0, offset + by);
  await load();
  $("games-title").scrollIntoView({ block: "start" });
}

$("show-hidden").addEventListener("click", () => filters.showHelped());
$("newer").addEventListener("click", () => turn(-PAGE));
$("older").addEventListener("click", () => turn(PAGE));
load();
