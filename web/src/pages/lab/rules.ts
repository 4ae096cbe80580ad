// Rule lists: how cost falls with length.
import type { Schemas } from "../../lib/api";

export interface Curve {
  street: string;
  points: { lines: number; cost: number }[];
}

/** The lists a search found, by street, shortest first. */
export function curves(found: Schemas["FoundRules"][]): Curve[] {
  const streets = [...new Set(found.map(({ street }) => street))];
  return streets.map((street) => ({
    street,
    points: found
      .filter((one) => one.street === street)
      .map(({ rules, cost }) => ({ lines: rules.length, cost }))
      .toSorted((a, b) => a.lines - b.lines),
  }));
}

export const percent = (part: number, digits = 4): string => `${(100 * part).toFixed(digits)}\u00a0%`;
