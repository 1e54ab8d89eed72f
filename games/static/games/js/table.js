/* Keys for what stands on the page as a button or link, such as data-key="l". */
const MOVES_A_SLIDER = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, textarea, select");
  if (field && (field.type !== "range" || MOVES_A_SLIDER.has(event.key))) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const keyed = document.querySelector(`[data-key~="${CSS.escape(event.key)}"]`);
  const spot = keyed ? null : neighbour(event.key, event.target);
  if (!keyed && !spot) return;
  event.preventDefault();
  if (spot) return spot.focus();
  keyed.click();
  /* What a key has chosen the next key confirms, wherever the focus was. */
  if (keyed.dataset.choose) document.getElementById("confirm")?.focus({ preventScroll: true });
});

/* The nearest place in the direction of an arrow key; "b" goes to the board, from where the page
   would scroll otherwise. */
function neighbour(key, from) {
  const spots = [...document.querySelectorAll(".spot")];
  if (key === "b") return spots[0];
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!way || !spots.includes(from)) return null;
  const start = from.getBoundingClientRect();
  const distance = (spot) => {
    const there = spot.getBoundingClientRect();
    const [x, y] = [there.x - start.x, there.y - start.y];
    const ahead = x * way[0] + y * way[1];
    return ahead > 1 ? ahead + 3 * Math.abs(x * way[1] + y * way[0]) : Infinity;
  };
  const nearest = spots.reduce((best, spot) => (distance(spot) < distance(best) ? spot : best));
  return distance(nearest) < Infinity ? nearest : from;
}

/* A script for what many tables never show comes with the first thing that needs it. */
function fetchScripts() {
  for (const each of document.querySelectorAll("template[data-when]")) {
    if (!document.querySelector(each.dataset.when)) continue;
    each.remove();
    import(each.dataset.script);
  }
}

/* One for what many never touch comes when that is first touched, and then gets the touch that it missed. */
const coming = new Map();
function touch(event) {
  const script = [...document.querySelectorAll("template[data-upon]")].find((each) => event.target.closest?.(each.dataset.upon));
  if (!script || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = script.dataset.script;
  if (!coming.has(address)) coming.set(address, import(address).catch(() => {}).then(() => script.remove()));
  if (event.type === "pointerover" || event.type === "focusin") return;
  if (event.type === "click") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  coming.get(address).then(() => event.target.dispatchEvent(new event.constructor(event.type, event)));
}
for (const kind of ["pointerover", "focusin", "pointerdown", "click", "input"]) document.addEventListener(kind, touch, true);

/* Switches that the browser remembers; where it keeps nothing for us, they are forgotten with the page. */
const kept = { sound: "off", story: "on" };
function state(name) {
  try {
    return localStorage.getItem(`souk-${name}`) ?? kept[name];
  } catch {
    return kept[name];
  }
}
function flip(name) {
  kept[name] = state(name) === "on" ? "off" : "on";
  try {
    localStorage.setItem(`souk-${name}`, kept[name]);
  } catch { /* as said */ }
  showSwitches();
}
function showSwitches() {
  for (const each of document.querySelectorAll("[data-switch]")) {
    each.hidden = false;
    each.setAttribute("aria-pressed", String(state(each.dataset.switch) === "on"));
  }
}
document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-switch]")?.dataset.switch;
  if (name) flip(name);
  if (name === "sound") document.dispatchEvent(new CustomEvent("souk:sound", { detail: "coins" }));
});

/* What makes sounds comes when they are wanted. A browser keeps silent until the page was touched, and
   would then play all at once. */
document.addEventListener("souk:sound", async ({ detail }) => {
  const script = document.querySelector('[data-switch="sound"]')?.dataset.script;
  if (!script || state("sound") === "off" || !navigator.userActivation.hasBeenActive) return;
  const { play } = await import(script);
  play(detail);
});

function prepare() {
  fetchScripts();
  showSwitches();
}
prepare();
for (const kind of ["htmx:afterSettle", "souk:renewed"]) document.addEventListener(kind, prepare);
