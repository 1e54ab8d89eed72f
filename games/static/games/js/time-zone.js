// Tells the server the time zone of this browser, so that nobody has to look for theirs.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const name = location.protocol === "https:" ? "__Host-tz" : "tz";
const secure = location.protocol === "https:" ? "; secure" : "";
if (zone) document.cookie = `${name}=${zone}; path=/; max-age=86400; samesite=lax${secure}`;
for (const field of document.querySelectorAll("[data-zone]")) field.value ||= zone ?? "";
