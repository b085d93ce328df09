// Lets browsers install the page as an app. Without a service worker all works as well.
(() => {
  try {
    addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
  } catch {
    // Blocked by the browser's settings.
  }
})();
