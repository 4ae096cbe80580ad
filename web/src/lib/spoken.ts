// What the server says, in the language of the page. It sends English sentences, and beside them the kinds and figures
// they are made of; another language makes its own sentences from those, and has the English one where it cannot.
import { en } from "../words/en";
import type { Schemas, TableView } from "./api";
import type { Choice } from "./choices";
import { type Area, areaName, gameOf } from "./game";
import { callText, language, say } from "./language.svelte";
import { money, withCurrency } from "./money";

type Line = Schemas["LineView"];
type Hand = Schemas["HandView"];
type Comparison = Schemas["Comparison"];
type Stage = Schemas["Stage"];

/** How a language says it. */
export interface Speak {
  /** A hand with the first `told` of the ranks that decide. */
  hand(order: Schemas["HandOrder"], ranks: readonly string[], told: number): string;
  compared(comparison: Comparison, player: string, dealer: string): string;
  awaited(stage: Stage, positions: readonly number[]): string;
  /** A wager that follows the Ante, as a button. */
  wager(area: Area, amount: string): string;
  /** Other buttons, by the name of their command or decision. */
  acts: Readonly<Record<string, string>>;
  leave(position: number): string;
  /** What the Dealer announces about the own hand. */
  dealerHas(hand: string): string;
  /** What happens to a Player who does not decide in time. */
  silence(value: Schemas["SilenceValue"], seconds: number, later: boolean): string;
  /** Why a wager ended as it did. */
  ending(area: Area, staked: string, outcome: Line["outcome"], paid: string): string;
}

/** How many ranks name a hand: those of its order, and one kicker where it has kickers. */
const NAMED: Record<Schemas["HandOrder"], number> = {
  "royal-flush": 0,
  "straight-flush": 1,
  "four-of-a-kind": 2,
  "full-house": 2,
  flush: 1,
  straight: 1,
  "three-of-a-kind": 2,
  "two-pairs": 3,
  "one-pair": 2,
  "five-odd-cards": 1,
};

const ORDERS = Object.keys(NAMED) as Schemas["HandOrder"][];

const speak = (): Speak | undefined => language.words.speak;

/** A hand by name: "Two pairs, Queens and Sixes, King kicker". */
export const handName = ({ order, name, ranks }: Hand): string => speak()?.hand(order, ranks, NAMED[order]) ?? name;

/** How two hands compare, in a sentence. */
export function comparedText(one: Schemas["ComparedView"]): string {
  const spoken = speak();
  if (spoken === undefined) return one.words;
  const player = spoken.hand(one.player.order, one.player.ranks, one.player_ranks_told);
  const dealer = spoken.hand(one.dealer.order, one.dealer.ranks, one.dealer_ranks_told);
  return spoken.compared(one.comparison, player, dealer);
}

/** What the Dealer says now: in English, as it is heard at the table, with its meaning beside it. */
export function callNow({ stage, dealer_hand }: TableView): string {
  const spoken = speak();
  if (spoken === undefined || dealer_hand == null || !stage.call.startsWith("The Dealer has"))
    return callText(stage.call);
  return `${callText(stage.call)} ${spoken.dealerHas(handName(dealer_hand))}`;
}

/** What happens to a Player who does not decide in time. */
export function silenceText({ value, decide_ms, sentence }: Schemas["SilenceView"], view: TableView): string {
  return speak()?.silence(value, decide_ms / 1000, gameOf(view).following.length > 1) ?? sentence;
}

/** What a round waits for. */
export const awaitedText = (stage: Schemas["StageView"]): string =>
  speak()?.awaited(stage, stage.positions) ?? stage.awaited;

/** What a Player's choice is called: "Flop $50.00", "Fold". */
export function choiceText({ command, label }: Choice): string {
  const spoken = speak();
  if (spoken === undefined) return label;
  if (command.do === "leave-position") return spoken.leave(command.position);
  if (command.do !== "decide") return spoken.acts[command.do] ?? label;
  const [, area, amount] = /^(Flop|Turn|River|Bet) (.+)$/.exec(label) ?? [];
  if (area === undefined || amount === undefined) return spoken.acts[command.decision] ?? label;
  return spoken.wager(area.toLowerCase() as Area, amount);
}

/** Odds as printed: "400 for 1", "3 to 1", "10% of the meter", or an amount. */
export function paysText(printed: string): string {
  const [, odds, kind] = /^([\d,]+) (for|to) 1$/.exec(printed) ?? [];
  if (odds !== undefined) return say(kind === "for" ? "sheet.odds-for" : "sheet.odds-to", { odds });
  const [, percent] = /^([\d.]+%) of the meter$/.exec(printed) ?? [];
  return percent === undefined ? printed : say("sheet.of-the-meter", { percent });
}

/** Why a wager ended as it did, without the clauses, which are shown beside it as links. */
export function lineText({ area, staked, paid, outcome, why }: Line): string {
  const end = typeof outcome === "object" ? { paid: paysText(outcome.paid) } : outcome;
  const spoken = speak()?.ending(area, money(staked), end, money(paid));
  return spoken ?? `${withCurrency(why.replace(/\s*\([^()]*\)$/, ""))}.`;
}

/** The hand of a line of a pay table, where it is an order of hand. */
export function handTitle(printed: string): string {
  const order = ORDERS.find((one) => en[`hand.${one}`].toLowerCase() === printed.toLowerCase());
  return order === undefined ? printed : say(`hand.${order}`);
}

/** The printed name of an area of a pay table: "Ante", "Jackpot". */
export function areaTitle(printed: string): string {
  const area = printed.toLowerCase();
  return ["ante", "bonus", "flop", "turn", "river", "bet", "jackpot"].includes(area) ? areaName(area as Area) : printed;
}
