// The rounds of a table, newest first, a page at a time.
import { get, type Schemas } from "./api";
import { attempt } from "./notices.svelte";
import { Question } from "./question.svelte";

export class RoundList {
  readonly question = new Question<Schemas["Rounds"]>();

  /** With so many rounds a page. */
  constructor(readonly count: number) {}

  ask(table: string): void {
    this.question.ask(table, (signal) => this.#page(table, { limit: this.count }, signal));
  }

  /** Adds the rounds before those that are shown. */
  async earlier(table: string, { rounds, before }: Schemas["Rounds"]): Promise<void> {
    const query = before == null ? { limit: this.count } : { limit: this.count, before };
    const next = await attempt(() => this.#page(table, query));
    if (next !== undefined) this.question.put({ rounds: [...rounds, ...next.rounds], before: next.before });
  }

  #page(table: string, query: { limit: number; before?: number }, signal?: AbortSignal): Promise<Schemas["Rounds"]> {
    return get("/api/tables/{table}/rounds", { path: { table }, query, ...(signal === undefined ? {} : { signal }) });
  }
}
