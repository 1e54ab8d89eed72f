/* Keys for what stands on the page as a button or link, such as data-key="l ArrowLeft". */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const keyed = document.querySelector(`[data-key~="${CSS.escape(event.key)}"]`);
  const spot = keyed ? null : neighbour(event.key, event.target);
  if (!keyed && !spot) return;
  event.preventDefault();
  if (keyed) keyed.click();
  else spot.focus();
});

/* The nearest place in the direction of an arrow key. */
function neighbour(key, from) {
  const spots = [...document.querySelectorAll(".spot")];
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!way || !spots.length) return null;
  if (!spots.includes(from)) return spots[0];
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

/* Say so while the server cannot be reached, and no longer. */
const trouble = (hidden) => { document.getElementById("trouble").hidden = hidden; };
document.addEventListener("htmx:sendError", () => trouble(false));
document.addEventListener("htmx:responseError", () => trouble(false));
document.addEventListener("htmx:afterOnLoad", (event) => { if (event.detail.successful !== false) trouble(true); });
