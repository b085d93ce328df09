/** The list of languages: a choice is kept in a cookie, which the server reads, for a year. */

import { select } from "../dom.js";

const YEAR_S = 31_536_000;

/** Show the language of the page, and load the page again in another one that is chosen. */
export function startLanguage() {
  const list = select("language");
  list.value = document.documentElement.lang;
  list.addEventListener("change", () => {
    document.cookie = `sapper-language=${list.value}; path=/; max-age=${YEAR_S}; samesite=strict`;
    location.reload();
  });
}
