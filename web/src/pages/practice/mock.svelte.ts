// A mock table as its trainer sees it, asked for again and again: moves come from another screen.
import { get, post, type Schemas } from "../../lib/api";
import { Question } from "../../lib/question.svelte";
import { poll } from "../../lib/poll";

const EVERY_MILLISECONDS = 700;

export class MockTable {
  readonly asked = new Question<Schemas["MockView"]>();

  get view(): Schemas["MockView"] | undefined {
    return this.asked.answer;
  }

  constructor(readonly table: string) {}

  /** Follows the table until the returned function is called. */
  follow(): () => void {
    return poll(() => this.load(), EVERY_MILLISECONDS);
  }

  /** How many steps of paying are left in a round that can be settled. */
  left(round: number): number | undefined {
    const { view } = this;
    return view !== undefined && view.round === round && view.stage.at === "settling" ? view.unpaid : undefined;
  }

  /** Takes, pays or returns a wager, which is marked. */
  async pay(step: Schemas["Paid"]): Promise<void> {
    this.asked.put(await post("/api/practice/tables/{table}/paying", { path: { table: this.table }, body: step }));
  }

  async load(): Promise<void> {
    await this.asked.look((signal) => get("/api/practice/tables/{table}", { path: { table: this.table }, signal }));
  }
}
