// The offices of the staff in the rulebooks' words, and who holds which.
import type { Schemas } from "./api";
import { dateAndMinuteText } from "./time";

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
  acting = false,
}: {
  office: Office;
  department?: Department;
  acting?: boolean;
}): string => {
  if (department !== "table-games") return departmentName(department);
  return acting ? `acting ${officeName(office)}` : officeName(office);
};

/** The office that somebody was given for a time, in words, while it is held or still to come. */
export function actingName(
  acting: { office: Office; from: number; until: number } | null | undefined,
  now: number,
): string | undefined {
  if (acting == null || acting.until <= now) return undefined;
  const from = now < acting.from ? ` from ${dateAndMinuteText(acting.from)}` : "";
  return `acting ${officeName(acting.office)}${from} until ${dateAndMinuteText(acting.until)}`;
}

/** Somebody who may be signed in. */
interface Somebody {
  office?: Office | null | undefined;
  department?: Department | null | undefined;
}

/** Whether somebody works at the tables. */
export const isOfTableGames = (who: Somebody | undefined): boolean => who?.department === "table-games";

/** Whether somebody holds an office or a higher one, or is of another department: those see the same, and what they may do is the server's to say. */
export function holds(who: Somebody | undefined, office: Office): boolean {
  if (who?.department != null && who.department !== "table-games") return true;
  const held = who?.office;
  return held !== undefined && held !== null && ORDER.indexOf(held) >= ORDER.indexOf(office);
}
