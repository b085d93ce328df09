/** The list of languages; a choice is stored for a year in a cookie that the server reads. */

import { select } from "../dom.js";

const YEAR_S = 31_536_000;

/** Show the page's language, and reload the page when another one is chosen. */
export function startLanguage() {
  const list = select("language");
  list.value = document.documentElement.lang;
  list.addEventListener("change", () => {
    document.cookie = `sapper-language=${list.value}; path=/; max-age=${YEAR_S}; samesite=lax`;
    location.reload();
  });
}
