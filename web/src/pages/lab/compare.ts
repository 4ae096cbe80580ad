// The figures of two games side by side.
import type { Schemas } from "../../lib/api";
import { Fraction } from "../../lib/fraction";
import { returned, togetherCents } from "./jackpot";

type Answer = Schemas["ExactAnswer"];

export interface Figure {
  name: string;
  left: string;
  right: string;
  /** The difference; `undefined` where they are equal. */
  difference: string | undefined;
}

type Write = (exact: Fraction, signed: boolean) => string;
const inPercent: Write = (exact, signed) => exact.percent(4, signed);
const inAntes: Write = (exact, signed) => exact.decimal(6, signed);
const inCents: Write = (exact, signed) => exact.cents(4, signed);
const asAmount: Write = (exact, signed) => exact.cents(2, signed);

function row(name: string, write: Write, left: Fraction | undefined, right: Fraction | undefined): Figure {
  const written = (exact: Fraction | undefined): string => (exact === undefined ? "none" : write(exact, false));
  const apart = left === undefined || right === undefined ? undefined : right.minus(left);
  const differs = apart === undefined ? left !== right : apart.sign() !== 0;
  const difference = apart === undefined ? "only in one" : write(apart, true);
  return { name, left: written(left), right: written(right), difference: differs ? difference : undefined };
}

const square = (one: Fraction): Fraction => one.times(one);

/** The figures of two games at the same meter. */
export function figures(left: Answer, right: Answer, meter: number): Figure[] {
  const of = (name: string, write: Write, take: (answer: Answer) => Fraction | undefined): Figure =>
    row(name, write, take(left), take(right));
  const edge = ({ base }: Answer): Fraction => Fraction.of(base.net).negated();
  const wagered = ({ base }: Answer): Fraction => Fraction.of(base.wagered);
  const variance = ({ base }: Answer): Fraction => Fraction.of(base.second_moment).minus(square(Fraction.of(base.net)));
  const even = ({ jackpot }: Answer): Fraction | undefined =>
    jackpot.break_even_meter == null ? undefined : Fraction.whole(jackpot.break_even_meter);
  const folds = ({ decisions }: Answer): string => decisions.fold?.join(" ") || "by the up card";
  return [
    of("Ante: the house keeps", inPercent, edge),
    of("of all that is wagered", inPercent, (answer) => edge(answer).over(wagered(answer))),
    of("Wagered in a round, in Antes", inAntes, wagered),
    of("Variance of a round, in Antes squared", inAntes, variance),
    text("Folded at the start", folds(left), folds(right)),
    of("Bonus: the house keeps", inPercent, ({ bonus }) => (bonus ? Fraction.of(bonus.net).negated() : undefined)),
    of("Jackpot: odds and fixed amounts return", inPercent, ({ jackpot }) =>
      Fraction.of(jackpot.fixed_return_cents).over(Fraction.whole(jackpot.wager_cents)),
    ),
    of("Jackpot: part of the meter won, of a million", inAntes, ({ jackpot }) =>
      Fraction.of(jackpot.meter_weight).times(Fraction.whole(1_000_000)),
    ),
    of("Jackpot: breaks even at", asAmount, even),
    of("Jackpot: returns at this meter", inPercent, ({ jackpot }) => returned(jackpot, meter)),
    of("Ante and jackpot together, a round", inCents, (answer) => togetherCents(answer, meter)),
  ];
}

function text(name: string, left: string, right: string): Figure {
  return { name, left, right, difference: left === right ? undefined : "differs" };
}
