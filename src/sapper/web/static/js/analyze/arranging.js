/** Deals random arrangements of mines, or finds one by a chosen method and shows the progress. */

import { $, button, select } from "../dom.js";
import { Refusal } from "../refusal.js";
import { ask } from "./questions.js";
import { listed } from "../sentence.js";
import { dealHere } from "../thinking/answers.js";
import { number, t, tn } from "../translation.js";

export class Arranging {
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {() => import("../thinking/chances.js").PositionJson} position
   * @param {(mines: number[] | null, sentence: string) => void} show
   * @param {(problem: unknown) => void} fail
   */
  constructor(position, show, fail) {
    this.position = position;
    this.show = show;
    this.fail = fail;
    $("deal").addEventListener("click", () => this.deal());
    $("arrange").addEventListener("click", () => this.find());
    $("cancel").addEventListener("click", () => {
      this.stop();
      this.show(null, t("Cancelled before an arrangement was found."));
    });
    const refresh = () => ($("arrange-more").hidden = select("method").value !== "backtracking");
    select("method").addEventListener("change", refresh);
    refresh();
  }

  /** Deal new hidden mines. */
  async deal() {
    await this.#work("", async (signal) => {
      const position = this.position();
      const mines = await dealHere(position, signal) ?? (await (await ask("/deal", { position }, signal)).json()).board;
      const said = position.density === null
        ? t("A random arrangement; all are equally likely.")
        : t("A random arrangement, weighted by the density.");
      this.show(mines, said);
    });
  }

  /** Find an arrangement with the chosen method. */
  async find() {
    await this.#work(t("starting"), async (signal) => {
      const answer = await ask(
        "/arrange",
        {
          position: this.position(),
          method: select("method").value,
          start_rule: select("start-rule").value,
          likelihood: select("likelihood").value,
        },
        signal,
      );
      for await (const line of lines(answer)) this.#take(line);
    });
  }

  /** @param {import("./types.js").ArrangeLine} line */
  #take(line) {
    if ("progress" in line) {
      $("searching-text").textContent = line.progress;
    } else if ("found" in line && line.found) {
      const { areas, combinations, elapsed_s: seconds } = line;
      const counts = [
        areas ? tn("{n} area", "{n} areas", areas) : "",
        combinations
          ? tn("{count} combination tried", "{count} combinations tried", combinations, { count: number(combinations) })
          : "",
        `${number(Math.max(1, Math.round(1000 * seconds)))} ms`,
      ].filter(Boolean);
      this.show(line.board, t("Found an arrangement: {counts}.", { counts: listed(counts) }));
    } else throw new Refusal(line.error);
  }

  /** Stop the current work. */
  stop() {
    this.#running?.abort();
  }

  /**
   * @param {string} text Shown while it runs; empty shows nothing.
   * @param {(signal: AbortSignal) => Promise<void>} work
   */
  async #work(text, work) {
    this.stop();
    const own = new AbortController();
    this.#running = own;
    $("searching").hidden = !text;
    $("searching-text").textContent = text;
    button("arrange").disabled = Boolean(text);
    try {
      await work(own.signal);
    } catch (problem) {
      if (!own.signal.aborted) this.fail(problem);
    }
    if (this.#running !== own) return;
    this.#running = null;
    $("searching").hidden = true;
    button("arrange").disabled = false;
  }
}

/**
 * @param {Response} answer Lines of JSON.
 * @returns {AsyncGenerator<import("./types.js").ArrangeLine>}
 */
async function* lines(answer) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const all = text.split("\n");
    text = all.pop() ?? "";
    for (const line of all) yield JSON.parse(line);
  }
}
