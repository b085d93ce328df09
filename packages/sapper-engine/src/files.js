/**
 * The files that the engine loads, each compiled once.
 */

import { compile, contents, start } from "./instance.js";

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** Return the URLs of the files in a folder, or beside this module. */
export function filesAt(/** @type {string | undefined} */ folder) {
  if (folder === undefined) {
    return {
      exact: new URL("./sapper_exact_bg.wasm", import.meta.url),
      search: new URL("./sapper_search_bg.wasm", import.meta.url),
      network: new URL("./win_chance.net", import.meta.url),
    };
  }
  const base = new URL(folder, globalThis.location?.href);
  const within = base.pathname.endsWith("/") ? base : new URL(`${base.pathname}/`, base);
  return {
    exact: new URL("sapper_exact_bg.wasm", within),
    search: new URL("sapper_search_bg.wasm", within),
    network: new URL("win_chance.net", within),
  };
}

/** Return the compiled module of a file. */
export function moduleAt(/** @type {URL} */ url) {
  const known = compiled.get(url.href);
  if (known) return known;
  const module = compile(url);
  compiled.set(url.href, module);
  // A failed download may be tried again.
  module.catch(() => compiled.delete(url.href));
  return module;
}

/** Start the build with the search, and return its network. */
export async function fetchSearch(/** @type {ReturnType<typeof filesAt>} */ files) {
  const [module, network] = await Promise.all([moduleAt(files.search), contents(files.network)]);
  await start("search", module);
  return network;
}
