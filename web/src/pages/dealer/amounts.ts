// Amounts as they are typed, in whole cents.
import type { Range } from "../../lib/limits";
import { amountText, money } from "../../lib/money";

/** Reads "50", "12.5" or "1,000.25" as cents; `undefined` where it is not an amount. */
export function readAmount(text: string): number | undefined {
  const found = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text.replace(/,/g, ""));
  if (found === null) return undefined;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** An amount as text, without cents that are zero. */
export const typedAmount = (cents: number): string => amountText(cents).replace(/,/g, "").replace(/\.00$/, "");

/** The text after one more key. */
export function typeAmount(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  const longer = text + key;
  return /^[\d.]$/.test(key) && (longer === "." || readAmount(longer) !== undefined)
    ? longer.replace(/^0+(?=\d)/, "")
    : text;
}

/** A warning for an amount outside the limits. The server decides. */
export function outside(amount: number, range: Range): string | undefined {
  if (range.only !== undefined && !range.only.includes(amount)) return "Choose one of the amounts above.";
  if (amount < range.least) return `Under the minimum of ${money(range.least)}.`;
  if (amount > range.most) return `Over the maximum of ${money(range.most)}.`;
  return undefined;
}
