// The Player's own figures in words.
import type { Schemas } from "../../lib/api";
import { money } from "../../lib/money";

type Limits = Schemas["PlayLimits"];
type Statistics = Schemas["OwnStatistics"];

/** The limits in a sentence. */
export function limitsInWords({ loss, minutes }: Limits): string {
  const lose = loss == null ? "no limit for losses" : `at most ${money(loss)} lost`;
  const time = minutes == null ? "no limit for time" : `at most ${minutes} minutes played`;
  return `${lose}, ${time}`;
}

/** Whether limits raise any of those that hold now, so that they hold later. */
export function raises(now: Limits, asked: Limits): boolean {
  const higher = (held: number | null | undefined, wanted: number | null | undefined): boolean =>
    held != null && (wanted == null || wanted > held);
  return higher(now.loss, asked.loss) || higher(now.minutes, asked.minutes);
}

/** How a result compares with what is expected: in standard deviations, and in words. */
export function compared({ played, expected, deviation }: Statistics): string {
  if (deviation === 0) return "There is nothing to compare yet.";
  const away = (played - expected) / deviation;
  const how = Math.abs(away) < 1 ? "as expected" : away > 0 ? "better than expected" : "worse than expected";
  const rare =
    Math.abs(away) < 1
      ? "two of three Players are"
      : Math.abs(away) < 2
        ? "one of three Players is"
        : "one of twenty Players is";
  const far = Math.abs(away) < 1 ? "this near" : "this far away or farther";
  return `This is ${how}: ${rare} ${far}.`;
}

/** How much of a limit is used, in per cent from 0 to 100; `undefined` without a limit. */
export const used = (of: number, limit: number | null | undefined): number | undefined =>
  limit == null ? undefined : limit === 0 ? 100 : Math.min(100, Math.max(0, Math.round((100 * of) / limit)));
