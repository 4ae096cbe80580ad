// The figures of the statistics in words, and the course of X as a picture.
import type { Schemas } from "../../lib/api";
import { money } from "../../lib/money";

export type Statistics = Schemas["Statistics"];
export type Test = Schemas["DecisionTest"];
export type Point = Schemas["CoursePoint"];

/** Evidence as a chance: how often an honest Player comes so far, at most. */
export function oneIn(evidence: number): string {
  if (evidence < 0.3) return "none";
  const times = 10 ** evidence;
  if (evidence < 7) return `1 in ${Number(times.toPrecision(2)).toLocaleString("en")}`;
  return `1 in 10^${Math.floor(evidence)}`;
}

/** Cents that may have a fraction, to the cent. */
export const cents = (amount: number): string => money(Math.round(amount));

export const signed = (value: number, digits = 2): string =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/** A chance that is small, as people write it. */
export const chance = (p: number): string => (p < 0.0001 ? p.toExponential(1).replace("e-", " · 10^−") : p.toFixed(4));

/** The part of all p-values under which a result of money is worth a second look. */
export const isFar = (z: number): boolean => Math.abs(z) >= 3;

export interface Picture {
  /** The sum of X. */
  line: string;
  /** Three deviations to either side. */
  band: string;
  zero: number;
  /** The highest value shown; the lowest is its negative. */
  most: number;
}

/** The course as paths in a box, the first round at its left edge and zero in the middle. */
export function picture(course: readonly Point[], width: number, height: number): Picture {
  const last = course.at(-1)?.rounds ?? 1;
  const most = Math.max(0.01, ...course.map(({ x, deviation }) => Math.max(Math.abs(x), 3 * deviation)));
  const across = (rounds: number) => ((rounds / last) * width).toFixed(1);
  const up = (value: number) => (height / 2 - (value / most) * (height / 2)).toFixed(1);
  const start = `${across(0)},${up(0)}`;
  const along = (of: (point: Point) => number) => course.map((point) => `${across(point.rounds)},${up(of(point))}`);
  const above = along(({ deviation }) => 3 * deviation);
  const below = along(({ deviation }) => -3 * deviation).reverse();
  return {
    line: `M${[start, ...along(({ x }) => x)].join("L")}`,
    band: `M${[start, ...above, ...below].join("L")}Z`,
    zero: height / 2,
    most,
  };
}

/** How many of everything stand out: people, then tables and Dealers, then cards and shuffles. */
export function standingOut(found: Statistics): { people: number; places: number; cards: number } {
  const out = (list: readonly { stands_out: boolean }[]) => list.filter((one) => one.stands_out).length;
  return {
    people: out(found.players) + out(found.pairs),
    places: out(found.dealers) + out(found.tables),
    cards: out(found.cards) + found.shuffles.filter(({ passes }) => !passes).length,
  };
}
