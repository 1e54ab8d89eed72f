/* Carpet, way and cushion are chosen without asking the server: what a tap means, as in choice.py of
   the game, with the words that came along. Only the button that confirms is a form. */
const SVG = "http://www.w3.org/2000/svg";
const TAPPED = /^(?:(hand|[LU][a-e][1-5])|(?:enter:([LU][a-e][1-5])|(?:move|capture):([LU][a-e][1-5])-([LU][a-e][1-5]))(?:[@!]([CENSW]{1,2}))?)$/;
const COLUMNS = "abcde";
const ROWS = "54321";

function read() {
  const text = document.getElementById("taps")?.content.textContent;
  return text ? JSON.parse(text) : null;
}
const fill = (text, words) => text.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
const address = (tap) => `${document.getElementById("taps").dataset.url}${tap ? `?choose=${tap}` : ""}`;
const cushionOf = (action) => action.split(/[@!]/)[1] ?? "";

/* What these taps mean. */
function choose(known, tapped) {
  if (known.pick) {
    const action = known.legal.includes(tapped) ? tapped : known.legal.length === 1 ? known.legal[0] : "";
    const taps = Object.fromEntries(known.legal.map((each) => [each.slice(5), each]));
    const several = known.legal.length > 1;
    return { step: "pick", on: known.pick.on, taps, cushion: action.slice(5), action, ask: known.pick.ask, back: action && several ? "" : null };
  }
  const [, first, entry, start, end, said] = TAPPED.exec(tapped) ?? [];
  let source = entry ? "hand" : first ?? start ?? "";
  let target = entry ?? end ?? "";
  if (!known.sources[source]) [source, target] = ["", ""];
  source ||= known.given;
  if (!source) return { step: "source", ask: [known.texts.which, known.texts.tap], back: null };
  const from = known.sources[source];
  const way = from.ways[target];
  const back = known.given ? null : "";
  if (!way) return { step: "target", source, ways: from.ways, on: from.on, ask: [from.ask], back };
  const again = known.given ? "" : source;
  const actions = way[5].map((end) => way[0] + end);
  if (!actions.length) return { step: "target", source, target, ways: from.ways, on: from.on, ask: [from.ask], why: way[4], back: again };
  const byCushion = Object.fromEntries(actions.map((each) => [cushionOf(each), each]));
  const bare = byCushion[""];
  const action = byCushion[said ?? ""] ?? bare ?? (actions.length === 1 ? actions[0] : "");
  const taps = Object.fromEntries(Object.entries(byCushion).filter(([name]) => name));
  if (bare && taps[said]) taps[said] = bare;
  const chosen = { source, target, ways: from.ways, on: from.on, taps, action, cushion: cushionOf(action), back: again };
  if (!action) return { ...chosen, step: "cushion", ask: [fill(known.texts.cushion, { goal: target })] };
  return { ...chosen, step: "confirm", ask: confirmation(known, from, chosen) };
}

function confirmation(known, from, { source, target, action, cushion, taps }) {
  if (from.captures[target]) return from.captures[target];
  const verb = action.split(":")[0];
  const sign = action.match(/[@!]/)?.[0] ?? "";
  const words = { goal: target, source, ...known.cushions[cushion] };
  const note = verb === "move" && !sign && Object.keys(taps).length ? fill(known.texts.stay, words) : "";
  return [fill(known.texts[verb + sign], words), note, known.texts[`does ${verb}`]];
}

/* Drawing */

const corner = (cell) => [56 * COLUMNS.indexOf(cell[1]), 40 * ROWS.indexOf(cell[2])];

function draw(plane, symbol, sheet, cell) {
  const use = document.createElementNS(SVG, "use");
  const [x, y] = corner(cell);
  for (const [name, value] of Object.entries({ href: `#${symbol}`, class: sheet, x, y })) use.setAttribute(name, value);
  plane.append(use);
  return use;
}

function mark(plane, cell, sheet, markup) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", sheet);
  group.setAttribute("transform", `translate(${corner(cell).join(" ")})`);
  group.innerHTML = markup;
  plane.append(group);
  return group;
}

