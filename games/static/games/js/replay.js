/* Replay without reloading: links, buttons and the slider of a table or a record fetch the page
   they lead to and put its content in place. Without this file they are links and buttons. */
const PACE = 1500;
let playing = null;
let asking = null;

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
  if (!fresh) return;
  const focus = remembered(document.activeElement);
  document.getElementById("content").replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  if (!body) history.replaceState(null, "", address);
  globalThis.htmx?.process(fresh);
  prepare();
  if (focus) document.querySelector(focus)?.focus({ preventScroll: true });
}

/* An older request that was overtaken is no failure; anything else is tried the plain way. */
function go(address, body, fallback) {
  show(address, body).catch((error) => { if (error.name !== "AbortError") fallback(); });
}

function follow(link) {
  go(link.href, null, () => location.assign(link.href));
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

document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a[data-step][href], :is(#moves, #missed) a[href]");
  const button = event.target.closest("form[data-replay] button[name=move]");
  if (event.isTrusted && (link || button)) stop();
  if (link) {
    event.preventDefault();
    follow(link);
  } else if (button) {
    event.preventDefault();
    submit(button.form, "move", button.value);
  } else if (event.target.closest("[data-autoplay]")) {
    if (playing) stop();
    else start();
  }
});

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-scrub]")) return;
  stop();
  submit(event.target.form, "move", event.target.value);
});

function start() {
  const forward = () => {
    const next = document.querySelector("[data-step=forward]:not([aria-disabled], [disabled])");
    if (next) next.click();
    else stop();
  };
  playing = setInterval(forward, PACE);
  prepare();
  forward();
}

function stop() {
  clearInterval(playing);
  playing = null;
  prepare();
}

/* What only works with this file appears with it. */
function prepare() {
  for (const button of document.querySelectorAll("[data-autoplay]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(Boolean(playing)));
  }
  for (const button of document.querySelectorAll("[data-without-script]")) button.hidden = true;
}
prepare();
