// Keys pressed while a command is under way. They count once it is done, unless the stage changes first.
import type { DealerDesk } from "./desk.svelte";

const WAITING_MAX = 8;

export class KeyQueue {
  #waiting: (() => void)[] = [];

  constructor(readonly desk: DealerDesk) {}

  /** Whether a key must wait: a command is under way, or earlier keys wait. */
  get mustWait(): boolean {
    return this.desk.busy || this.#waiting.length > 0;
  }

  add(key: () => void): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(key);
  }

  clear(): void {
    this.#waiting = [];
  }

  replay(): void {
    while (!this.desk.busy) {
      const key = this.#waiting.shift();
      if (key === undefined) return;
      key();
    }
  }
}
