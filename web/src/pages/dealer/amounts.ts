// What a wager may come to, and amounts as they are typed. Whole cents throughout.
import type { TableView } from "../../lib/api";
import { money } from "../../lib/money";

export type WagerArea = "Ante" | "Bonus" | "Jackpot";

export interface Range {
  least: number;
  most: number;
  /** The only amounts there are, where there are few. */
  only?: number[];
}

/** The limits of an area, or nothing where the table has none for it. */
export function rangeOf(view: TableView, area: WagerArea): Range | undefined {
  const { limits, jackpot } = view;
  if (area === "Ante") return { least: limits.ante_least, most: limits.ante_most };
  if (area === "Bonus") {
    const { bonus_least: least, bonus_most: most } = limits;
    return least == null || most == null ? undefined : { least, most };
  }
  const minimum = jackpot?.minimum;
  if (jackpot == null || minimum == null || !jackpot.reachable) return undefined;
  const only: number[] = [];
  for (let times = jackpot.multiples_least; times <= jackpot.multiples_most; times += 1) only.push(minimum * times);
  return only.length === 0 ? undefined : { least: only[0] ?? minimum, most: only.at(-1) ?? minimum, only };
}

/** Reads "50", "12.5" or "1,000.25" as cents; nothing where it is no amount. */
export function readAmount(text: string): number | undefined {
  const found = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text.replace(/,/g, ""));
  if (found === null) return undefined;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** The text of an amount without cents that are nought, to be typed on. */
export const typedAmount = (cents: number): string => money(cents).replace(/,/g, "").replace(/\.00$/, "");

/** One more key in an amount being typed. */
export function typeAmount(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  const longer = text + key;
  return /^[\d.]$/.test(key) && (longer === "." || readAmount(longer) !== undefined)
    ? longer.replace(/^0+(?=\d)/, "")
    : text;
}

/** What is to be said of an amount that the limits do not hold. The server decides. */
export function outside(amount: number, range: Range): string | undefined {
  if (range.only !== undefined && !range.only.includes(amount)) return "Only the multiples above are taken.";
  if (amount < range.least) return `Under the minimum of ${money(range.least)}.`;
  if (amount > range.most) return `Over the maximum of ${money(range.most)}.`;
  return undefined;
}
