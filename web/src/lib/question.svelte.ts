// A request that is sent again whenever its parameters change. Only the last one counts, and the earlier answer stays
// until it arrives, so that nothing flickers.
import { backoff, Refused, Unreachable } from "./api";

/** How long parameters must stay unchanged before they are sent. */
const REST_MILLISECONDS = 140;

export class Question<T> {
  answer = $state.raw<T | undefined>(undefined);
  problem = $state<string | undefined>(undefined);
  waiting = $state(false);
  #key: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  /** Sends the request, unless the last one had the same key. */
  ask(key: string, work: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.#key) return;
    const first = this.#key === undefined;
    this.#key = key;
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.waiting = true;
    this.#timer = setTimeout(() => this.#start(work, 0), first ? 0 : REST_MILLISECONDS);
  }

  /** Removes request and answer. */
  forget(): void {
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.#key = undefined;
    this.answer = undefined;
    this.problem = undefined;
    this.waiting = false;
  }

  async #start(work: (signal: AbortSignal) => Promise<T>, attempt: number): Promise<void> {
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
        this.#timer = setTimeout(() => this.#start(work, attempt + 1), backoff(attempt + 1));
        return;
      }
    }
    this.waiting = false;
  }
}

/** Whether a retry may succeed: the server is busy. */
const comesBack = (status: number): boolean => status === 429 || status === 503;

/** Retries until the floor can be reached. */
export async function retryUntilReached<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((done) => setTimeout(done, backoff(attempt)));
    }
  }
}
