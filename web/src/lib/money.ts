// Money is whole cents, never a float. Every amount says what money it is: the house's currency, or play money.
import { house } from "./house.svelte";

/** Whether the money buys nothing: that of a demonstration or of a practice floor. */
const isPlay = (): boolean => house.money === "play" || house.money === "practice";

/** Before an amount: "$" is the house's currency, "P$" is play money. */
export const currencySign = (): string => (isPlay() ? `P${house.currency}` : house.currency);

export interface AmountParts {
  sign: "" | "−";
  currency: string;
  whole: string;
  cents: string;
}

export function parts(cents: number): AmountParts {
  if (!Number.isSafeInteger(cents)) {
    throw new Error(`${cents} is not an amount in whole cents`);
  }
  const digits = Math.abs(cents).toString().padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return { sign: cents < 0 ? "−" : "", currency: currencySign(), whole, cents: digits.slice(-2) };
}

export function money(cents: number): string {
  const { sign, currency, whole, cents: rest } = parts(cents);
  return `${sign}${currency}${whole}.${rest}`;
}

/** An amount that was won or lost: "+$25.00", "−$25.00". */
export const signedMoney = (cents: number): string => `${cents > 0 ? "+" : ""}${money(cents)}`;

/** An amount without cents that are zero, where space is short: "$25", "$12.50". */
export const shortMoney = (cents: number): string => money(cents).replace(/\.00$/, "");

/** From one amount to another, with the currency once: "$10 – 500". */
export const moneyRange = (least: number, most: number): string =>
  `${shortMoney(least)} – ${amountText(most).replace(/\.00$/, "")}`;

/** An amount on paper that leaves the house, where "$" could be the dollar of another country: "S$25.00". */
export const paperMoney = (cents: number): string =>
  isPlay() ? money(cents) : money(cents).replace(house.currency, house.currencyOnPaper);

/** An amount as a field has it, without its currency. */
export function amountText(cents: number): string {
  const { sign, whole, cents: rest } = parts(cents);
  return `${sign}${whole}.${rest}`;
}

const CLAUSE = /\b[A-Z]{3,4}\d+ [\d., ]*\d/;
const AMOUNT = /(?<![\d.,$])(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}(?!\.?\d| ?%)/;
const CLAUSE_OR_AMOUNT = new RegExp(`${CLAUSE.source}|(${AMOUNT.source})`, "g");

/** A sentence of the server, with the currency before its amounts. The numbers of clauses stay as they are. */
export const withCurrency = (sentence: string): string =>
  sentence.replace(CLAUSE_OR_AMOUNT, (found: string, amount?: string) =>
    amount === undefined ? found : `${currencySign()}${amount}`,
  );

/** The highest amount that can be typed: JavaScript numbers are exact up to here, with room to add. */
const TYPED_CENTS_MAX = 1_000_000_000_000_00;

/** An amount as somebody types it, "1,250", "1250.50" or "$5", in cents; `undefined` where it is not an amount. */
export function readAmount(text: string): number | undefined {
  const typed = text.trim();
  const signs = [`P${house.currency}`, house.currencyOnPaper, house.currency];
  const sign = signs.find((one) => typed.startsWith(one)) ?? "";
  const found = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(typed.slice(sign.length).trim());
  if (found === null) return undefined;
  const [, whole = "", cents = ""] = found;
  const amount = Number(whole.replaceAll(",", "") + cents.padEnd(2, "0"));
  return amount <= TYPED_CENTS_MAX ? amount : undefined;
}

/** An amount to the ten-thousandth of a cent. Below zero both parts are negative. */
export interface ExactAmount {
  cents: number;
  fraction?: number;
}

const PARTS_PER_CENT = 10_000n;

export const inParts = ({ cents, fraction = 0 }: ExactAmount): bigint =>
  BigInt(cents) * PARTS_PER_CENT + BigInt(fraction);

/** Ten-thousandths of a cent as text, with decimals after the cents only where they are not zero. */
export function partsText(parts: bigint): string {
  const size = parts < 0n ? -parts : parts;
  const digits = size.toString().padStart(7, "0");
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = digits.slice(-4).replace(/0+$/, "");
  return `${parts < 0n ? "−" : ""}${currencySign()}${whole}.${digits.slice(-6, -4)}${rest}`;
}

export const exactMoney = (amount: ExactAmount): string => partsText(inParts(amount));

// The chips that make up an amount, largest first, and the rest that chips cannot make up.
export const CHIPS = [1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100] as const;

export function chips(cents: number): { chips: { value: number; count: number }[]; rest: number } {
  let rest = cents;
  const found: { value: number; count: number }[] = [];
  for (const value of CHIPS) {
    const count = Math.floor(rest / value);
    if (count > 0) {
      found.push({ value, count });
      rest -= count * value;
    }
  }
  return { chips: found, rest };
}

interface ChipColour {
  field: string;
  spot: string;
  middle: string;
  ink: string;
}

const COLOURS: Record<number, ChipColour> = {
  100: { field: "#e9e6dc", spot: "#2f4b8f", middle: "#f6f4ec", ink: "#20242b" },
  500: { field: "#a3201d", spot: "#f3e9d2", middle: "#b93631", ink: "#ffffff" },
  1000: { field: "#1f4f96", spot: "#f3e9d2", middle: "#2c62b3", ink: "#ffffff" },
  2500: { field: "#1c6b3c", spot: "#f3e9d2", middle: "#267d49", ink: "#ffffff" },
  5000: { field: "#b4561b", spot: "#f3e9d2", middle: "#f0a15e", ink: "#1c1406" },
  10000: { field: "#1c1d20", spot: "#d9b45b", middle: "#2a2c30", ink: "#ffffff" },
  50000: { field: "#5b2a86", spot: "#f3e9d2", middle: "#6d389c", ink: "#ffffff" },
  100000: { field: "#c98a1b", spot: "#1c1d20", middle: "#e0a83c", ink: "#1c1406" },
  500000: { field: "#7a4a2b", spot: "#f3e9d2", middle: "#8f5a37", ink: "#ffffff" },
  1000000: { field: "#0f6f7d", spot: "#f3e9d2", middle: "#1a8594", ink: "#ffffff" },
};

const PLAIN: ChipColour = { field: "#555a5e", spot: "#f3e9d2", middle: "#666c70", ink: "#ffffff" };

export const chipColour = (value: number): ChipColour => COLOURS[value] ?? PLAIN;

/** What is printed on a chip: "25", "1K". */
export function chipFace(value: number): string {
  if (value % 100_000 === 0) return `${value / 100_000}K`;
  return value % 100 === 0 ? String(value / 100) : amountText(value);
}
