// Runs before the first paint, and opens the page in the chosen language or that of the browser.
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const offered = script.dataset.languages?.split(" ") ?? [];
  let wanted = navigator.languages ?? [];
  try {
    const chosen = localStorage.getItem("sapper.language");
    if (chosen) wanted = [chosen];
  } catch {
    // Without storage, the browser's languages decide.
  }
  for (const name of wanted) {
    const [base] = name.split("-");
    if (base === "en") return;
    const found = offered.find((each) => each === name) ?? offered.find((each) => each.split("-")[0] === base);
    if (!found) continue;
    const page = location.pathname.split("/").pop() ?? "";
    location.replace(new URL(`${found}/${page}${location.hash}`, location.href));
    return;
  }
})();
