// Keeps the page for use without a network. Everything works without a service worker too.
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const root = new URL("../../../", script.src);
  try {
    addEventListener("load", () => {
      navigator.serviceWorker?.register(new URL("service-worker.js", root), { scope: root.href }).catch(() => {});
    });
  } catch {
    // The browser's settings may block service workers.
  }
})();
