// Lets the browser install the page as an app. Everything works without a service worker too.
(() => {
  try {
    addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
  } catch {
    // The browser's settings may block service workers.
  }
})();
