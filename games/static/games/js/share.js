/* Share a game: with its picture where the device can, or else its link is copied. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-shares]");
  if (!button) return;
  event.preventDefault();
  const url = new URL(button.dataset.shares, location.href).href;
  const shared = { title: document.title, text: button.dataset.said, url };
  try {
    if (navigator.share) {
      const picture = new File([await (await fetch(button.href)).blob()], "souk.png", { type: "image/png" });
      if (navigator.canShare?.({ files: [picture] })) shared.files = [picture];
      await navigator.share(shared);
      return;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  await navigator.clipboard.writeText(url);
  button.textContent = button.dataset.copied;
});
