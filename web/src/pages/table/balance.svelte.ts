// The Player's account, asked for again whenever money may have moved.
import { type EventView, get, type Schemas } from "../../lib/api";
import { Question } from "../../lib/question.svelte";
import type { Sitting } from "./sitting.svelte";

const MONEY_MOVED = /^(wager-|decided|settled|player-withdrew|round-|award|position-)/;
const DELAY_MILLISECONDS = 120;

export class Balance {
  me = $state.raw<Schemas["Me"] | undefined>(undefined);
  readonly #asked = new Question<Schemas["Me"]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly sitting: Sitting) {}

  async load(): Promise<void> {
    if (this.sitting.player === undefined) {
      this.#asked.forget();
      this.me = undefined;
    } else this.me = (await this.#asked.look((signal) => get("/api/me", { signal }))) ?? this.me;
  }

  changedBy(events: readonly EventView[], first: boolean): void {
    if (this.sitting.player === undefined || !(first || events.some((event) => MONEY_MOVED.test(event.kind)))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), DELAY_MILLISECONDS);
  }
}
