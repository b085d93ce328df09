// Lets browsers install the page as an app. Everything works without a service worker too.
(() => {
  try {
    addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
  } catch {
    // Blocked by the browser's settings.
  }
})();
