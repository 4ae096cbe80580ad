// The offices of the staff in the rulebooks' words, and who holds which.
import type { Schemas } from "./api";

export type Office = Schemas["OfficeForm"];

/** From the lowest to the highest. */
const ORDER: readonly Office[] = ["dealer", "pit_supervisor", "pit_manager", "gaming_shift_manager"];

const NAMES: Record<Office, string> = {
  dealer: "Dealer",
  pit_supervisor: "Pit Supervisor",
  pit_manager: "Pit Manager",
  gaming_shift_manager: "Gaming Shift Manager",
};

export const OFFICES_HIGHEST_FIRST: readonly Office[] = ORDER.toReversed();

export const officeName = (office: Office): string => NAMES[office];

/** Whether somebody holds an office or a higher one. */
export function holds(who: { office?: Office | null | undefined } | undefined, office: Office): boolean {
  const held = who?.office;
  return held !== undefined && held !== null && ORDER.indexOf(held) >= ORDER.indexOf(office);
}
