// A mock table as its trainer sees it, asked for again and again: moves come from another screen.
import { get, type Schemas } from "../../lib/api";

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

  async load(): Promise<void> {
    try {
      this.view = await get("/api/practice/tables/{table}", { path: { table: this.table } });
      this.missing = "";
    } catch (error) {
      this.missing = error instanceof Error ? error.message : String(error);
    }
  }
}
