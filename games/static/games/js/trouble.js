/* Say so while something does not work, in a line that stays in view, and no longer. */
function tell(kind, shown) {
  document.querySelector(`[data-trouble="${kind}"]`).hidden = !shown;
}

const asks = (event) => event.detail.requestConfig.verb === "get";
const unreachable = () => tell("lost", true);
window.addEventListener("offline", unreachable);
window.addEventListener("online", () => tell("lost", false));
document.addEventListener("htmx:sendError", unreachable);
document.addEventListener("htmx:timeout", unreachable);
document.addEventListener("htmx:responseError", (event) => {
  if (!triedAgain(event.detail)) tell(kindOf(event), true);
});
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.successful === false) return;
  tell("lost", false);
  if (!asks(event)) tell("refused", false);
});

function kindOf(event) {
  const { status } = event.detail.xhr;
  if (status === 401) return "stranger";
  return asks(event) && (status >= 500 || status === 429) ? "lost" : "refused";
}

/* Somebody signed in or out in another tab since this page was made, so its token is of no more
   use. The refusal brings a fresh one, with which the same is tried once more. */
const TOKEN = "csrfmiddlewaretoken";
const again = new WeakSet();

function triedAgain({ xhr, elt, requestConfig }) {
  const token = xhr.status === 403 && xhr.getResponseHeader("x-csrftoken");
  if (!token || again.has(elt)) return false;
  for (const field of document.getElementsByName(TOKEN)) field.value = token;
  const headers = JSON.parse(document.body.getAttribute("hx-headers"));
  document.body.setAttribute("hx-headers", JSON.stringify({ ...headers, "x-csrftoken": token }));
  const values = Object.fromEntries(requestConfig.formData);
  if (TOKEN in values) values[TOKEN] = token;
  again.add(elt);
  // Not before this request has let go of its element.
  setTimeout(async () => {
    await htmx.ajax(requestConfig.verb, requestConfig.path, { source: elt, values });
    again.delete(elt);
  });
  return true;
}
