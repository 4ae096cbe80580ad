// The answers for auditors in readable form.
import type { Schemas } from "../../lib/api";
import { partsText } from "../../lib/money";

export interface Difference {
  position: number;
  area: string;
  owner: string;
  was: number;
  was_how: string;
  would: number;
  would_how: string;
}

export interface Comparison {
  round: number;
  rulebook: string;
  was: number;
  would: number | null;
  why_not: string | null;
  differences: Difference[];
}

/** The round of a comparison, where something differs or cannot be calculated. */
export function comparison(answer: Schemas["ReplayedView"]): Comparison | undefined {
  return answer.rounds[0] as Comparison | undefined;
}

export interface Transfer {
  code: string;
  from: string;
  to: string;
  /** In decimals, down to a ten-thousandth of a cent where it is not zero. */
  amount: string;
}

/** The money an entry moved. The log stores ten-thousandths of a cent. */
export function transfers(text: string): Transfer[] {
  if (text === "") return [];
  const rows = JSON.parse(text) as [string, string, string, number | string][];
  return rows.map(([code, from, to, amount]) => ({ code, from, to, amount: partsText(BigInt(amount)) }));
}

/** The body of an entry, indented. */
export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** The name of an entry: its body is a word, or an object with one key. */
export function happened(body: string): string | undefined {
  try {
    const form: unknown = JSON.parse(body);
    if (typeof form === "string") return form;
    return typeof form === "object" && form !== null ? Object.keys(form)[0] : undefined;
  } catch {
    return undefined;
  }
}
