// What a learner has entered so far, question by question, and the answer it makes.
import type { Schemas } from "../../lib/api";

export type Exercise = Schemas["Exercise"];
export type Question = Schemas["DrillQuestion"];
export type Given = Schemas["DrillGiven"];
export type Marking = Schemas["DrillMarking"];
export type Kind = Schemas["DrillKind"];
export type Does = Schemas["Paying"];

export interface Entered {
  /** The chosen options: one, several, or all in an order. */
  chosen: number[];
  cents: number | undefined;
  does: Does | undefined;
  /** Chips by denomination. */
  chips: Record<number, number>;
}

export const nothing = (): Entered => ({ chosen: [], cents: undefined, does: undefined, chips: {} });

/** The answer to a question; `undefined` while it is not complete. */
export function answer({ form }: Question, { chosen, cents, does, chips }: Entered): Given | undefined {
  switch (form.form) {
    case "one":
      return chosen[0] === undefined ? undefined : { one: chosen[0] };
    case "several":
      return { several: [...chosen].sort((one, other) => one - other) };
    case "order":
      return chosen.length === form.options.length ? { order: chosen } : undefined;
    case "amount":
      return cents === undefined ? undefined : { amount: cents };
    case "wager":
      return does === undefined || cents === undefined ? undefined : { wager: { does, amount: cents } };
    case "chips": {
      const stacks = Object.entries(chips).filter(([, count]) => count > 0);
      return stacks.length === 0
        ? undefined
        : { chips: stacks.map(([value, count]) => ({ denomination: Number(value), count })) };
    }
  }
}

/** Chooses an option: in place of another, beside others, or next in an order. Chosen again it is chosen no more. */
export function choose(form: Question["form"], chosen: readonly number[], option: number): number[] {
  if (form.form === "one") return [option];
  return chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option];
}

/** What the chips come to, in cents. */
export const chipsSum = (chips: Record<number, number>): number =>
  Object.entries(chips).reduce((sum, [value, count]) => sum + Number(value) * count, 0);

export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

export const KINDS: readonly { kind: Kind; title: string; about: string }[] = [
  { kind: "read-the-hand", title: "Read the hand", about: "Best five, name, who wins, by which card" },
  { kind: "pay-the-table", title: "Pay the table", about: "Every wager, the order, the chips" },
  { kind: "what-comes-next", title: "What comes next", about: "The step, the words, what may be done" },
  { kind: "something-is-wrong", title: "Something is wrong", about: "Which rule, who decides, each wager" },
  { kind: "jackpot", title: "Jackpot", about: "What wins, how much, who signs" },
  { kind: "limits", title: "Limits", about: "Outside the limits, shared wagers" },
  { kind: "power-failure", title: "Power failure", about: "What stands, who may withdraw" },
];
