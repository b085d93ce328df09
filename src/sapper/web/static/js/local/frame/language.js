/** The list of languages; each has its own folder, and English is at the top. */

import { $, select } from "../../dom.js";
import { write } from "../../storage.js";
import { t } from "../../translation.js";

/** Show the page's language, and open the page in another one when it is chosen. */
export function startLanguage() {
  const list = select("language");
  const { lang } = document.documentElement;
  list.value = lang;
  list.addEventListener("change", async () => {
    const language = list.value;
    const root = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="sapper-root"]')).content;
    const folder = language === "en" ? "" : `${language}/`;
    const page = location.pathname.split("/").pop();
    const address = new URL(`${root}${folder}${page}`, document.baseURI).href;
    // Every later visit opens the stored language, so it must be there.
    if (await fetch(address).then(({ ok }) => ok, () => false)) {
      write("sapper.language", language);
      location.href = address + location.hash;
    } else {
      list.value = lang;
      $("status").textContent = t("This language could not be loaded. Try again once you are online.");
    }
  });
}
