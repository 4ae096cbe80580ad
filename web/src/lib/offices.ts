// The offices of the staff in the rulebooks' words, and who holds which.
import type { Schemas } from "./api";

export type Office = Schemas["Office"];

/** From the lowest to the highest. */
const ORDER: readonly Office[] = ["dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager"];

const NAMES: Record<Office, string> = {
  dealer: "Dealer",
  "pit-supervisor": "Pit Supervisor",
  "pit-manager": "Pit Manager",
  "gaming-shift-manager": "Gaming Shift Manager",
};

export const OFFICES_HIGHEST_FIRST: readonly Office[] = ORDER.toReversed();

export const officeName = (office: Office): string => NAMES[office];

/** Whether somebody holds an office or a higher one. */
export function holds(who: { office?: Office | null | undefined } | undefined, office: Office): boolean {
  const held = who?.office;
  return held !== undefined && held !== null && ORDER.indexOf(held) >= ORDER.indexOf(office);
}
