/* Computes every chance outcome of a finished game from its record, with the browser's own
   cryptography. Written from the description of the method, not from the server's code. */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text) => new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/* The stream of bytes of one chance event, as numbers below n. */
function numbers(key, prefix, event) {
  let bytes = [];
  let block = 0;
  return async (n) => {
    for (;;) {
      if (!bytes.length) {
        const message = new TextEncoder().encode(`${prefix}|${event}|${block}`);
        bytes = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, message))];
        block += 1;
      }
      const byte = bytes.shift();
      if (byte < 256 - (256 % n)) return byte % n;
    }
  };
}

async function shuffled(items, below) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}

/* The one way to write a record that a signature is over (RFC 8785). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/* Whether the site signed this record; null where this browser cannot tell. */
async function signed(record, pem) {
  const { signature, ...rest } = record;
  const der = Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, "")), (letter) => letter.charCodeAt(0));
  const name = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", der.slice(-32))));
  if (!signature || signature.key !== name) return false;
  let key;
  try {
    key = await crypto.subtle.importKey("spki", der, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return null;
  }
  const text = new TextEncoder().encode(canonical(rest));
  return crypto.subtle.verify("Ed25519", key, fromHex(signature.ed25519), text);
}

async function check(record, faces, pem) {
  const { commitment, entropy, joined, seed } = record.fairness;
  const secret = fromHex(seed);
  const digest = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", secret)));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const stream = (event) => numbers(key, `${commitment}|${entropy.join(",")}`, event);
  const names = record.players.map((player) => player.name);
  let piles = true;
  for (const [seat, pile] of record.piles.entries()) {
    const deck = record.players[seat].colours.flatMap((colour) => pile.filter((each) => each === colour));
    piles = piles && same(await shuffled(deck, stream(1 + seat)), pile);
  }
  const rolls = record.moves.filter((move) => "die" in move);
  let agreeing = 0;
  for (const [number, move] of rolls.entries()) {
    const below = stream(1 + record.piles.length + number);
    if (faces[await below(faces.length)] === move.die) agreeing += 1;
  }
  return {
    commitment: digest === commitment,
    seating: same(await shuffled(joined, stream(0)), names),
    piles: record.piles.length ? piles : null,
    rolls: rolls.length ? agreeing === rolls.length : null,
    signature: await signed(record, pem),
    counted: `${agreeing} / ${rolls.length}`,
  };
}

const section = document.getElementById("check");
section.hidden = false;
const say = section.dataset;
const verdict = document.getElementById("verdict");
section.querySelector("button").addEventListener("click", async (event) => {
  if (!globalThis.crypto || !crypto.subtle) {
    verdict.textContent = say.insecure;
    return;
  }
  const button = event.target;
  button.disabled = true;
  try {
    const answer = await fetch(say.record);
    const record = await answer.json();
    const pem = await (await fetch(say.key)).text();
    const faces = say.faces.split(" ").filter(Boolean).map(Number);
    const found = await check(record, faces, pem);
    const parts = ["commitment", "seating", "piles", "rolls", "signature"].filter((part) => found[part] !== null);
    for (const place of section.querySelectorAll("[data-part]")) {
      const part = place.dataset.part;
      place.hidden = place.previousElementSibling.hidden = !parts.includes(part);
      place.className = found[part] ? "agrees" : "disagrees";
      place.textContent = (found[part] ? `✓ ${say.good}` : `✗ ${say.bad}`) + (part === "rolls" ? ` (${found.counted})` : "");
    }
    section.querySelector("dl").hidden = false;
    verdict.textContent = "";
    section.dataset.result = parts.every((part) => found[part]) ? "good" : "bad";
  } catch {
    verdict.textContent = say.failed;
  } finally {
    button.disabled = false;
  }
});
