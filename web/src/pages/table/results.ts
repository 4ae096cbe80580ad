// The results of a settlement, for each wager and together.
import type { Schemas, TableView } from "../../lib/api";
import type { Area } from "../../lib/game";
import { money } from "../../lib/money";
import { comparedText, handName, paysText } from "../../lib/spoken";
import { jackpotCards, say } from "./words";

export type Line = Schemas["LineView"];
export type Award = Schemas["AwardView"];

/** What a wager won or lost for its Player, without the stake. */
export const net = (line: Line): number => line.paid - line.collected;

export const netOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + net(line), 0);

/** The wagers of one Player in a settlement. */
export function ownLines(view: TableView, player: string | undefined): Line[] {
  return (view.settlement?.lines ?? []).filter((line) => line.owner === player);
}

export function awardsOf(view: TableView): Award[] {
  const own = new Set(view.seats.filter((seat) => seat.yours).map((seat) => seat.position));
  return (view.settlement?.awards ?? []).filter((award) => own.has(award.position) && award.state !== "rejected");
}

/** Awards that stand: entered, signed or paid. */
export const standingAwards = (awards: readonly Award[]): Award[] =>
  awards.filter((award) => award.state !== "rejected" && award.state !== "replaced");

const sumOf = (awards: readonly Award[]): number => standingAwards(awards).reduce((sum, one) => sum + one.amount, 0);

/** What a round brought a Player, with the awards of the meter. */
export const netOfEnding = ({ lines, awards }: { lines: readonly Line[]; awards: readonly Award[] }): number =>
  netOf(lines) + sumOf(awards);

export const awarded = sumOf;

/** What a wager brought, with the awards of its position where it is the Jackpot wager. */
export function netWithAwards(line: Line, awards: readonly Award[]): number {
  return net(line) + (line.area === "jackpot" ? sumOf(awards.filter((one) => one.position === line.position)) : 0);
}

/** How a hand ended: the comparison, or why there was none. */
export interface HandEnd {
  position: number;
  compared: Schemas["ComparedView"] | undefined;
  state: Schemas["HandState"] | undefined;
  /** The clause under which it ended because the Player did not decide in time. */
  timedOut: string | undefined;
  jackpot: Schemas["JackpotHandView"] | undefined;
}

export function handEnds(view: TableView): HandEnd[] {
  return view.seats
    .filter((seat) => seat.yours && seat.cards.length > 0)
    .map(({ position, state, hand, jackpot_hand: jackpot, timed_out: timedOut }) => ({
      position,
      compared: view.settlement?.compared.find((one) => one.position === position),
      state,
      timedOut: timedOut ?? undefined,
      jackpot: jackpot == null || jackpot.hand.name === hand?.name ? undefined : jackpot,
    }));
}

/** How a hand ended, in words; nothing where there is nothing to say. */
export function handEndText({ compared, state, timedOut }: HandEnd): string {
  if (compared !== undefined) return comparedText(compared, true);
  if (timedOut !== undefined) return state === "out" ? say.timeRanOutReturned(timedOut) : say.timeRanOut(timedOut);
  if (state === "folded") return say.youFolded;
  if (state === "declined") return say.youDeclined;
  return state === "out" ? say.handWasOut : "";
}

/** The Jackpot hand in words, where it differs from the hand that was compared. */
export const jackpotHandText = ({ jackpot }: HandEnd): string =>
  jackpot === undefined ? "" : say.jackpotHand(jackpotCards(jackpot.of), handName(jackpot.hand));

/** The cards that count in the comparison of a position, the Player's and the Dealer's. */
export function counting(
  view: TableView,
  position: number | undefined,
): { player: Set<string>; dealer: Set<string> } | undefined {
  const compared = view.settlement?.compared.find((one) => one.position === position);
  return compared && { player: new Set(compared.player.cards), dealer: new Set(compared.dealer.cards) };
}

/** The outcome of a wager in a word or two. */
export function ending(line: Line): string {
  if (typeof line.outcome === "object") return say.paidAt(paysText(line.outcome.paid));
  return say.endings[line.outcome];
}

/** The outcome of a wager as shown on the felt. */
export function tag(line: Line, awards: readonly Award[] = []): string {
  const brought = netWithAwards(line, awards);
  if (line.outcome === "won" && brought <= 0) return say.tags.award;
  if (brought > 0) return `+${money(brought)}`;
  if (brought < 0) return money(brought);
  return line.outcome === "stand-off" ? say.tags.standOff : say.tags.returned;
}

export function clauses(line: Line): string[] {
  return [line.clause, line.odds_clause, line.limit_clause].filter(
    (clause): clause is string => typeof clause === "string",
  );
}

/** The lines of one position, by area. */
export function byArea(lines: readonly Line[], position: number): Map<Area, Line[]> {
  const found = new Map<Area, Line[]>();
  for (const line of lines.filter((one) => one.position === position)) {
    found.set(line.area, [...(found.get(line.area) ?? []), line]);
  }
  return found;
}

export const awardState = (state: Award["state"]): string => say.awardStates[state];
