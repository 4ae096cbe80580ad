// A request whose last answer counts: it is sent again whenever its parameters change, or whenever somebody asks again.
// The earlier answer stays until the next one arrives, so that nothing flickers.
import { backoff, Refused, Unreachable } from "./api";

/** How long parameters must stay unchanged before they are sent. */
const REST_MILLISECONDS = 140;

type Work<T> = (signal: AbortSignal) => Promise<T>;

export class Question<T> {
  answer = $state.raw<T | undefined>(undefined);
  problem = $state<string | undefined>(undefined);
  waiting = $state(false);
  #key: string | undefined;
  #work: Work<T> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  /** Sends the request, unless the last one had the same key. Where the floor is busy or cannot be reached it is sent
   * again. */
  ask(key: string, work: Work<T>): void {
    if (key === this.#key) return;
    const first = this.#key === undefined;
    this.#drop();
    this.#key = key;
    this.#work = work;
    this.waiting = true;
    this.#timer = setTimeout(() => this.#repeat(work, 0), first ? 0 : REST_MILLISECONDS);
  }

  /** Sends the last request again. */
  again(): void {
    if (this.#work === undefined) return;
    this.#drop();
    this.waiting = true;
    void this.#repeat(this.#work, 0);
  }

  /** Sends a request now, once. Returns its answer, unless it failed or another was sent meanwhile. */
  async look(work: Work<T>): Promise<T | undefined> {
    this.#drop();
    this.#work = work;
    this.waiting = true;
    return (await this.#send(work)) === "answered" ? this.answer : undefined;
  }

  /** Takes an answer that came otherwise, as with a command. What was asked before is older. */
  put(answer: T): void {
    this.#drop();
    this.answer = answer;
    this.problem = undefined;
    this.waiting = false;
  }

  /** Removes request and answer. */
  forget(): void {
    this.#drop();
    this.#key = undefined;
    this.#work = undefined;
    this.answer = undefined;
    this.problem = undefined;
    this.waiting = false;
  }

  #drop(): void {
    this.#asking?.abort();
    clearTimeout(this.#timer);
  }

  async #repeat(work: Work<T>, attempt: number): Promise<void> {
    if ((await this.#send(work)) !== "unreached") return;
    this.waiting = true;
    this.#timer = setTimeout(() => this.#repeat(work, attempt + 1), backoff(attempt + 1));
  }

  async #send(work: Work<T>): Promise<"answered" | "refused" | "unreached" | "overtaken"> {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await work(asking.signal);
      if (asking.signal.aborted) return "overtaken";
      this.put(answer);
      return "answered";
    } catch (error) {
      if (asking.signal.aborted) return "overtaken";
      this.problem = error instanceof Error ? error.message : String(error);
      this.waiting = false;
      return mayComeBack(error) ? "unreached" : "refused";
    }
  }
}

/** Whether a retry may succeed: the server is busy, or cannot be reached. */
const mayComeBack = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Refused && [429, 503].includes(error.problem.status));

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
