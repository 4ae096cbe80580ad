// The list of what to take, pay and return by hand, and how far the Dealer has come with it.
import type { Schemas, TableView } from "../../lib/api";
import { notices } from "../../lib/notices.svelte";
import type { DealerDesk } from "./desk.svelte";

const storageKey = (table: string, round: number): string => `dealer paid ${table} ${round}`;
const isPaying = (view: TableView): boolean => ["settling", "void"].includes(view.stage.at);

/** Whether the list is another than before, as after a misread card was corrected. */
const hasChanged = (known: TableView, view: TableView): boolean =>
  isPaying(view) &&
  known.round === view.round &&
  known.paying.length > 0 &&
  view.paying.length > 0 &&
  JSON.stringify(known.paying) !== JSON.stringify(view.paying);

export interface ByHand {
  /** How many steps are left in this round, where that is known. */
  left(round: number): number | undefined;
  /** Does a step, which is marked. */
  pay(step: Schemas["Paid"]): Promise<void>;
}

export class Paying {
  /** How many steps are done. */
  done = $state(0);
  #round = 0;

  /** At a mock table the Dealer says what is taken and paid, and each step is marked. */
  byHand = $state.raw<ByHand | undefined>(undefined);

  constructor(readonly desk: DealerDesk) {}

  /** Whether the list is the answer that the Dealer is asked for. */
  get isAsked(): boolean {
    return this.byHand !== undefined && this.desk.view?.stage.at === "settling";
  }

  /** The steps the Dealer does by hand; credits move automatically. */
  get steps(): Schemas["PayingStep"][] {
    return this.desk.view?.paying.filter((step) => step.means !== "credits") ?? [];
  }

  get isDue(): boolean {
    const { view } = this.desk;
    if (this.isAsked) return this.byHand?.left(view?.round ?? 0) !== 0;
    return view !== undefined && isPaying(view) && this.done < this.steps.length;
  }

  get step(): Schemas["PayingStep"] | undefined {
    return this.steps[this.done];
  }

  startRound(round: number): void {
    this.#round = round;
    this.done = Number(sessionStorage.getItem(storageKey(this.desk.table, round)) ?? "0");
  }

  advance(steps = 1): void {
    if (this.isAsked) return;
    this.done = Math.max(0, Math.min(this.steps.length, this.done + steps));
    sessionStorage.setItem(storageKey(this.desk.table, this.#round), String(this.done));
  }

  advanceToEnd(): void {
    this.advance(this.steps.length);
  }

  restartIfChanged(known: TableView, view: TableView): void {
    if (this.done === 0 || !hasChanged(known, view)) return;
    this.advance(-this.done);
    notices.show("What to take and pay has changed. Go through the list again.", "refusal");
  }
}
