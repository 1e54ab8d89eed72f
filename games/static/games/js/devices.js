/* “Tell me on this device”: shown where the browser can do it and has not been told no. */
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function offer() {
  if (!able || Notification.permission === "denied") return;
  for (const each of document.querySelectorAll("[data-tell-me]")) each.hidden = false;
}
offer();
document.addEventListener("htmx:afterSettle", offer);
document.addEventListener("click", (event) => {
  const box = event.target.closest("[data-tell-me]");
  if (box && event.target.closest("button")) tellMe(box);
});

async function tellMe(box) {
  const said = box.querySelector("[role=status]");
  try {
    if (await Notification.requestPermission() !== "granted") return;
    const { key } = await (await fetch(box.dataset.address)).json();
    const { endpoint, keys } = (await subscribed(bytes(key))).toJSON();
    const answer = await fetch(box.dataset.address, {
      method: "POST",
      headers: JSON.parse(document.body.getAttribute("hx-headers")),
      body: new URLSearchParams({ endpoint, ...keys }),
    });
    const { refusal } = await answer.json();
    said.textContent = refusal ?? box.dataset.done;
    if (refusal) return;
    box.querySelector("button").hidden = true;
    if ("reload" in box.dataset) location.reload();
  } catch {
    said.textContent = box.dataset.failed;
  }
}

async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  if (old && !isMadeWith(old, key)) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function isMadeWith(subscription, key) {
  const used = new Uint8Array(subscription.options.applicationServerKey ?? []);
  return used.length === key.length && used.every((byte, place) => byte === key[place]);
}

function bytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
}
