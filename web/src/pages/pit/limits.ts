// The limits of the house in words.
import type { Schemas } from "../../lib/api";
import { money } from "../../lib/money";

export type HouseLimits = Schemas["HouseLimits"];

/** The limits that are amounts. */
export const AMOUNTS = ["cash", "cash_per_day", "cash_max", "ruling", "wager", "fixed_prize"] as const;

/** The limits that are days or hours, with the least of each. */
export const COUNTS = [
  { key: "independence_days", least: 1 },
  { key: "waiting_hours", least: 0 },
  { key: "proposal_days", least: 1 },
] as const;

const WORDS: Record<keyof HouseLimits, string> = {
  cash: "Cash in one command",
  cash_per_day: "Cash of one Player on one day",
  cash_max: "Cash in one command, also with two signatures",
  ruling: "Rulings and corrections of one round",
  wager: "Largest wager at a table",
  independence_days: "Days until two who appointed or invited each other sign together",
  waiting_hours: "Hours until a new person signs for money or terms",
  proposal_days: "Days until a proposal can no longer be confirmed",
  fixed_prize: "Fixed Jackpot prize for which two people sign",
};

export const limitWords = (key: keyof HouseLimits): string => WORDS[key];

const shown = (key: keyof HouseLimits, value: number): string =>
  COUNTS.some((count) => count.key === key) ? String(value) : money(value);

/** What changes between two sets of limits, as it is shown. */
export function changed(
  present: HouseLimits,
  next: HouseLimits,
): { key: keyof HouseLimits; before: string; after: string }[] {
  const keys: (keyof HouseLimits)[] = [...AMOUNTS, ...COUNTS.map(({ key }) => key)];
  return keys
    .filter((key) => present[key] !== next[key])
    .map((key) => ({ key, before: shown(key, present[key]), after: shown(key, next[key]) }));
}
