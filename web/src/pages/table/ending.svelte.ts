// How the last round ended for this Player, kept until the next one has ended.
import type { TableView } from "../../lib/api";
import { type Award, awardsOf, type Line, ownLines } from "./results";
import type { Sitting } from "./sitting.svelte";

export interface Ending {
  round: number;
  lines: Line[];
  awards: Award[];
  void: string | undefined;
}

export class Results {
  ending = $state.raw<Ending | undefined>(undefined);
  /** A round that has just brought this Player an award. */
  newAward = $state.raw<Ending | undefined>(undefined);

  constructor(readonly sitting: Sitting) {}

  settled(table: TableView, fresh: boolean): void {
    const lines = ownLines(table, this.sitting.player);
    if (lines.length === 0) return;
    const awards = awardsOf(table);
    this.ending = { round: table.round, lines, awards, void: table.settlement?.void ?? undefined };
    if (fresh && awards.length > 0) this.newAward = this.ending;
  }
}
