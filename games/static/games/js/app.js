/* The worker that shows notices and keeps pages readable without a connection. What it keeps of
   somebody goes when somebody else, or nobody, is signed in. */
const html = document.documentElement;

if ("serviceWorker" in navigator) {
  const who = html.dataset.who ?? "";
  if (localStorage.getItem("who") !== who) {
    window.caches?.delete("seen");
    if (who) localStorage.setItem("who", who);
    else localStorage.removeItem("who");
  }
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}

/* The icon of the app says how many games wait, as that of the tab does. */
function mark() {
  const tab = document.getElementById("favicon");
  if (tab) navigator.setAppBadge?.(Number(new URL(tab.href).searchParams.get("n"))).catch(() => {});
}
mark();

/* A page out of what was kept says when it was seen. */
const seen = document.getElementById("seen");
if (seen && html.dataset.seen) {
  const moment = new Date(html.dataset.seen).toLocaleString(html.lang, { dateStyle: "medium", timeStyle: "short" });
  seen.querySelector("time").textContent = moment;
  seen.hidden = false;
  // Once the server has answered, the page shows what there is now.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    seen.hidden = true;
    delete html.dataset.seen;
  });
}

/* What the worker keeps of a page is what was seen on it last, also after it changed by itself. */
let keeping;
document.addEventListener("htmx:afterSettle", () => {
  mark();
  clearTimeout(keeping);
  keeping = setTimeout(keepWhatIsSeen, 1000);
});

async function keepWhatIsSeen() {
  if (!window.caches || html.dataset.seen) return;
  const cache = await caches.open("seen");
  const old = await cache.match(location.pathname);
  if (!old) return;
  const headers = new Headers(old.headers);
  headers.set("Souk-Seen", new Date().toISOString());
  await cache.put(location.pathname, new Response(`<!doctype html>\n${html.outerHTML}`, { headers }));
}

/* Who leaves takes along what was kept. */
document.addEventListener("submit", (event) => {
  if (/\/logout\/$/.test(event.target.action)) window.caches?.delete("seen");
});
