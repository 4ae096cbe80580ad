// The value of the Jackpot wager at a meter, computed exactly from the lab's coefficients, so that a slider needs no
// request.
import type { Schemas } from "../../lib/api";
import { Fraction } from "../../lib/fraction";

type Jackpot = Schemas["JackpotAnswer"];

/** The average return at a meter, in cents. */
export function returnCents(jackpot: Jackpot, meter: number): Fraction {
  const share = Fraction.of(jackpot.meter_weight).times(Fraction.whole(meter));
  return Fraction.of(jackpot.fixed_return_cents).plus(share);
}

/** The return at a meter as a part of the wager. */
export function returned(jackpot: Jackpot, meter: number): Fraction {
  return returnCents(jackpot, meter).over(Fraction.whole(jackpot.wager_cents));
}

/** The house edge at a meter; below zero the Player has the advantage. */
export function edge(jackpot: Jackpot, meter: number): Fraction {
  return Fraction.whole(1).minus(returned(jackpot, meter));
}

/** The average result of Ante and Jackpot wager together, in cents a round. */
export function togetherCents(answer: Schemas["ExactAnswer"], meter: number): Fraction {
  const base = Fraction.of(answer.base.net).times(Fraction.whole(answer.ante_cents));
  return base.plus(returnCents(answer.jackpot, meter)).minus(Fraction.whole(answer.jackpot.wager_cents));
}

/** What a line pays in cents: a share of the meter, odds on the wager, or a fixed amount. */
export function paysCents(pays: string, wager: number, meter: number): Fraction | undefined {
  const share = /^(\d+)(?:\.(\d+))?%$/.exec(pays);
  if (share !== null) {
    const rest = share[2] ?? "";
    const percent = new Fraction(BigInt((share[1] ?? "") + rest), 10n ** BigInt(rest.length));
    return percent.times(new Fraction(BigInt(meter), 100n));
  }
  const odds = /^([\d,]+) for 1$/.exec(pays);
  if (odds !== null) return Fraction.whole((odds[1] ?? "").replaceAll(",", "")).times(Fraction.whole(wager));
  const fixed = /^\$([\d,]+)\.(\d\d)$/.exec(pays);
  if (fixed !== null) return Fraction.whole((fixed[1] ?? "").replaceAll(",", "") + (fixed[2] ?? ""));
  return undefined;
}

export interface LineWorth {
  hand: string;
  cards: string;
  pays: string;
  /** Whether it is paid out of the meter. */
  ofMeter: boolean;
  chance: Fraction;
  /** What it adds to the return, in wagers. */
  adds: Fraction;
}

/** What each line of the table adds to the return at a meter. */
export function lines(answer: Schemas["ExactAnswer"], meter: number): LineWorth[] {
  const { jackpot } = answer;
  return jackpot.lines.map(({ hand, cards, pays, deals }) => {
    const chance = new Fraction(BigInt(deals), BigInt(answer.deals));
    const paid = paysCents(pays, jackpot.wager_cents, meter) ?? Fraction.whole(0);
    const adds = paid.times(chance).over(Fraction.whole(jackpot.wager_cents));
    return { hand, cards, pays, ofMeter: pays.endsWith("%"), chance, adds };
  });
}

const CARDS: Record<string, string> = {
  "hole-and-flop": "hole cards and Flop",
  "hole-to-turn": "to the Turn",
  "hole-to-river": "to the River",
  "hole-to-river-with-hole-card": "to the River, with a hole card",
  community: "community cards only",
  hand: "the hand",
};

/** The cards that count for a line, in words. */
export const cardsInWords = (cards: string): string => CARDS[cards] ?? cards.replaceAll("-", " ");
