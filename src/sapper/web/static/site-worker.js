// Keeps all files, so that the game works without a network after the first visit. It keeps those of
// all languages: the page in a language that is missing could not be left again.
//
// The worker contains a hash of all files, so that a new version of the folder replaces it, and its
// files are fetched again.

const CACHE = "sapper-site-VERSION";
/** @type {string[]} */
const FILES = [/* FILES */];

self.addEventListener("install", (event) => {
  const files = FILES.map((name) => new Request(name, { cache: "reload" }));
  const kept = caches.open(CACHE).then((cache) => cache.addAll(files));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("sapper-site-") && name !== CACHE))
    .then((names) => Promise.all(names.map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin) event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(CACHE).catch(() => null);
  const { pathname } = new URL(request.url);
  const name = pathname.endsWith("/") ? `${request.url.split(/[?#]/)[0]}index.html` : request;
  const found = await cache?.match(name, { ignoreSearch: true }).catch(() => undefined);
  return found ?? fetch(request);
}
