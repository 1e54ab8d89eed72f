/* Tells what happened, one turn after the other, before the page shows how things stand: the die
   falls, somebody walks, a field lights up, coins pass, a piece is laid. The server sends the moves
   as the little that changed, with the answer that shows their outcome; that answer is put in
   place when they have been told. A tap or a key skips a turn, the next one skips the rest. */
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
/* A turn takes about 1.2 seconds: somewhat less if nothing is paid, somewhat more if something is. */
const LENGTHS = { die: 420, walk: 280, light: 220, pass: 300, unroll: 220, fly: 340, hop: 240, puff: 220, fill: 60, rest: 120 };

const main = () => document.getElementById("content");
const layer = (name) => document.querySelector(`#board [data-layer="${name}"]`);
let telling = null; // { skips, hurried, waits, hurry() } while something is told
let missed = false; // the page was asked to look while it told

/* The board */

function piece([key, where, at, ...parts]) {
  const group = document.createElementNS(SVG, "g");
  group.dataset.piece = key;
  group.setAttribute("transform", at);
  for (const part of parts) {
    const [named, sheet] = part.split("@");
    const [symbol, x, y] = named.split(" ");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${symbol}`);
    if (x) { use.setAttribute("x", x); use.setAttribute("y", y); }
    if (sheet) use.setAttribute("class", sheet);
    group.append(use);
  }
  return [group, layer(where)];
}

const found = (key) => document.querySelector(`#board [data-piece="${key}"]`);

function put(each) {
  const [fresh, where] = piece(each);
  const old = found(each[0]);
  if (old?.parentNode === where) old.replaceWith(fresh);
  else { old?.remove(); where?.append(fresh); }
  return fresh;
}

const goalOf = (key, move, as) => as ?? move.put.find(([name]) => name === key);

const clear = (traces) => { for (const each of document.querySelectorAll(`#board :is(${traces})`)) each.remove(); };

function count(counts) {
  for (const [name, values] of Object.entries(counts)) {
    for (const [seat, value] of Object.entries(values)) {
      const line = document.querySelector(`.player[data-seat="${seat}"]`);
      for (const each of line?.querySelectorAll(`[data-count="${name}"]`) ?? []) each.textContent = value;
      line?.querySelectorAll(`[data-slot="${name}"]`).forEach((slot, place) => slot.classList.toggle("full", place < value));
    }
  }
}

/* The position before what is told; what a choice or an older turn left on the board goes. */
function setOut(story) {
  const layers = new Set(document.querySelectorAll("#board [data-layer]"));
  for (const each of layers) each.replaceChildren();
  clear(".trail, .traces, .ghost, .preview, .berth, .lit, .veil, .odds, .plus, .ring, .hinted");
  document.querySelector("#board [data-die]")?.removeAttribute("href");
  story.pieces.forEach(put);
  count(story.counts);
}

/* What the last turn of these moves left on the board. */
function trace(moves) {
  const turn = turnsOf(moves).at(-1) ?? [];
  const walk = turn.flatMap((move) => move.beats).findLast((beat) => beat.do === "walk");
  const die = moves.flatMap((move) => move.beats).findLast((beat) => beat.do === "die");
  if (walk) layer("light")?.before(trail(walk.path));
  if (die) document.querySelector("#board [data-die]")?.setAttribute("href", `#${die.use}`);
}

function trail(path) {
  const line = document.createElementNS(SVG, "path");
  const drawn = { d: path, class: "trail", fill: "none", "stroke-linecap": "round", "stroke-dasharray": "0 8" };
  for (const [name, value] of Object.entries(drawn)) line.setAttribute(name, value);
  return line;
}

function settle(move) {
  move.take.forEach((key) => found(key)?.remove());
  move.put.forEach(put);
  count(move.counts);
}

/* Moments */

/* While something is told nobody asks for news; what came meanwhile is asked for afterwards. */
async function whileTelling(work) {
  telling = {
    skips: 0, hurried: false, waits: [],
    hurry() { this.hurried = true; this.waits.splice(0).forEach((end) => end()); },
  };
  await work();
  telling = null;
  if (missed) document.body.dispatchEvent(new Event("souk:changed"));
  missed = false;
}

const pause = (length) => new Promise((done) => {
  if (telling.hurried) return done();
  const timer = setTimeout(done, length);
  telling.waits.push(() => { clearTimeout(timer); done(); });
});

async function animate(element, frames, name, more = {}) {
  if (telling.hurried || !element) return;
  if (still.matches) return pause(LENGTHS[name]);
  const running = element.animate(frames, { duration: LENGTHS[name], easing: "ease-in-out", fill: "both", ...more });
  telling.waits.push(() => running.finish());
  await running.finished;
  running.cancel();
}

const BEATS = {
  async die({ use }) {
    const thrown = document.createElement("div");
    thrown.className = "thrown";
    thrown.innerHTML = `<svg viewBox="-12 -12 24 24" aria-hidden="true"><use href="#${use}"/></svg>`;
    document.querySelector("#board .board-frame").append(thrown);
    sound("die");
    await animate(thrown.firstChild, [
      { transform: "translate(60%, -90%) rotate(-240deg) scale(.6)", opacity: 0 },
      { transform: "translate(-4%, 6%) rotate(12deg)", opacity: 1, offset: .55 },
      { transform: "none", offset: .7 }, { transform: "none" },
    ], "die");
    thrown.remove();
    document.querySelector("#board [data-die]")?.setAttribute("href", `#${use}`);
  },
  async walk({ piece: key, path }, move) {
    const walker = found(key);
    const line = trail(path);
    document.querySelector("#board .trail")?.remove();
    layer("light")?.before(line);
    if (!still.matches && !telling.hurried && walker) {
      await along(walker, line);
    } else await pause(LENGTHS.walk);
    move.put.filter(([name]) => name === key).forEach(put);
  },
  async light({ at, size, counts }, { crowned } = {}) {
    for (const [number, place] of at.entries()) {
      mark(place, size, counts?.[number] ?? number + 1, crowned);
      await pause(Math.min(90, LENGTHS.light / at.length));
    }
  },
  async pass({ use = "coin", from, at, to, n }, move) {
    const [start, goal] = [at ? pointOn(at) : purse(from), purse(to)];
    if (use === "coin") sound("coins");
    if (start && goal && !still.matches && !telling.hurried) {
      const things = Array.from({ length: Math.min(n, 6) }, () => {
        const thing = document.createElement("div");
        thing.className = "passed";
        thing.innerHTML = `<svg viewBox="-8 -8 16 16" aria-hidden="true"><use href="#${use}"/></svg>`;
        document.body.append(thing);
        return thing;
      });
      await Promise.all(things.map((thing, number) => animate(thing, [
        { transform: `translate(${start.x}px, ${start.y}px)` }, { transform: `translate(${goal.x}px, ${goal.y}px)` },
      ], "pass", { delay: number * 25 })));
      for (const thing of things) thing.remove();
    } else await pause(LENGTHS.pass);
    count(move.counts);
    clear(".counted");
  },
  async unroll({ piece: key, as }, move) {
    const laid = put(goalOf(key, move, as));
    sound("cloth");
    await animate(laid.firstChild, [{ transform: "scaleX(.06)" }, { transform: "none" }], "unroll");
  },
  async fly({ piece: key, as }, move) {
    const goes = found(key);
    const goal = goalOf(key, move, as);
    if (!goes || !goal) return;
    const same = layer(goal[1]) === goes.parentNode;
    sound("cloth");
    const offset = (at) => at.match(/-?[\d.]+/g).map(Number);
    const [x, y] = offset(goes.getAttribute("transform"));
    const [toX, toY] = offset(goal[2]);
    if (same) {
      goes.parentNode.append(goes);
      await animate(goes, [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${toX}px, ${toY}px)` }], "fly");
      put(goal);
    } else {
      const up = goal[1].startsWith("U") ? -40 : 40;
      await animate(goes, [{ opacity: 1 }, { transform: `translate(${x}px, ${y + up}px)`, opacity: 0 }], "fly", { duration: LENGTHS.fly / 2 });
      const there = put(goal);
      await animate(there, [{ transform: `translate(${toX}px, ${toY - up}px)`, opacity: 0 }, { opacity: 1 }], "fly", { duration: LENGTHS.fly / 2 });
    }
  },
  /* It stays in sight where it came down until the move is over. */
  async hop({ use, layer: where, from: [x, y], to: [toX, toY], grows: [small, large], take, as }) {
    found(take)?.remove();
    if (as) put(as);
    const hopper = document.createElementNS(SVG, "use");
    hopper.setAttribute("href", `#${use}`);
    hopper.setAttribute("class", "hopper");
    hopper.setAttribute("transform", `translate(${toX} ${toY}) scale(${large})`);
    layer(where)?.append(hopper);
    await animate(hopper, [
      { transform: `translate(${x}px, ${y}px) scale(${small})` },
      { transform: `translate(${(x + toX) / 2}px, ${Math.min(y, toY) - 16}px) scale(${Math.max(small, large)})` },
      { transform: `translate(${toX}px, ${toY}px) scale(${large})` },
    ], "hop");
  },
  async puff({ layer: where, at: [x, y], take, as }) {
    found(take)?.remove();
    if (as) put(as);
    const smoke = document.createElementNS(SVG, "use");
    smoke.setAttribute("href", "#cloud");
    smoke.setAttribute("class", "smoke-puff");
    smoke.setAttribute("transform", `translate(${x} ${y})`);
    layer(where)?.append(smoke);
    await animate(smoke, [{ opacity: .95 }, { opacity: 0, translate: "0 -24px" }], "puff");
    smoke.remove();
  },
  async fill({ seat, slot }) {
    const slots = document.querySelectorAll(`.player[data-seat="${seat}"] [data-slot="${slot}"].full`);
    for (const each of slots) each.classList.remove("full");
    for (const each of slots) {
      each.classList.add("full");
      await pause(LENGTHS.fill);
    }
  },
};

/* A place that counts, with the number that it brings the count to. */
function mark([x, y, where = "light"], [width, height] = [40, 40], said, crowned) {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", crowned ? "counted crowned" : "counted");
  made.innerHTML = `<rect x="${x + 1}" y="${y + 1}" width="${width - 2}" height="${height - 2}" rx="5"/>` +
    `<circle cx="${x + width / 2}" cy="${y + height / 2}" r="10"/>` +
    `<text x="${x + width / 2}" y="${y + height / 2}" dy=".35em">${said}</text>`;
  layer(where)?.append(made);
}

/* On the screen: where somebody keeps what was won, and a place on the board. */
function purse(seat) {
  const box = document.querySelector(`.player[data-seat="${seat}"] [data-purse]`)?.getBoundingClientRect();
  return box && { x: box.left + box.width / 2, y: box.top + box.height / 3 };
}
function pointOn([x, y, where]) {
  const board = layer(where)?.getScreenCTM();
  return board && new DOMPoint(x, y).matrixTransform(board);
}

/* Along a path, looking ahead. */
function along(walker, line) {
  const length = line.getTotalLength();
  return new Promise((done) => {
    const start = performance.now();
    let over = false;
    const end = () => { if (!over) { over = true; done(); } };
    telling.waits.push(end);
    const step = (now) => {
      if (over) return;
      const part = Math.min(1, (now - start) / LENGTHS.walk);
      const at = line.getPointAtLength(part * length);
      const near = line.getPointAtLength(Math.max(0, part * length - 1));
      const angle = part ? Math.atan2(at.y - near.y, at.x - near.x) * 180 / Math.PI : 0;
      walker.setAttribute("transform", `translate(${at.x} ${at.y}) rotate(${angle})`);
      if (part < 1) requestAnimationFrame(step);
      else end();
    };
    requestAnimationFrame(step);
  });
}

const sound = (name) => document.dispatchEvent(new CustomEvent("souk:sound", { detail: name }));

/* Telling */

async function tellMove(move) {
  for (const beat of move.beats) await BEATS[beat.do]?.(beat, move);
  clear(".counted");
  settle(move);
  clear(".hopper");
}

const turnsOf = (moves) => moves.reduce((turns, move) => {
  if (turns.at(-1)?.[0].seat === move.seat) turns.at(-1).push(move);
  else turns.push([move]);
  return turns;
}, []);

async function tell(story, { quietly = false } = {}) {
  const page = main();
  const table = document.getElementById("table");
  const card = document.createElement("div");
  card.className = "teller";
  card.setAttribute("aria-hidden", "true");
  card.innerHTML = '<ol class="moves"></ol><p class="quiet small"></p>';
  card.lastChild.textContent = story.skip;
  setOut(story);
  if (!quietly) {
    document.getElementById("question")?.prepend(card);
    page.classList.add("telling");
    table.inert = true;
  }
  for (const turn of turnsOf(story.moves)) {
    const line = document.createElement("li");
    for (const move of turn) {
      await tellMove(move);
      line.innerHTML = move.told;
      if (!line.isConnected) card.firstChild.append(line);
    }
    await pause(LENGTHS.rest);
    telling.hurried = telling.skips > 1;
  }
  card.remove();
  page.classList.remove("telling");
  if (!quietly) table.inert = false;
}

/* The end: what everybody has is counted on the board, that of the winners last, and this stays. */
async function celebrate() {
  const acts = read("finale");
  if (!acts) return;
  Object.assign(telling, { skips: 0, hurried: false });
  for (const { beats, crowned } of acts) {
    clear(".counted:not(.crowned)");
    for (const beat of beats) await BEATS[beat.do](beat, { crowned });
  }
  clear(".counted:not(.crowned)");
}

/* Wherever else the end of a game is shown, that light is there already. */
function lightUp() {
  if (telling || document.querySelector("#board .counted")) return;
  for (const { beats, crowned } of read("finale") ?? []) {
    if (!crowned) continue;
    for (const { at, size, counts } of beats.filter((beat) => beat.do === "light")) {
      at.forEach((place, number) => mark(place, size, counts?.[number] ?? number + 1, true));
    }
  }
}

/* A page that saw the end is as fresh as after a reload; what was being written stays. */
const isOver = () => Boolean(document.querySelector("#table[data-over]"));
let renewed = isOver() ? Promise.resolve() : null;
function renew() {
  if (isOver()) renewed ??= fetchAnew();
  return renewed;
}

async function fetchAnew() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("content");
  if (!fresh) return;
  for (const field of document.querySelectorAll("#say, #notes-text")) {
    const same = fresh.querySelector(`#${field.id}`);
    if (same) same.value = field.value;
  }
  const focused = document.activeElement?.id;
  fresh.classList.add("grown"); // the bars of the result have been seen to grow
  main().replaceWith(document.adoptNode(fresh));
  globalThis.htmx?.process(fresh);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("souk:renewed"));
}

function skip(event) {
  if (!telling || event.target.closest?.("a, button, input, textarea, select, summary")) return;
  if (event.type === "keydown" && ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  telling.skips += 1;
  telling.hurry();
}
document.addEventListener("pointerdown", skip, true);
document.addEventListener("keydown", skip, true);

/* Telling can be switched off, and a browser may keep nothing for us. */
function wanted() {
  try {
    return localStorage.getItem("souk-story") !== "off";
  } catch {
    return true;
  }
}

function read(id, page = document) {
  const text = page.getElementById(id)?.content.textContent;
  return text ? JSON.parse(text) : null;
}

/* An answer that has something to tell is put in place when that has been told. */
document.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.serverResponse;
  if (!wanted() || !answer.includes('<template id="story">') || !document.getElementById("board")) return;
  event.preventDefault();
  const target = event.detail.target;
  const style = event.detail.requestConfig.elt.closest("[hx-swap]")?.getAttribute("hx-swap") ?? "outerHTML";
  const story = read("story", new DOMParser().parseFromString(answer, "text/html"));
  whileTelling(async () => {
    await tell(story);
    const present = document.getElementById(target.id) ?? target;
    globalThis.htmx.swap(present, answer, { swapStyle: style, swapDelay: 0, settleDelay: 0 });
    await renew();
    await celebrate();
  });
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (telling && event.target.id === "live") {
    missed = true;
    event.preventDefault();
  }
});

/* What somebody who comes back has not seen; then the page as it came. */
const untold = document.querySelector("#table[data-untold]");
const story = untold && wanted() ? read("story") : null;
delete untold?.dataset.untold;
if (story) {
  whileTelling(async () => {
    const fresh = untold.cloneNode(true);
    main().classList.add("anew");
    await tell(story);
    untold.replaceWith(fresh);
    main().classList.remove("anew");
    globalThis.htmx?.process(fresh);
    document.dispatchEvent(new Event("souk:renewed"));
    await celebrate();
  });
} else lightUp();
document.addEventListener("htmx:afterSettle", renew);
for (const kind of ["htmx:afterSettle", "souk:renewed"]) document.addEventListener(kind, lightUp);
globalThis.souk = {
  tell: (told, how) => whileTelling(() => tell(told, how)),
  setOut, trace, lightUp,
  hurry: () => telling?.hurry(),
};
