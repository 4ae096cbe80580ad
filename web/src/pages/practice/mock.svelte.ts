// A mock table as its trainer sees it, asked for again and again: moves come from another screen.
import { get, post, type Schemas } from "../../lib/api";

const EVERY_MILLISECONDS = 700;

export class MockTable {
  view = $state.raw<Schemas["MockView"] | undefined>(undefined);
  missing = $state("");

  constructor(readonly table: string) {}

  /** Follows the table until the returned function is called. */
  follow(): () => void {
    void this.load();
    const timer = setInterval(() => void this.load(), EVERY_MILLISECONDS);
    return () => clearInterval(timer);
  }

  /** How many steps of paying are left in a round that can be settled. */
  left(round: number): number | undefined {
    const { view } = this;
    return view !== undefined && view.round === round && view.stage.at === "settling" ? view.unpaid : undefined;
  }

  /** Takes, pays or returns a wager, which is marked. */
  async pay(step: Schemas["Paid"]): Promise<void> {
    this.view = await post("/api/practice/tables/{table}/paying", { path: { table: this.table }, body: step });
  }

  async load(): Promise<void> {
    try {
      this.view = await get("/api/practice/tables/{table}", { path: { table: this.table } });
      this.missing = "";
    } catch (error) {
      this.missing = error instanceof Error ? error.message : String(error);
    }
  }
}
