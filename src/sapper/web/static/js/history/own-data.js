/** Exports, imports and erases games. */

import { $, button, input, make } from "../dom.js";
import { number, t, tn } from "../translation.js";
import { Refusal } from "../refusal.js";
import { add, erase, exportAddress, mistakes } from "./api.js";
import { areReplays, form, parts } from "./replay-files.js";

/** @typedef {import("./api.js").Selection} Selection */
/** @typedef {import("./types.js").Imported} Imported */

/**
 * @param {Imported} done
 * @returns {string} The number of new and known games, and of skipped and refused files.
 */
function importText({ games, added, refused, skipped }) {
  const known = games - added;
  return [
    tn("{n} game imported.", "{n} games imported.", added, { n: number(added) }),
    known && tn("{n} was already there.", "{n} were already there.", known, { n: number(known) }),
    ...skipped.map(({ reason, files }) =>
      tn("{n} file was skipped ({reason}).", "{n} files were skipped ({reason}).", files, { n: number(files), reason }),
    ),
    refused && tn("{n} file was rejected:", "{n} files were rejected:", refused, { n: number(refused) }),
  ]
    .filter(Boolean)
    .join(" ");
}

export class OwnData {
  /** @type {Selection} */
  #selection = {};
  #total = 0;

  /** @param {() => void} changed Called when games have been added or erased. */
  constructor(changed) {
    this.changed = changed;
    $("erase").addEventListener("click", () => this.#confirm());
    $("keep").addEventListener("click", () => {
      $("confirm").hidden = true;
      $("erase").focus();
    });
    $("erase-now").addEventListener("click", () => this.#erase());
    input("import").addEventListener("change", () => {
      const files = [...(input("import").files ?? [])];
      input("import").value = "";
      void this.import(files);
    });
  }

  /**
   * @param {Selection} selection The games shown.
   * @param {number} total Their number.
   */
  show(selection, total) {
    if (total !== this.#total || String(new URLSearchParams(selection)) !== String(new URLSearchParams(this.#selection))) {
      $("confirm").hidden = true;
    }
    [this.#selection, this.#total] = [selection, total];
    for (const format of /** @type {const} */ (["jsonl", "parquet"])) {
      $(`export-${format}`).setAttribute("href", exportAddress(selection, format));
    }
    for (const id of ["export-jsonl", "export-parquet", "erase"]) $(id).hidden = !total;
    this.#showMistakes();
  }

  /** Offer the download of mistakes if there are any. */
  async #showMistakes() {
    try {
      $("export-mistakes").hidden = !(await mistakes()).total;
    } catch {
      $("export-mistakes").hidden = true;
    }
  }

  #confirm() {
    $("confirm-text").textContent = tn(
      "This erases the {n} game selected above, with its replay and mistakes, and cannot be undone.",
      "This erases the {n} games selected above, with their replays and mistakes, and cannot be undone.",
      this.#total,
      { n: number(this.#total) },
    );
    $("erase-now").textContent = tn("Erase {n} game", "Erase {n} games", this.#total, { n: number(this.#total) });
    $("confirm").hidden = false;
    $("keep").focus();
  }

  async #erase() {
    const focused = $("confirm").contains(document.activeElement);
    button("erase-now").disabled = true;
    await this.#do(async () => {
      const { erased } = await erase(this.#selection, this.#total);
      return tn("{n} game erased.", "{n} games erased.", erased, { n: number(erased) });
    });
    button("erase-now").disabled = false;
    $("confirm").hidden = true;
    // The erase button may have disappeared as well.
    if (focused) $("import").focus();
  }

  /**
   * Import an exported file, a zip archive or replays.
   *
   * @param {File[]} files
   */
  async import(files) {
    if (!files.length || input("import").disabled) return;
    const leaving = new AbortController();
    const cancel = () => leaving.abort();
    $("cancel-import").addEventListener("click", cancel);
    this.#progress({ games: 0, share: 0 });
    $("data-said").textContent = "";
    $("import-refused").replaceChildren();
    input("import").disabled = true;
    $("importing").hidden = false;
    await this.#do(async () => {
      const replays = await areReplays(files);
      const done = replays ? await this.#addReplays(files, leaving.signal) : await this.#add(files[0], leaving.signal);
      this.#refused(done);
      return importText(done);
    });
    const focused = $("importing").contains(document.activeElement);
    $("cancel-import").removeEventListener("click", cancel);
    input("import").disabled = false;
    $("importing").hidden = true;
    if (focused) $("import").focus();
  }

  /**
   * @param {File} file
   * @param {AbortSignal} signal
   */
  #add(file, signal) {
    return add(file, (now) => this.#progress(now), signal);
  }

  /**
   * Send replays in parts; parts already imported are kept even if a later one fails.
   *
   * @param {File[]} files
   * @param {AbortSignal} signal
   * @returns {Promise<Imported>}
   */
  async #addReplays(files, signal) {
    /** @type {Imported} */
    const all = { games: 0, added: 0, refused: 0, refusals: [], skipped: [] };
    const sent = parts(files);
    for (const [place, part] of sent.entries()) {
      const before = all.games + all.refused;
      try {
        const found = await add(
          form(part),
          ({ games, share }) => this.#progress({ games: before + games, share: (place + share) / sent.length }),
          signal,
        );
        all.games += found.games;
        all.added += found.added;
        all.refused += found.refused;
        all.refusals.push(...found.refusals);
        all.skipped.push(...found.skipped);
      } catch (problem) {
        if (!all.added) throw problem;
        this.changed();
        $("data-said").textContent = importText(all);
        const said = problem instanceof Refusal ? problem.message : t("the server is not responding");
        throw new Refusal({ code: "part", message: t("{done} Then it stopped: {problem}", { done: importText(all), problem: said }) });
      }
    }
    return all;
  }

  /** @param {Imported} done The result of an import, with the files that were not imported. */
  #refused({ refused, refusals }) {
    const more = refused - refusals.length;
    $("import-refused").replaceChildren(
      ...refusals.map(({ name, reason }) => make("li", name ? `${name}: ${reason}` : reason)),
      ...(more > 0 ? [make("li", tn("and {n} more file", "and {n} more files", more, { n: number(more) }))] : []),
    );
  }

  /** @param {{games: number, share: number}} now The progress of an import. */
  #progress({ games, share }) {
    /** @type {HTMLProgressElement} */ ($("import-progress")).value = share;
    $("import-games").textContent = tn("{n} game checked", "{n} games checked", games, { n: number(games) });
  }

  /** @param {() => Promise<string>} work Returns a message about the result. */
  async #do(work) {
    try {
      $("data-said").textContent = await work();
      this.changed();
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === "AbortError") {
        $("data-said").textContent = t("Cancelled. Nothing was changed.");
        return;
      }
      const said = problem instanceof Refusal ? problem.message : t("the server is not responding");
      $("data-said").textContent = t("Nothing was changed: {problem}.", { problem: said });
    }
  }
}
