// The form to open a table.
import type { Schemas } from "../../lib/api";

export interface Filled {
  rulebook: string;
  positions: number;
  layout: string;
  jackpotMeans: Schemas["Means"] | "";
  anteLeast: number | undefined;
  anteMost: number | undefined;
  bonusLeast: number | undefined;
  bonusMost: number | undefined;
  dealing: Schemas["Dealing"];
  staffing: Schemas["Staffing"];
  method: string;
  link: string;
  /** Why it opens under a book that is not in force. */
  reason: string;
}

export const EMPTY: Filled = {
  rulebook: "",
  positions: 6,
  layout: "",
  jackpotMeans: "",
  anteLeast: 2500,
  anteMost: 100_000,
  bonusLeast: 500,
  bonusMost: 10_000,
  dealing: "software",
  staffing: "automatic",
  method: "",
  link: "",
  reason: "",
};

/** The empty form. A house of real money has Dealers. */
export const empty = (money: Schemas["Currency"] | null | undefined): Filled =>
  money === "real" ? { ...EMPTY, dealing: "live", staffing: "staffed" } : { ...EMPTY };

/** The limits; `undefined` while they are incomplete or the maximum is under the minimum. */
export function limits(filled: Filled, bonus: boolean): Schemas["Limits"] | undefined {
  const ante = range(filled.anteLeast, filled.anteMost);
  if (ante === undefined) return undefined;
  if (!bonus) return { ante };
  const second = range(filled.bonusLeast, filled.bonusMost);
  return second === undefined ? undefined : { ante, bonus: second };
}

/** What is wrong with limits that are filled in; `undefined` where nothing is. */
export function wrongLimits(filled: Filled, bonus: boolean): string | undefined {
  const ranges = [
    ["Ante", filled.anteLeast, filled.anteMost] as const,
    ...(bonus ? [["Bonus", filled.bonusLeast, filled.bonusMost] as const] : []),
  ];
  for (const [area, least, most] of ranges) {
    if (least === 0) return `The ${area} begins above zero.`;
    if (least !== undefined && most !== undefined && most < least) {
      return `The ${area} goes up to less than it begins with: swap the two amounts, or raise the second.`;
    }
  }
  return undefined;
}

function range(least: number | undefined, most: number | undefined): [number, number] | undefined {
  return least === undefined || most === undefined || most < least || least === 0 ? undefined : [least, most];
}

/** The whole form; `undefined` while something is missing. */
export function setup(filled: Filled, bonus: boolean): Schemas["OpenTable"] | undefined {
  const within = limits(filled, bonus);
  if (within === undefined || filled.rulebook === "") return undefined;
  return {
    rulebook: filled.rulebook,
    positions: filled.positions,
    layout: filled.layout === "" ? null : filled.layout,
    jackpot_means: filled.jackpotMeans === "" ? null : filled.jackpotMeans,
    limits: within,
    dealing: filled.dealing,
    staffing: filled.staffing,
    method: filled.method === "" ? null : filled.method,
    link: filled.link === "" ? null : filled.link,
    reason: filled.reason.trim() === "" ? null : filled.reason.trim(),
  };
}

/** The form filled with a table as it was, to open it again. */
export function filledFrom(view: Schemas["TableView"]): Filled {
  const commands = view.choices.map(({ command }) => command);
  const reopen = commands.find((command) => command.do === "reopen");
  const limits = view.next_limits ?? view.limits;
  return {
    rulebook: view.rulebook.id,
    positions: view.positions,
    layout: view.layout,
    jackpotMeans: reopen?.setup.jackpot_means ?? "",
    anteLeast: limits.ante[0],
    anteMost: limits.ante[1],
    bonusLeast: limits.bonus?.[0] ?? EMPTY.bonusLeast,
    bonusMost: limits.bonus?.[1] ?? EMPTY.bonusMost,
    dealing: view.dealing,
    staffing: view.staffing,
    method: view.method,
    link: view.jackpot?.link ?? "",
    reason: reopen?.setup.reason ?? "",
  };
}
