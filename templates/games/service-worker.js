{% load i18n static %}{% get_current_language as language %}
/* Shows notices, and keeps the pages of one's own games readable without a connection.
   Only pages and files are ever answered from what is kept, never a move. */
const SHELL = "shell-VERSION";
const SEEN = "seen";
const MOST_SEEN = 40;
const FILES = [
  "{% static 'games/css/fonts.css' %}", "{% static 'games/css/tokens.css' %}",
  "{% static 'games/css/frame.css' %}", "{% static 'games/css/board.css' %}",
  "{% static 'games/css/table.css' %}", "{% static 'games/css/lobby.css' %}",
  "{% static 'games/css/charts.css' %}", "{% static 'games/css/history.css' %}", "{% static 'games/js/app.js' %}",
  "{% static 'games/js/offline.js' %}",
];
const OFFLINE = "/{{ language }}{% url 'offline' %}";
const DEVICES = "{% url 'add_device' %}";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll([...FILES, OFFLINE])));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    // Pages that were kept before this release want the files of the last one.
    const shells = (await caches.keys()).filter((name) => name.startsWith("shell-"));
    for (const name of shells.slice(0, -2)) await caches.delete(name);
    await self.clients.claim();
  })());
});

/* --- Pages --- */

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(SHELL)).put(request, answer.clone());
  return answer;
}

async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("Souk-Keep") === "seen") await keep(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await remembered(request) ?? await caches.match(OFFLINE, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

async function keep(request, answer) {
  const cache = await caches.open(SEEN);
  const headers = new Headers(answer.headers);
  headers.set("Souk-Seen", new Date().toISOString());
  const copy = new Response(await answer.blob(), { status: 200, headers });
  await cache.delete(place(request));
  await cache.put(place(request), copy);
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST_SEEN))) await cache.delete(old);
}

const place = (request) => new URL(request.url).pathname;

/* The page as it was seen last, which says when that was. */
async function remembered(request) {
  const cache = await caches.open(SEEN);
  const kept = await cache.match(place(request));
  if (!kept) return null;
  const text = (await kept.text()).replace("<html ", `<html data-seen="${kept.headers.get("Souk-Seen")}" `);
  return new Response(text, { status: 200, headers: kept.headers });
}

/* --- Notices --- */

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

const LOOKS = {
  icon: "{% static 'games/img/icon-192.png' %}",
  badge: "{% static 'games/img/badge-96.png' %}",
};

async function show(told) {
  count(told.badge);
  if (told.close) {
    // Whoever shows nothing for a push loses the right to send any, in some browsers at the third
    // time: so it is replaced, without a sound, by one that goes at once.
    await self.registration.showNotification("Souk", { ...LOOKS, tag: told.tag, silent: true });
    for (const each of await self.registration.getNotifications({ tag: told.tag })) each.close();
    return;
  }
  const shown = await self.registration.getNotifications({ tag: told.tag });
  await self.registration.showNotification(told.title, {
    ...LOOKS,
    body: told.body,
    tag: told.tag,
    renotify: shown.length > 0,
    actions: (told.actions ?? []).map(({ action, title }) => ({ action, title })),
    data: { url: told.url, actions: told.actions ?? [] },
  });
}

function count(games) {
  if (!self.navigator.setAppBadge || games === undefined) return;
  if (games) self.navigator.setAppBadge(games);
  else self.navigator.clearAppBadge();
}

/* A browser may get another address from its push service; notices follow it there. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(follow(event.newSubscription)));

async function follow(subscription) {
  const { key, token } = await (await fetch(DEVICES)).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (subscription ?? await self.registration.pushManager.subscribe(options)).toJSON();
  await fetch(DEVICES, {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ endpoint, ...keys }),
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, actions } = event.notification.data;
  const chosen = actions.find((each) => each.action === event.action);
  event.waitUntil(open(chosen ? chosen.url : url));
});

async function open(url) {
  const path = new URL(url).pathname + new URL(url).search;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = windows.find((each) => new URL(each.url).pathname === path);
  if (same) return same.focus();
  return self.clients.openWindow(path);
}
