/* Choosing on the board without waiting for the server. Whatever can be chosen with a tap carries
   its actions in data-choose, in the order of tapping, and what they look like lies in the board
   under data-place. Only the button that confirms is a form; without this file, so are the taps. */
let near = null;

const chosen = () => document.getElementById("confirm")?.value || "";
const placeOf = (action) => (action ? document.querySelector(`[data-place="${CSS.escape(action)}"]`) : null);

function following(actions) {
  const list = actions.split(" ");
  return list[(list.indexOf(chosen()) + 1) % list.length];
}

function choose(action) {
  const confirm = document.getElementById("confirm");
  const heading = document.querySelector("#question h1");
  const before = chosen();
  hover("");
  placeOf(before)?.classList.remove("shown");
  placeOf(action)?.classList.add("shown");
  const board = document.querySelector("#board .board");
  board.classList.remove(`shows-${before.slice(-1)}`);
  if (action.startsWith("turn:")) board.classList.add(`shows-${action.slice(-1)}`);
  confirm.value = action;
  document.getElementById("chosen").value = action;
  confirm.disabled = !action;
  for (const control of document.querySelectorAll("[data-choose]")) {
    const current = action && control.dataset.choose.split(" ").includes(action);
    if (current) control.setAttribute("aria-current", "true");
    else control.removeAttribute("aria-current");
  }
  for (const part of document.querySelectorAll("[data-if-chosen]")) part.hidden = !action;
  for (const part of document.querySelectorAll("[data-unless-chosen]")) part.hidden = Boolean(action);
  if (heading.dataset.ask) heading.textContent = placeOf(action)?.dataset.ask || heading.dataset.ask;
}

function hover(action) {
  if (near === action) return;
  placeOf(near)?.classList.remove("near");
  placeOf(action)?.classList.add("near");
  near = action;
}

const control = (event) => event.target.closest?.("#table [data-choose]");

/* Before the link asks the server. */
document.addEventListener("click", (event) => {
  const tapped = control(event);
  if (!tapped || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  choose(tapped.dataset.choose && following(tapped.dataset.choose));
}, true);

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch" || held) return;
  const pointed = control(event);
  hover(pointed?.dataset.choose ? following(pointed.dataset.choose) : "");
});

/* A piece is dragged from the pile onto the board. */
let held = null;

document.addEventListener("pointerdown", (event) => {
  const pile = event.target.closest?.("[data-pile]");
  if (!pile || event.button) return;
  event.preventDefault();
  held = pile.cloneNode(true);
  held.classList.add("hand-held");
  pile.classList.add("dragged");
  document.body.append(held);
  follow(event);
});

function follow(event) {
  held.style.left = `${event.clientX}px`;
  held.style.top = `${event.clientY}px`;
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("#table .spot[data-choose]");
  if (over) hover(over.dataset.choose.split(" ").includes(near) ? near : over.dataset.choose.split(" ")[0]);
  else hover("");
}

document.addEventListener("pointermove", (event) => { if (held) follow(event); });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (!held) return;
    const dropped = event.type === "pointerup" ? near : "";
    held.remove();
    held = null;
    document.querySelector(".pile.dragged")?.classList.remove("dragged");
    hover("");
    if (dropped) choose(dropped);
  });
}
