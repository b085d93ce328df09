// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const { dataset } = document.documentElement;
  const kept = (/** @type {string} */ name, /** @type {string} */ usual) => {
    try {
      return localStorage.getItem(`sapper.${name}`) ?? usual;
    } catch {
      return usual;
    }
  };
  dataset.theme = kept("theme", "");
  // There the page has the system's colours, and boards have their own.
  dataset.look = kept("look", matchMedia("(forced-colors: active)").matches ? "contrast" : "classic");
  dataset.palette = kept("palette", "usual");
  try {
    dataset.animation = JSON.parse(kept("preferences", "{}")).animation ?? "system";
  } catch {
    dataset.animation = "system";
  }
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.dark = String(dark);
})();
