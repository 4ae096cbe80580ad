// Sounds and vibration, both off until asked for. The sounds are computed: short strokes of noise and tone, no files.
import { keep, kept } from "./kept";

const NOTES = { c5: 523.25, e5: 659.25, g5: 783.99, c6: 1046.5, e6: 1318.5, g6: 1567.98 } as const;

class Sounds {
  on = $state(kept("sound") === "on");
  /** From 0 to 100. */
  volume = $state(Number(kept("volume") ?? "60"));
  vibrates = $state(kept("vibration") === "on");
  #context: AudioContext | undefined;

  readonly canVibrate = typeof navigator !== "undefined" && "vibrate" in navigator;

  /** A browser lets a page sound only after the person has done something on it. */
  turn(on: boolean): void {
    this.on = on;
    keep("sound", on ? "on" : "off");
    if (on) this.chip();
  }

  setVolume(volume: number): void {
    this.volume = volume;
    keep("volume", String(volume));
  }

  setVibration(on: boolean): void {
    this.vibrates = on;
    keep("vibration", on ? "on" : "off");
    this.#vibrate(30);
  }

  chip(): void {
    this.#stroke(0, 0.05, 5200, 0.5);
    this.#stroke(0.035, 0.04, 6400, 0.35);
    this.#vibrate(10);
  }

  /** Cards that slide onto the felt, one after the other. */
  cards(count: number): void {
    for (let at = 0; at < Math.min(count, 20); at += 1) this.#stroke(at * 0.085, 0.09, 1900, 0.25);
  }

  turnOver(): void {
    this.#stroke(0, 0.06, 2600, 0.35);
  }

  /** Bets open or close. */
  call(): void {
    this.#tone(0, NOTES.g5, 0.35, 0.18);
  }

  yourTurn(): void {
    this.#tone(0, NOTES.e5, 0.18, 0.2);
    this.#tone(0.12, NOTES.g5, 0.25, 0.2);
    this.#vibrate(40);
  }

  win(): void {
    [NOTES.c5, NOTES.e5, NOTES.g5].forEach((note, at) => {
      this.#tone(at * 0.09, note, 0.4, 0.22);
    });
    this.#vibrate([30, 40, 60]);
  }

  /** Rises for three seconds: nobody at the table forgets it. */
  jackpot(): void {
    [NOTES.c5, NOTES.e5, NOTES.g5, NOTES.c6, NOTES.e6, NOTES.g6].forEach((note, at) => {
      this.#tone(at * 0.16, note, 1.6, 0.25);
      this.#tone(1 + at * 0.11, note * 2, 1.2, 0.08);
    });
    this.#tone(1.9, NOTES.c6, 2.4, 0.3);
    this.#tone(1.9, NOTES.g6, 2.4, 0.22);
    this.#vibrate([80, 60, 80, 60, 300]);
  }

  #start(): { context: AudioContext; gain: number } | undefined {
    if (!this.on || this.volume === 0 || typeof AudioContext === "undefined") return undefined;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") void this.#context.resume();
    return { context: this.#context, gain: this.volume / 100 };
  }

  /** A stroke of filtered noise: clay on clay, paper on felt. */
  #stroke(after: number, seconds: number, hertz: number, loud: number): void {
    const started = this.#start();
    if (started === undefined) return;
    const { context, gain } = started;
    const length = Math.ceil(context.sampleRate * seconds);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < length; at += 1) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 3;
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: hertz, Q: 1.2 });
    source
      .connect(filter)
      .connect(new GainNode(context, { gain: gain * loud }))
      .connect(context.destination);
    source.start(context.currentTime + after);
  }

  #tone(after: number, hertz: number, seconds: number, loud: number): void {
    const started = this.#start();
    if (started === undefined) return;
    const { context, gain } = started;
    const begins = context.currentTime + after;
    const oscillator = new OscillatorNode(context, { type: "sine", frequency: hertz });
    const envelope = new GainNode(context, { gain: 0 });
    envelope.gain.setValueAtTime(0, begins);
    envelope.gain.linearRampToValueAtTime(gain * loud, begins + 0.015);
    envelope.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
    oscillator.connect(envelope).connect(context.destination);
    oscillator.start(begins);
    oscillator.stop(begins + seconds);
  }

  #vibrate(pattern: number | number[]): void {
    if (this.vibrates && this.canVibrate) navigator.vibrate(pattern);
  }
}

export const sounds = new Sounds();
