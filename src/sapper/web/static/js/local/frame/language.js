/** The list of languages; each has its own folder, and English is at the top. */

import { select } from "../../dom.js";
import { write } from "../../storage.js";

/** Show the page's language, and open the page in another one when it is chosen. */
export function startLanguage() {
  const list = select("language");
  list.value = document.documentElement.lang;
  list.addEventListener("change", () => {
    write("sapper.language", list.value);
    const root = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="sapper-root"]')).content;
    const folder = list.value === "en" ? "" : `${list.value}/`;
    const page = location.pathname.split("/").pop();
    location.href = new URL(`${root}${folder}${page}${location.hash}`, document.baseURI).href;
  });
}
