// A key or a place on the screen that gets another meaning rests for a moment: whoever was about to press the earlier one
// does not press the new one.
import { untrack } from "svelte";

const REST_MILLISECONDS = 600;

export class Rest {
  /** Whether nothing is to be pressed yet. */
  waits = $state(false);
  #now: string | undefined;
  /** What could be pressed last, and until when. */
  #last = { meaning: "", until: Number.NEGATIVE_INFINITY };
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What pressing means from now on; `undefined` where there is nothing to press. Returns what ends it. */
  means(meaning: string | undefined): () => void {
    untrack(() => this.#begin(meaning));
    return () => {
      if (this.#now === meaning) this.#end();
    };
  }

  #begin(meaning: string | undefined): void {
    this.#end();
    this.#now = meaning;
    const rests = this.#last.until + REST_MILLISECONDS - performance.now();
    if (meaning === undefined || meaning === this.#last.meaning || rests <= 0) return;
    this.waits = true;
    this.#timer = setTimeout(() => (this.waits = false), rests);
  }

  #end(): void {
    // What nobody could press yet is in nobody's fingers.
    if (this.#now !== undefined && !this.waits) this.#last = { meaning: this.#now, until: performance.now() };
    this.#now = undefined;
    this.waits = false;
    clearTimeout(this.#timer);
  }
}
