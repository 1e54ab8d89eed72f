/* Quiet sounds, made here: a die on wood, coins, cloth. Whoever fetches this file wants to hear them. */
let context = null;

function noise(length) {
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
}

/* A source through a filter, as loud as `loud` and fading within `length`. */
function make(source, when, length, loud, type, frequency, end = frequency) {
  const filter = context.createBiquadFilter();
  filter.type = type;
  filter.frequency.setValueAtTime(frequency, when);
  filter.frequency.linearRampToValueAtTime(end, when + length);
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, when);
  gain.gain.exponentialRampToValueAtTime(0.0001, when + length);
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(when);
  source.stop(when + length);
}

function tone(frequency) {
  const source = context.createOscillator();
  source.type = "triangle";
  source.frequency.value = frequency;
  return source;
}

const SOUNDS = {
  die(now) { for (const [after, loud] of [[0, .25], [.09, .16], [.16, .1], [.21, .06]]) make(noise(.06), now + after, .06, loud, "bandpass", 900); },
  coins(now) { for (const [after, pitch] of [[0, 2100], [.07, 2500], [.15, 2300]]) make(tone(pitch), now + after, .18, .05, "highpass", 900); },
  cloth(now) { make(noise(.28), now, .28, .07, "bandpass", 600, 1800); },
};

export function play(name) {
  context ??= new AudioContext();
  context.resume();
  SOUNDS[name]?.(context.currentTime);
}