function woven(colour, cushions, keys) {
  const seats = Object.keys(keys).map((name, place) => [name, 28 + (place % 3 - 1) * 15.5, 20 + (Math.floor(place / 3) - 1) * 10.6]);
  return `<use href="#carpet-${colour}"/>` + seats.filter(([name]) => cushions.includes(name))
    .map(([, x, y]) => `<use href="#seat-${colour}" x="${x}" y="${y}"/>`).join("") + '<use href="#tassels"/>';
}

function after({ on, cushion, action }) {
  if (!cushion) return on;
  return action.includes("!") ? on.filter((name) => name !== cushion) : [...on, cushion];
}

function drawBoard(known, choice) {
  const flight = choice.target && ["board", "free"].includes(choice.ways[choice.target][1]);
  for (const key of "UL") {
    const plane = document.querySelector(`#board .plane.${key} svg.board > g`);
    for (const old of plane.querySelectorAll(":scope > :is(.lit, .veil, .odds, .plus, .ring, .ghost, .berth)")) old.remove();
    for (const carpet of plane.querySelectorAll("[data-cell]")) {
      carpet.style.visibility = flight && carpet.dataset.cell === choice.source ? "hidden" : "";
    }
    const here = (cell) => cell[0] === key;
    for (const source of (choice.source ? [] : known.can_go ?? []).filter((cell) => cell !== "hand" && here(cell))) draw(plane, "round-carpet", "lit carpet", source);
    for (const [cell, [, kind, , odds]] of Object.entries(choice.ways ?? {}).filter(([cell]) => here(cell))) {
      const chosen = cell === choice.target;
      if (kind === "refused") draw(plane, "veil", "veil", cell);
      else draw(plane, "round-carpet", `lit ${kind}${chosen ? " chosen" : ""}`, cell);
      if (odds) mark(plane, cell, `odds ${kind}`, `<rect x="8" y="11" width="40" height="18" rx="9"/><text x="28" y="24.5">${odds}</text>`);
      else if (kind === "board" && !chosen) mark(plane, cell, "plus", '<circle cx="46" cy="10" r="7"/><path d="M46 6.5v7M42.5 10h7"/>');
      else if (kind === "free" && !chosen) mark(plane, cell, "", '<circle class="ring" cx="28" cy="20" r="5.5"/>').setAttribute("class", "ring");
    }
    if (choice.source && choice.source !== "hand" && here(choice.source)) draw(plane, "round-carpet", flight ? "berth" : "lit source", choice.source);
    if (flight && here(choice.target)) ghost(plane, known, choice.target, after(choice), "ghost");
    plane.append(...plane.querySelectorAll(":scope > .hinted"));
  }
}

/* In a group of its own, because the sheet moves it while it settles. */
function ghost(plane, known, cell, cushions, sheet) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", sheet);
  plane.append(group);
  mark(group, cell, "", woven(known.colour, cushions, known.keys));
  draw(group, "round-carpet", "", cell);
  return group;
}

/* Controls */

function link(tap, more) {
  const made = document.createElement("a");
  made.href = address(tap);
  for (const [name, value] of Object.entries(more)) if (value !== "") made.setAttribute(name, value);
  return made;
}

function drawCells(known, choice) {
  for (const key of "UL") {
    const cells = [...ROWS].flatMap((row) => [...COLUMNS].map((column) => `${key}${column}${row}`));
    document.querySelector(`#board .plane.${key} .controls`).replaceChildren(...cells.map((cell) => {
      const id = `cell-${cell}`;
      const way = choice.ways?.[cell];
      if (cell === choice.source) {
        if (known.given) return blank();
        return link("", { id, class: "spot cell", "aria-current": "true", "aria-label": known.own[cell] });
      }
      if (known.own?.[cell] && (!way || way[4])) return link(cell, { id, class: "spot cell", "aria-label": known.own[cell] });
      if (!way) return blank();
      return link(way[0], {
        id, class: "spot cell", "aria-label": way[2],
        "aria-current": cell === choice.target ? "true" : "", tabindex: way[1] === "refused" ? "-1" : "",
      });
    }));
  }
}

function blank() {
  const made = document.createElement("i");
  made.className = "cell";
  return made;
}

