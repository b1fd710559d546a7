self.FILES = ["/","/assets/main-9dcc99a8a2.js","/assets/style-de6553d342.css","/icon.svg","/manifest.webmanifest"]; self.VERSION = "92b612310f";
// The page itself works without a network: its files come from here, the API's answers never do.
const FILES = self.FILES;
const CACHE = `do-dooni-${self.VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name.startsWith("do-dooni-") && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || /^\/(v1|docs)\b/.test(url.pathname)) return;
  const kept = event.request.mode === "navigate" ? caches.match("/") : caches.match(event.request);
  event.respondWith(kept.then((answer) => answer ?? fetch(event.request)));
});
