/** Short synthesized sounds. They are off until the player switches them on. */

/** @typedef {"open" | "flood" | "flag" | "won" | "lost"} Sound */

/**
 * A tone: its pitch in hertz, its start and length in seconds.
 *
 * @typedef {{pitch: number, at: number, length: number, shape: OscillatorType}} Tone
 */

/** @type {Record<Sound, Tone[]>} */
const TONES = {
  open: [{ pitch: 660, at: 0, length: 0.04, shape: "sine" }],
  flood: [
    { pitch: 520, at: 0, length: 0.05, shape: "sine" },
    { pitch: 780, at: 0.04, length: 0.07, shape: "sine" },
  ],
  flag: [{ pitch: 330, at: 0, length: 0.05, shape: "triangle" }],
  won: [523, 659, 784, 1047].map((pitch, step) => ({ pitch, at: 0.09 * step, length: 0.14, shape: "triangle" })),
  lost: [
    { pitch: 110, at: 0, length: 0.3, shape: "sawtooth" },
    { pitch: 82, at: 0.08, length: 0.4, shape: "sawtooth" },
  ],
};

const LOUDNESS = 0.08;

/**
 * Return the sound for an event.
 *
 * @param {import("../protocol.js").GameEvent} event
 * @param {string} status The current status of the game.
 * @param {number} opened The number of opened cells.
 * @returns {Sound | null}
 */
export function soundOf(event, status, opened) {
  if (event.kind === "nothing" || event.kind === "assist") return null;
  if (status === "won") return "won";
  if (status === "lost") return "lost";
  if (event.kind === "mark") return "flag";
  if (!opened || (event.kind !== "open" && event.kind !== "chord")) return null;
  return opened > 3 ? "flood" : "open";
}

export class Sounds {
  /** @type {AudioContext | null} Created with the first sound: browsers require a click before. */
  #context = null;

  /** @param {Sound | null} sound */
  play(sound) {
    if (!sound || typeof AudioContext === "undefined") return;
    this.#context ??= new AudioContext();
    const { currentTime: now } = this.#context;
    for (const tone of TONES[sound]) this.#tone(this.#context, now, tone);
  }

  /**
   * @param {AudioContext} context
   * @param {number} now
   * @param {Tone} tone
   */
  #tone(context, now, { pitch, at, length, shape }) {
    const [source, volume] = [context.createOscillator(), context.createGain()];
    source.type = shape;
    source.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS, now + at);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + at + length);
    source.connect(volume).connect(context.destination);
    source.start(now + at);
    source.stop(now + at + length);
  }
}