function pad(known, choice) {
  const made = document.createElement("div");
  made.className = "pad";
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", known.group);
  for (const [name, key] of Object.entries(known.keys)) {
    const tap = choice.taps[name];
    const chosen = name === choice.cushion;
    const cushion = tap
      ? link(tap, { id: `cushion-${name}`, class: `cushion${chosen ? " chosen" : ""}`, "data-key": key, "aria-label": known.cushions[name].name, "aria-current": chosen ? "true" : "" })
      : document.createElement("span");
    cushion.classList.add("cushion");
    const seated = choice.on.includes(name) || chosen;
    cushion.innerHTML = `<svg viewBox="-9.5 -8.5 19 15.5" aria-hidden="true"><use href="#${seated ? "seat" : "rest"}-${known.colour}"/></svg>`;
    made.append(cushion);
  }
  return made;
}

function button(action, said) {
  const made = document.createElement("button");
  Object.assign(made, { className: "button", id: "confirm", name: "action", value: action, textContent: said });
  made.dataset.key = "c";
  return made;
}

let hand = null; // the button for a carpet from the hand, as it came

function drawQuestion(known, choice) {
  const ask = document.querySelector("#question .ask");
  hand = ask.querySelector("#hand") ?? hand;
  for (const part of ask.querySelectorAll(":scope > :not(h1, .until)")) part.remove();
  const [heading, note, said] = choice.ask;
  ask.querySelector("h1").textContent = heading;
  const hasPad = Object.keys(choice.taps ?? {}).length > 0;
  ask.toggleAttribute("data-pad", hasPad);
  if (choice.why) {
    const why = document.createElement("p");
    why.className = "banner";
    why.setAttribute("role", "status");
    why.innerHTML = `<b>${choice.target}</b> `;
    why.append(known.why[choice.why]);
    ask.append(why);
  }
  if (hasPad) ask.append(pad(known, choice));
  const row = document.createElement("div");
  row.className = "choices confirm";
  if (choice.step === "source" && hand) row.append(hand);
  if (choice.back !== null) {
    const undo = link(choice.back, { id: "undo", class: "button plain", "data-key": "Escape" });
    undo.textContent = known.undo;
    row.append(undo);
  }
  if (choice.action) row.append(button(choice.action, said));
  ask.append(row);
  if (note) {
    const more = document.createElement("p");
    more.textContent = note;
    ask.append(more);
  }
}

const chosen = () => document.getElementById("chosen");
const present = (known) => choose(known, chosen().value);

function tap(text) {
  const known = read();
  const focused = document.activeElement?.id;
  chosen().value = text;
  const choice = present(known);
  drawBoard(known, choice);
  drawCells(known, choice);
  drawQuestion(known, choice);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

const tapOf = (made) => new URL(made.href).searchParams.get("choose") ?? "";
const tapped = (event) => event.target.closest?.("#table :is(.planes .controls, .ask) a[href]");

document.addEventListener("click", (event) => {
  const made = tapped(event);
  if (!made || !document.getElementById("taps") || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  tap(tapOf(made));
}, true);

/* The carpet where it would be, under the pointer. */
let near = null;
document.addEventListener("pointerover", (event) => {
  near?.remove();
  near = null;
  const cell = tapped(event)?.id.match(/^cell-(.+)$/)?.[1];
  const known = cell && document.getElementById("taps") ? read() : null;
  const choice = known && present(known);
  const way = choice?.ways?.[cell];
  if (!way || cell === choice.target || !["board", "free"].includes(way[1])) return;
  near = ghost(document.querySelector(`#board .plane.${cell[0]} svg.board > g`), known, cell, choice.on, "ghost near");
});

/* A carpet is dragged, from the hand or from where it lies. */
let dragged = null;
document.addEventListener("pointerdown", (event) => {
  const made = document.getElementById("taps") && tapped(event);
  const text = made && !event.button ? tapOf(made) : "";
  const carpet = text === "hand" || /^[LU]..$/.test(text);
  dragged = carpet ? { text, x: event.clientX, y: event.clientY, moving: false } : null;
});
document.addEventListener("dragstart", (event) => { if (dragged) event.preventDefault(); });
document.addEventListener("pointermove", (event) => {
  if (!dragged || dragged.moving || Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 8) return;
  dragged.moving = true;
  tap(dragged.text);
});
document.addEventListener("pointerup", (event) => {
  const moved = dragged?.moving;
  dragged = null;
  if (!moved) return;
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("a.cell")?.id.slice(5);
  const way = present(read()).ways?.[cell];
  if (way) tap(way[0]);
});
document.addEventListener("pointercancel", () => { dragged = null; });
