// Copy and share: what the address beside them can do by hand, too.
for (const row of document.querySelectorAll("[data-sharing]")) row.hidden = false;
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy || button.dataset.share);
  if (button.dataset.share) {
    // Whoever closes the sheet of the device has changed their mind, and that is all.
    await navigator.share({ title: button.dataset.title, url: field.value }).catch(() => {});
    return;
  }
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
  button.textContent = button.dataset.done;
});
if (navigator.share) for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
