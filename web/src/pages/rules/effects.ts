// The effect of another value of a reading, in words and money.
import type { Schemas } from "../../lib/api";
import { Fraction } from "../../lib/fraction";
import { money } from "../../lib/money";

type Figures = Schemas["ReadingFigures"];

export interface Effect {
  what: string;
  from: string;
  to: string;
  /** The effect in money, where there is one. */
  worth: string | undefined;
}

const amounts = (cents: readonly number[]): string => cents.map((one) => money(one)).join(" and ");

/** The figures that another value changes. */
export function effects(usual: Figures, other: Figures, ante: number, wager: number): Effect[] {
  const found: Effect[] = [];
  const edge = (what: string, from: Schemas["Ratio"], to: Schemas["Ratio"], stake: number, name: string): void => {
    const [before, after] = [Fraction.of(from), Fraction.of(to)];
    const apart = after.minus(before);
    if (apart.sign() === 0) return;
    const cents = apart.times(Fraction.whole(stake));
    const lost = cents.sign() > 0;
    const worth = `${name} ${money(stake)} loses ${(lost ? cents : cents.negated()).cents(4)} ${lost ? "more" : "less"}`;
    found.push({ what, from: before.percent(3), to: after.percent(3), worth });
  };
  edge("The house keeps of the Ante", usual.ante_edge, other.ante_edge, ante, "an Ante of");
  if (usual.bonus_edge && other.bonus_edge) {
    edge("The house keeps of the Bonus", usual.bonus_edge, other.bonus_edge, wager, "a Bonus of");
  }
  const nets = [usual.jackpot_net, other.jackpot_net].map((net) => Fraction.of(net));
  const [before, after] = nets;
  if (before !== undefined && after !== undefined && before.compare(after) !== 0) {
    const what = `A Jackpot wager of ${money(wager)} brings`;
    const worth = `${after.minus(before).cents(4, true)} a round`;
    found.push({ what, from: before.cents(4), to: after.cents(4), worth });
  }
  const shares = (what: string, from: number[], to: number[]): void => {
    if (from.join() === to.join()) return;
    const sum = (all: number[]): number => all.reduce((one, next) => one + next, 0);
    const apart = sum(to) - sum(from);
    const worth = apart === 0 ? undefined : `${money(Math.abs(apart))} ${apart > 0 ? "more" : "less"} in all`;
    found.push({ what, from: amounts(from) || "nothing", to: amounts(to) || "nothing", worth });
  };
  shares("Two straight flushes of one round are awarded", usual.two_straight_flushes, other.two_straight_flushes);
  shares("Two royal flushes of one round are awarded", usual.two_royal_flushes, other.two_royal_flushes);
  const silence = (what: string, from: string, to: string, gain: Fraction): void => {
    if (gain.sign() !== 0) found.push({ what, from, to, worth: `${gain.cents(4, true)} a round` });
  };
  const gains = [usual.silence_gain, other.silence_gain].map((gain) => Fraction.of(gain));
  const [low, high] = gains;
  if (low !== undefined && high !== undefined) {
    const gain = high.minus(low).times(Fraction.whole(ante));
    silence("Silence instead of a fold gains, of the Ante", low.percent(3), high.percent(3), gain);
  }
  const every = [usual.silence_gain_every_wager, other.silence_gain_every_wager].map((gain) => Fraction.of(gain));
  const [least, most] = every;
  if (least !== undefined && most !== undefined) {
    silence("The same with every wager placed", least.cents(4), most.cents(4), most.minus(least));
  }
  return found;
}
