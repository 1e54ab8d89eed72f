/* Replay without waiting: the whole game comes in one go, and links, buttons and the slider show its
   positions at once. When they rest, the page of that position is put in place, with all that it
   says. Where there is nothing in one go, each step fetches its page; without this file, links do. */
const REST = 600;
let playing = false;
let asking = null;
let resting = null;
let whole = null; // the promise of the game in one go
let shown = null; // the move after which the board stands, once something was shown from it

const bar = () => document.querySelector(".replay-bar, form[data-replay]");
const slider = () => document.querySelector("[data-scrub]");
const total = () => Number(slider()?.max ?? 0);
const present = () => shown ?? Number(slider()?.value ?? 0);

/* The game in one go */

function load() {
  const held = document.getElementById("whole")?.content.textContent;
  const address = bar()?.dataset.story;
  if (held) whole ??= Promise.resolve(JSON.parse(held));
  else if (address) whole ??= fetch(address).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
}

/* The position after so many moves. */
function positionAt(story, number) {
  const pieces = new Map(story.pieces.map((piece) => [piece[0], piece]));
  const counts = structuredClone(story.counts);
  for (const move of story.moves.slice(0, number)) {
    for (const key of move.take) pieces.delete(key);
    for (const piece of move.put) {
      if (pieces.get(piece[0])?.[1] !== piece[1]) pieces.delete(piece[0]);
      pieces.set(piece[0], piece);
    }
    for (const [name, values] of Object.entries(move.counts)) Object.assign(counts[name], values);
  }
  return { pieces: [...pieces.values()], counts };
}

/* What everything around the board says; the rest of the page follows when the steps rest. */
function say(story, number) {
  shown = number;
  slider().value = number;
  const card = document.getElementById("question");
  const heading = card.querySelector("h1");
  const said = bar().dataset.said;
  if (said) heading.textContent = said.replace("{shown}", number).replace("{total}", total());
  card.classList.add("elsewhere");
  let told = card.querySelector(".told");
  if (!told) {
    told = document.createElement("p");
    told.className = "told";
    heading.after(told);
  }
  told.innerHTML = story.moves[number - 1]?.told ?? "";
  follow(number);
}

/* The list of moves goes along: the turn that leads here is marked and in sight. */
function follow(number) {
  const list = document.querySelector("#moves .moves");
  const turns = [...list?.querySelectorAll("a[href], button[value]") ?? []];
  const last = (each) => Number(each.value ?? new URL(each.href).searchParams.get("move"));
  const here = number ? turns.filter((each) => last(each) >= number).sort((a, b) => last(a) - last(b))[0] : null;
  for (const each of turns) {
    if (each === here) each.setAttribute("aria-current", "step");
    else each.removeAttribute("aria-current");
  }
  if (!here) return;
  const [box, item] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
  if (item.top < box.top || item.bottom > box.bottom) list.scrollTop += item.top - box.top - box.height / 2;
}

/* The next step counts from here, also while the game is still on its way. */
async function goTo(number, fallback) {
  const goal = Math.max(0, Math.min(number, total()));
  shown = goal;
  const story = await whole;
  if (shown !== goal) return;
  if (!story || !globalThis.souk) return fallback?.();
  globalThis.souk.setOut(positionAt(story, goal));
  globalThis.souk.trace(story.moves.slice(0, goal));
  say(story, goal);
  rest();
}

/* Whoever steps on wants neither the page of the last step nor one that is on its way. */
function moveOn() {
  stop();
  clearTimeout(resting);
  asking?.abort();
}

/* When nothing moves any more, the page of this position. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    if (playing || slider()?.matches(":active")) return rest();
    const form = document.querySelector("form[data-replay]");
    if (form) submit(form, "move", String(shown));
    else go(addressOf(shown), null, () => {});
  }, REST);
}

function addressOf(number) {
  const address = new URL(bar().dataset.url, location.href);
  const since = new URL(location.href).searchParams.get("since");
  if (number < total()) address.searchParams.set("move", number);
  if (since) address.searchParams.set("since", since);
  return address.href;
}

/* Pages */

function remembered(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.dataset.step ? `[data-step="${element.dataset.step}"]` : null;
}

async function show(address, body) {
  asking?.abort();
  asking = new AbortController();
  const answer = await fetch(address, { method: body ? "POST" : "GET", body, signal: asking.signal });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("content");
  if (!fresh || playing) return;
  const focus = remembered(document.activeElement);
  const scrolled = document.querySelector("#moves .moves")?.scrollTop;
  document.getElementById("content").replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  if (!body) history.replaceState(null, "", address);
  globalThis.htmx?.process(fresh);
  shown = null;
  prepare();
  globalThis.souk?.lightUp();
  const list = document.querySelector("#moves .moves");
  if (list && scrolled) list.scrollTop = scrolled;
  follow(present());
  if (focus) document.querySelector(focus)?.focus({ preventScroll: true });
}

/* An older request that was overtaken is no failure; anything else is tried the plain way. */
function go(address, body, fallback) {
  show(address, body).catch((error) => { if (error.name !== "AbortError") fallback(); });
}

function submit(form, name, value) {
  const body = new FormData(form);
  body.set(name, value);
  if (form.method === "get") {
    const address = new URL(form.action);
    for (const [key, each] of body) address.searchParams.set(key, each);
    go(address.href, null, () => location.assign(address.href));
  } else {
    go(form.action, body, () => form.submit());
  }
}

const STEPS = {
  first: () => 0, back: () => present() - 1, forward: () => present() + 1, last: () => total(),
};

document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a[data-step], :is(#moves, #missed) a[href]");
  const button = event.target.closest("form[data-replay] button[name=move]");
  const stepped = link ?? button;
  if (stepped) {
    event.preventDefault();
    moveOn();
    const plainly = () => {
      if (button) submit(button.form, "move", button.value);
      else if (link.href) go(link.href, null, () => location.assign(link.href));
    };
    const listed = button ? button.value : link.href && new URL(link.href).searchParams.get("move");
    const number = stepped.dataset.step ? STEPS[stepped.dataset.step]() : Number(listed);
    if (!bar() || !slider()) plainly();
    else if (number >= 0 && number <= total()) goTo(number, plainly);
  } else if (event.target.closest("[data-autoplay]")) {
    if (playing) stop();
    else start();
  }
});

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-scrub]")) return;
  moveOn();
  const { form, value } = event.target;
  goTo(Number(value), () => submit(form, "move", value));
});

/* By itself: told as at the table, from the start if it stands at the end. */
async function start() {
  const story = await whole;
  moveOn();
  playing = true;
  prepare();
  if (!story) return startPlainly();
  let number = present() < total() ? present() : 0;
  while (playing && number < total()) {
    await globalThis.souk.tell({ ...positionAt(story, number), moves: [story.moves[number]], skip: "" }, { quietly: true });
    if (!playing) return;
    number += 1;
    say(story, number);
  }
  stop();
  rest();
}

function startPlainly() {
  const next = document.querySelector("[data-step=forward]:not([aria-disabled], [disabled])");
  const address = next?.href;
  if (!playing || !address) return stop();
  go(address, null, stop);
  setTimeout(startPlainly, 1500);
}

function stop() {
  playing = false;
  globalThis.souk?.hurry();
  prepare();
}

function prepare() {
  document.querySelector("[data-autoplay]")?.setAttribute("aria-pressed", String(playing));
  load();
}
prepare();
document.addEventListener("souk:renewed", prepare);
