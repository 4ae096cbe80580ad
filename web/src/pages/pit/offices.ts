// The offices, highest first, in the rulebooks' words.
import type { Schemas } from "../../lib/api";

export const OFFICES: readonly { office: Schemas["OfficeForm"]; words: string }[] = [
  { office: "gaming_shift_manager", words: "Gaming Shift Manager" },
  { office: "pit_manager", words: "Pit Manager" },
  { office: "pit_supervisor", words: "Pit Supervisor" },
  { office: "dealer", words: "Dealer" },
];

export interface Ladder {
  words: string;
  office: Schemas["OfficeForm"];
  people: string[];
}

/** The staff by office, highest first. */
export function ladder(staff: readonly Schemas["StaffMember"][]): Ladder[] {
  return OFFICES.map(({ office, words }) => ({
    office,
    words,
    people: staff.filter((member) => member.office === words).map((member) => member.person),
  }));
}
