/* Curves that can be read: the values at a step show under the pointer, a finger, or the arrow
   keys. A chart says its scale; without this file it still has its labels, and a table nearby. */
const TOP = 8, BOTTOM = 92, LEFT = 34, RIGHT = 292;

function pointsOf(line) {
  return line.getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number));
}

/* A line has a corner at every step but those within a level stretch: what is told is what the
   corner says, never a slope between two of them. */
function heightAt(points, x, gap) {
  const near = points.find(([px]) => Math.abs(px - x) < gap / 2);
  return (near ?? points.findLast(([px]) => px < x) ?? points[0])[1];
}

function read(chart, step) {
  const { low, high, steps, labels } = chart.dataset;
  const shown = Math.min(Math.max(step, 0), Number(steps));
  const gap = (RIGHT - LEFT) / Number(steps);
  const x = LEFT + gap * shown;
  const figure = chart.closest("figure");
  const values = figure.querySelectorAll(".legend b");
  const told = [...chart.querySelectorAll("polyline")].map((line) => {
    const share = (BOTTOM - heightAt(pointsOf(line), x, gap)) / (BOTTOM - TOP);
    return Math.round(Number(low) + share * (high - low));
  });
  values.forEach((value, number) => { value.textContent = told[number]; });
  let cursor = chart.querySelector(".cursor");
  if (!cursor) {
    cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cursor.setAttribute("class", "cursor");
    chart.append(cursor);
  }
  cursor.setAttribute("d", `M${x} ${TOP}V${BOTTOM}`);
  const output = figure.querySelector(".step");
  if (output) {
    output.hidden = false;
    // Where there is no legend to say the values, they stand beside the step.
    const step = labels ? labels.split("|")[shown] : String(shown);
    output.textContent = values.length ? step : [step, ...told].filter(String).join(" · ");
  }
  chart.dataset.at = shown;
}

function stepAt(chart, event) {
  const box = chart.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * 300;
  return Math.round(((x - LEFT) / (RIGHT - LEFT)) * Number(chart.dataset.steps));
}

/* A day of a calendar, a stretch of a ribbon: what it is called shows above. */
function tell(part) {
  const output = part.closest("figure")?.querySelector(".step");
  const said = part.querySelector("title");
  if (output && said) {
    output.hidden = false;
    output.textContent = said.textContent;
  }
}

for (const kind of ["pointermove", "pointerdown"]) {
  document.addEventListener(kind, (event) => {
    const chart = event.target.closest?.("svg[data-steps]");
    if (chart) read(chart, stepAt(chart, event));
    else if (event.target.matches?.("svg rect")) tell(event.target);
  });
}

document.addEventListener("keydown", (event) => {
  const chart = event.target.closest?.("svg[data-steps]");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!chart || !step) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  read(chart, Number(chart.dataset.at ?? chart.dataset.steps) + step);
}, true);

/* Only what can be read by keys is a stop on the way through the page. */
for (const chart of document.querySelectorAll(".legible svg[data-steps]")) chart.setAttribute("tabindex", "0");
