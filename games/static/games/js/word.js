/* Draws the lucky word in this browser, after the commitment to the seed has arrived with the page:
   so the server cannot have known the word when it chose the seed. */
const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";

/* A number below n (at most 256), each equally likely. */
function below(n) {
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 256 - (256 % n)) return byte % n;
  }
}

const syllable = () => CONSONANTS[below(CONSONANTS.length)] + VOWELS[below(VOWELS.length)];
const part = () => syllable() + syllable() + syllable();

function draw({ entropy, drawn_word: drawn }) {
  entropy.value = `${part()}-${part()}-${part()}`;
  drawn.value = entropy.value;
}

/* A word that the server offers is replaced where it is shown; what a player typed stays. */
function replaceOffered() {
  for (const field of document.querySelectorAll("input[data-offered]")) {
    if (field.value === field.defaultValue && field.form?.elements.drawn_word) draw(field.form.elements);
  }
}

replaceOffered();
document.addEventListener("htmx:afterSettle", replaceOffered);

/* Forms of one button get theirs when it is pressed. */
document.addEventListener(
  "submit",
  ({ target: { elements } }) => {
    if (elements.drawn_word && elements.entropy && !elements.entropy.value) draw(elements);
  },
  true,
);
