/* A page that was not kept: what was kept is offered instead, what was seen last first. */
window.addEventListener("online", () => location.reload());

const box = document.getElementById("kept");
const moments = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
const cache = await caches.open("seen");
for (const { url } of (await cache.keys()).reverse()) {
  const kept = await cache.match(url);
  const { title } = new DOMParser().parseFromString(await kept.text(), "text/html");
  const name = title.replace(/^\(\d+\) /, "").replace(/ – Souk$/, "");
  const seen = moments.format(new Date(kept.headers.get("Souk-Seen")));
  const line = box.querySelector("ul").appendChild(document.createElement("li"));
  line.append(
    Object.assign(document.createElement("a"), { href: url, textContent: name }),
    Object.assign(document.createElement("div"), { className: "quiet", textContent: seen }),
  );
  box.hidden = false;
}
