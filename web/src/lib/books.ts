// The accounts of the ledger, grouped and named for people.
import { type ExactAmount, exactMoney, inParts } from "./money";
import { minuteText } from "./time";

/** The amount that is not accounted for, and when it was known. */
export interface CheckFigure {
  figure: ExactAmount;
  at: number;
}

export interface CheckText {
  state: "right" | "wrong" | "unknown";
  words: string;
  figure: string;
}

/** What is known of every cent: the last figure, unless it could not be asked for since. */
export function checkText(last: CheckFigure | undefined, isOld: boolean): CheckText {
  if (last === undefined) return { state: "unknown", words: "Every cent:", figure: "not known yet" };
  if (inParts(last.figure) !== 0n) {
    const words = isOld ? `Unaccounted for at ${minuteText(last.at)}` : "Unaccounted for";
    return { state: "wrong", words, figure: exactMoney(last.figure) };
  }
  if (isOld) return { state: "unknown", words: "Every cent:", figure: `not known since ${minuteText(last.at)}` };
  return { state: "right", words: "Every cent accounted for:", figure: "no difference" };
}

export interface BookRow {
  account: string;
  name: string;
  holds: ExactAmount;
  off: boolean;
  address: string | undefined;
}

export interface BookGroup {
  title: string;
  sum: bigint;
  rows: BookRow[];
}

const GROUPS: readonly { title: string; prefix: string; address?: (name: string) => string }[] = [
  { title: "The house", prefix: "" },
  { title: "Meters", prefix: "meter/", address: (name) => `/desk?link=${encodeURIComponent(name)}` },
  { title: "Reserves of the meters", prefix: "reserve/", address: (name) => `/desk?link=${encodeURIComponent(name)}` },
  { title: "Above the caps", prefix: "overflow/", address: (name) => `/desk?link=${encodeURIComponent(name)}` },
  { title: "Awards to be paid", prefix: "awards/", address: (name) => `/desk?link=${encodeURIComponent(name)}` },
  { title: "On the tables", prefix: "table/", address: (name) => `/replay?table=${encodeURIComponent(name)}` },
  { title: "Players' credits", prefix: "wallet/" },
  { title: "Owed by Players", prefix: "owed/" },
];

const NAMES: Record<string, string> = {
  cash: "Cash",
  chips: "Chips in circulation",
  granted: "Play credits granted",
  house: "House",
};

/** The accounts in groups. Sums are exact, in ten-thousandths of a cent. */
export function accountWords(
  accounts: readonly { account: string; holds: ExactAmount }[],
  unaccounted: readonly string[],
): BookGroup[] {
  const groups = GROUPS.map((group) => ({ group, rows: [] as BookRow[], sum: 0n }));
  for (const { account, holds } of accounts) {
    const cut = account.indexOf("/") + 1;
    const known = groups.find(({ group }) => cut > 0 && group.prefix === account.slice(0, cut));
    const into = known ?? groups[0];
    if (into === undefined) continue;
    const name = known === undefined ? (NAMES[account] ?? account) : account.slice(cut);
    const address = known?.group.address?.(name);
    into.rows.push({ account, name, holds, off: unaccounted.includes(account), address });
    into.sum += inParts(holds);
  }
  return groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ group, rows, sum }) => ({ title: group.title, sum, rows }));
}
