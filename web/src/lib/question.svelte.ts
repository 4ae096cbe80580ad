// A question that is asked again whenever its terms change: only the last one counts, and until it is answered the
// answer before it stays, so that nothing flickers.
import { backoff, Refused, Unreachable } from "./api";

/** How long terms must rest before they are asked. */
const REST_MILLISECONDS = 140;

export class Question<T> {
  answer = $state.raw<T | undefined>(undefined);
  problem = $state<string | undefined>(undefined);
  waiting = $state(false);
  #key: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  /** Asks, unless the very same was asked last. */
  ask(key: string, work: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.#key) return;
    const first = this.#key === undefined;
    this.#key = key;
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.waiting = true;
    this.#timer = setTimeout(() => this.#begin(work, 0), first ? 0 : REST_MILLISECONDS);
  }

  /** Forgets question and answer. */
  forget(): void {
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.#key = undefined;
    this.answer = undefined;
    this.problem = undefined;
    this.waiting = false;
  }

  async #begin(work: (signal: AbortSignal) => Promise<T>, attempt: number): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await work(asking.signal);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.problem = undefined;
    } catch (error) {
      if (asking.signal.aborted) return;
      const busy = error instanceof Unreachable || (error instanceof Refused && comesBack(error.problem.status));
      this.problem = error instanceof Error ? error.message : String(error);
      if (busy) {
        this.#timer = setTimeout(() => this.#begin(work, attempt + 1), backoff(attempt + 1));
        return;
      }
    }
    this.waiting = false;
  }
}

/** Whether a refusal is only for now: too many asked at once. */
const comesBack = (status: number): boolean => status === 429 || status === 503;

/** Asks until the floor can be reached. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((done) => setTimeout(done, backoff(attempt)));
    }
  }
}
