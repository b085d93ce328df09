/**
 * Loading the engine, in this thread or in a worker.
 */

import { optionsOf, switchOf } from "./arguments.js";
import { Engine } from "./engine.js";
import { fetchSearch, filesAt, moduleAt } from "./files.js";
import { start } from "./instance.js";

/** Load the engine in this thread. */
export async function load(/** @type {unknown} */ options = undefined) {
  const { search, url } = optionsOf(options, ["search", "url"]);
  const files = filesAt(folderOf(url));
  const engine = new Engine(() => fetchSearch(files));
  if (switchOf(search, "search", true)) await engine.loadSearch();
  else await start("exact", await moduleAt(files.exact));
  return engine;
}

/** Load the engine in a worker, which later calls share. */
export async function loadWorker(/** @type {unknown} */ options = undefined) {
  const { search, url } = optionsOf(options, ["search", "url"]);
  const folder = folderOf(url);
  // A worker that starts with the search loads it by itself.
  const [module, { threads, WorkerEngine }] = await Promise.all([
    switchOf(search, "search", false) ? null : moduleAt(filesAt(folder).exact),
    import("./remote.js"),
  ]);
  const begin = await threads(new URL("./worker.js", import.meta.url));
  return new WorkerEngine(begin, { module, folder });
}

function folderOf(/** @type {unknown} */ url) {
  return url === undefined ? undefined : new URL(String(url), globalThis.location?.href).href;
}
