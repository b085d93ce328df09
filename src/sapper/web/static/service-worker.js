// Caches scripts and styles, so that pages start quickly, and responds when the server is not
// running.
//
// Nothing goes stale: pages always come from the server, and the name of a cached file contains a
// hash of its content. The cache is named after the app's version, and caches of other versions are
// deleted.

const CACHE = "sapper-VERSION";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.add(OFFLINE));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("sapper-") && name !== CACHE))
    .then((names) => Promise.all(names.map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(page(event));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(kept(request));
  }
});

async function page(event) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch {
    return (await caches.match(OFFLINE).catch(() => undefined)) ?? Response.error();
  }
  event.waitUntil(speak(answer.headers.get("content-language")).catch(() => {}));
  return answer;
}

// Cache the offline page in the reader's current language.
async function speak(language) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(OFFLINE);
  if (language && kept?.headers.get("content-language") !== language) await cache.add(OFFLINE);
}

async function kept(request) {
  // The page must load even if storage is full or broken.
  const cache = await caches.open(CACHE).catch(() => null);
  const found = await cache?.match(request).catch(() => undefined);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) cache?.put(request, answer.clone()).catch(() => {});
  return answer;
}
