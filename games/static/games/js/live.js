/* An open page moves by itself. One stream says that something changed, and the page then asks what
   (its element with data-live, by HTMX, on the event "souk:changed"). Where no stream can be had the
   page asks by itself, at a pace that slows down while nothing happens. A page that nobody sees does
   neither. Whatever was missed meanwhile shows in the stamp. */
const FIRST_WORD = 5000; // longer than that, and something on the way keeps the stream to itself
const DEAD_AFTER = 70000; // the stream gives a sign of life every 25 seconds
const PATIENCE = 10000; // for so long it asks at the same pace: a bot has answered by then
const SLOWEST = 60000;
const LONGEST_PAUSE = 120000;

let source = null;
let lost = 0;
let pace = 0;
let asked = "";
let waited = 0; // since it last heard something new
let owed = false;
let failed = 0;
const timers = {};

const spot = () => document.querySelector("[data-live]");
const stamp = () => spot()?.dataset.stamp ?? "";
const quickest = () => 1000 * (Number(spot()?.dataset.pace) || 2);
const between = (least, most) => least + Math.random() * (most - least);

function after(name, pause, work) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(work, pause);
}

function change() {
  if (document.hidden) return;
  owed = true;
  document.body.dispatchEvent(new Event("souk:changed"));
}

/* Asking, where there is no stream. */
function ask() {
  waited = stamp() === asked ? waited + pace : 0;
  pace = waited < PATIENCE ? quickest() : Math.min(pace * 1.25, SLOWEST);
  asked = stamp();
  change();
  after("ask", pace * between(0.9, 1.1), ask);
}

function askFrom(pause) {
  pace = quickest();
  asked = stamp();
  waited = 0;
  after("ask", pause, ask);
}

/* Listening. */
function listen() {
  const address = spot()?.dataset.live;
  if (!address || !window.EventSource || document.hidden) return;
  hangUp();
  const url = new URL(address, location.href);
  if (spot().dataset.port) url.port = spot().dataset.port;
  source = new EventSource(url, { withCredentials: url.origin !== location.origin });
  after("life", FIRST_WORD, lose);
  source.addEventListener("here", (event) => {
    lost = 0;
    clearTimeout(timers.ask);
    document.documentElement.dataset.listens = "yes";
    hear(event);
  });
  source.addEventListener("changed", hear);
  source.addEventListener("beat", stillThere);
  source.addEventListener("error", lose);
}

function stillThere() {
  after("life", DEAD_AFTER, lose);
}

function hear(event) {
  stillThere();
  if (!event.data || event.data !== stamp()) change();
}

function hangUp() {
  source?.close();
  source = null;
  delete document.documentElement.dataset.listens;
  clearTimeout(timers.life);
  clearTimeout(timers.listen);
}

/* Everybody who listened loses the stream in the same second; nobody comes back in the same one. */
function lose() {
  const listened = "listens" in document.documentElement.dataset;
  hangUp();
  lost += 1;
  after("listen", between(0.2, 1) * Math.min(5000 * 2 ** lost, LONGEST_PAUSE), listen);
  if (listened) askFrom(between(1, 5) * quickest());
}

/* Whoever comes back to the page sees what is new at once. */
function wake() {
  if (!spot()) return;
  if (document.hidden) {
    hangUp();
    clearTimeout(timers.ask);
    clearTimeout(timers.again);
    return;
  }
  lost = failed = 0;
  askFrom(spot().dataset.live ? quickest() : 0);
  listen();
}

/* A question that was dropped for a form, or got no answer, is asked again; where nobody answers,
   less and less often. */
document.addEventListener("htmx:afterRequest", (event) => {
  const own = event.detail.elt.hasAttribute("data-live");
  if (own && event.detail.successful) {
    owed = false;
    failed = 0;
  } else if (owed && !own) change();
  else if (owed) {
    failed += 1;
    after("again", between(0.5, 1.5) * Math.min(4000 * 1.25 ** (failed - 1), SLOWEST), change);
  }
});

document.addEventListener("visibilitychange", wake);
window.addEventListener("pagehide", hangUp);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
if (!document.hidden) {
  askFrom(quickest());
  listen();
}
