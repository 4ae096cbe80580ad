// The offices of the staff in the rulebooks' words, and who holds which.
import type { Schemas } from "./api";

export type Office = Schemas["Office"];
export type Department = Schemas["Department"];

/** From the lowest to the highest. */
const ORDER: readonly Office[] = ["dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager"];

const NAMES: Record<Office, string> = {
  dealer: "Dealer",
  "pit-supervisor": "Pit Supervisor",
  "pit-manager": "Pit Manager",
  "gaming-shift-manager": "Gaming Shift Manager",
};

export const OFFICES_HIGHEST_FIRST: readonly Office[] = ORDER.toReversed();

const DEPARTMENT_NAMES: Record<Department, string> = {
  "table-games": "Table Games",
  accounting: "Accounting",
  surveillance: "Surveillance",
  security: "Security",
  regulator: "Regulator",
};

/** The departments that have no offices of the rulebooks. */
export const OTHER_DEPARTMENTS: readonly Department[] = ["accounting", "surveillance", "security", "regulator"];

export const officeName = (office: Office): string => NAMES[office];

export const departmentName = (department: Department): string => DEPARTMENT_NAMES[department];

/** Where somebody works: the office in Table Games, or another department. */
export const postName = ({
  office,
  department = "table-games",
}: {
  office: Office;
  department?: Department;
}): string => (department === "table-games" ? officeName(office) : departmentName(department));

/** Somebody who may be signed in. */
interface Somebody {
  office?: Office | null | undefined;
  department?: Department | null | undefined;
}

/** Whether somebody holds an office or a higher one, or is of another department: those see the same, and what they may do is the server's to say. */
export function holds(who: Somebody | undefined, office: Office): boolean {
  if (who?.department != null && who.department !== "table-games") return true;
  const held = who?.office;
  return held !== undefined && held !== null && ORDER.indexOf(held) >= ORDER.indexOf(office);
}
