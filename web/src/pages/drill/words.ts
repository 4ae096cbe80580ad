import type { Schemas } from "../../lib/api";

/** What a closed card of a pile is called. */
export const cardName = (of: string): string => `One of ${of.charAt(0).toLowerCase()}${of.slice(1)}, face down`;

/** Seconds as a clock shows them. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const LEVELS: readonly { level: Schemas["ExaminationLevel"]; title: string }[] = [
  { level: "trainee", title: "Trainee: hands, payouts, procedure" },
  { level: "dealer", title: "Dealer: everything at the table" },
  { level: "supervisor", title: "Supervisor: irregularities, jackpot, limits" },
];

export const levelTitle = (level: Schemas["ExaminationLevel"]): string =>
  level.charAt(0).toUpperCase() + level.slice(1);

/** How far an examination is. */
export const STANDINGS: Record<Schemas["Standing"], string> = {
  set: "Not begun",
  running: "Under way",
  lapsed: "Time over, nothing handed in",
  passed: "Passed",
  failed: "Not passed",
};
