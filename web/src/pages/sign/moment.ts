// The moment of an award on the wall: which award is new since the sign was switched on, and for how long it is celebrated.
import type { Schemas } from "../../lib/api";

type Award = Schemas["AwardView"];

export const MOMENT_MILLISECONDS = 15_000;

/** The awards that were not there before; none on a sign that has just been switched on. */
export function newAwards(known: ReadonlySet<number> | undefined, pending: readonly Award[]): Award[] {
  return known === undefined ? [] : pending.filter(({ number }) => !known.has(number));
}
