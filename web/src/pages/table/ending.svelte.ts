// How the last round ended for this Player, kept until the next one has ended. After a reload it is read from the table's
// rounds.
import { get, type TableView } from "../../lib/api";
import { type Award, awardsOf, type HandEnd, handEnds, type Line, ownLines } from "./results";
import type { Sitting } from "./sitting.svelte";

export interface Ending {
  round: number;
  lines: Line[];
  awards: Award[];
  /** How each own hand compared. */
  hands: HandEnd[];
  void: string | undefined;
}

export class Results {
  ending = $state.raw<Ending | undefined>(undefined);
  /** A round that has just brought this Player an award. */
  newAward = $state.raw<Ending | undefined>(undefined);
  #restoring = false;

  constructor(readonly sitting: Sitting) {}

  settled(table: TableView, fresh: boolean): void {
    const lines = ownLines(table, this.sitting.player);
    if (lines.length === 0) return;
    const awards = awardsOf(table);
    const hands = handEnds(table);
    this.ending = { round: table.round, lines, awards, hands, void: table.settlement?.void ?? undefined };
    if (fresh && awards.length > 0) this.newAward = this.ending;
  }

  /** Awards of the last round have come further. */
  awardsChanged(moved: readonly Award[]): void {
    const replace = (ending: Ending | undefined): Ending | undefined =>
      ending && {
        ...ending,
        awards: ending.awards.map((award) => moved.find((one) => one.number === award.number) ?? award),
      };
    this.ending = replace(this.ending);
    this.newAward = replace(this.newAward);
  }

  /** Reads the last round again after a reload, once the Player, the table and its link are known. */
  async restore(): Promise<void> {
    const { sitting } = this;
    const { player, view } = sitting;
    if (this.ending !== undefined || this.#restoring || player === undefined || view === undefined) return;
    if (view.jackpot != null && sitting.link.view === undefined) return;
    this.#restoring = true;
    const found = await get("/api/tables/{table}/rounds", { path: { table: sitting.name } }).catch(() => undefined);
    if (this.ending !== undefined) return;
    for (const row of found?.rounds ?? []) {
      const lines = row.lines.filter((line) => line.owner === player);
      if (lines.length === 0) continue;
      const awards = sitting.link.awardsOf(row.round, new Set(lines.map((line) => line.position)));
      const own = new Set(lines.map((line) => line.position));
      const hands = row.compared
        .filter(({ position }) => own.has(position))
        .map((compared) => ({
          position: compared.position,
          compared,
          state: undefined,
          timedOut: undefined,
          jackpot: undefined,
        }));
      this.ending = { round: row.round, lines, awards, hands, void: undefined };
      return;
    }
  }
}
