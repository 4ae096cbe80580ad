// What the server says, in the language of the page. It sends English sentences, and beside them the kinds and figures
// they are made of; another language makes its own sentences from those, and has the English one where it cannot.
import { en } from "../words/en";
import type { EventView, Schemas, TableView } from "./api";
import type { Choice } from "./choices";
import { type Area, areaName, gameOf } from "./game";
import { rankText } from "./cards";
import { callText, language, say } from "./language.svelte";
import { money, withCurrency } from "./money";
import { session } from "./session.svelte";

type Line = Schemas["LineView"];
type Hand = Schemas["HandView"];
type Comparison = Schemas["Comparison"];
type Stage = Schemas["Stage"];

/** How a language says it. */
export interface Speak {
  /** A hand with the first `told` of the ranks that decide. */
  hand(order: Schemas["HandOrder"], ranks: readonly string[], told: number): string;
  /** How two hands compare; `own` where the Player's is that of the person who reads. */
  compared(comparison: Comparison, player: string, dealer: string, own: boolean): string;
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
  /** Why a wager ended as it did, without the clauses. */
  why(why: Why): string;
  /** What happened at a table; `undefined` where this language does not say it. */
  event(event: EventView): string | undefined;
  /** Who caused it: an office, the system, or a name as it is. */
  by(by: string): string;
  fault(fault: Schemas["FaultView"]): string;
  /** What may be done in a power failure. */
  power: string;
  /** That the meter was adjusted, with the words of the staff. */
  adjusted(from: string, to: string, cause: string, words: string): string;
}

/** What the end of a wager is explained with. */
export interface Why {
  area: Area;
  position: number;
  /** Whether it is about the person who reads. */
  own: boolean;
  staked: string;
  paid: string;
  outcome: Line["outcome"];
  because: Line["because"];
  /** How the hands compared, where they lie open, without the full stop. */
  compared: string | undefined;
  /** The hole cards of a Bonus wager in words, where they lie open. */
  hole: string;
  won: { hand: Schemas["HandOrder"]; pays: string; award: number | undefined; amount: string }[];
  counted: string;
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

/** How two hands compare, in a sentence; `own` where the Player's is that of the person who reads. */
export function comparedText(one: Schemas["ComparedView"], own: boolean): string {
  const spoken = speak();
  if (spoken === undefined) return one.words;
  const player = spoken.hand(one.player.order, one.player.ranks, one.player_ranks_told);
  const dealer = spoken.hand(one.dealer.order, one.dealer.ranks, one.dealer_ranks_told);
  return spoken.compared(one.comparison, player, dealer, own);
}

/** What the Dealer says now: in English, as it is heard at the table, with its meaning beside it. */
export function callNow({ stage, dealer_hand, staffing }: TableView): string {
  // Before the first call of a round nobody has said anything yet.
  if (stage.at === "before-bets" && staffing === "staffed") return say("table.waits-for-dealer");
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

/** Why a wager ended as it did, without the clauses, which are shown beside it as links. `all` are the hands compared in
 * its round. */
export function lineText(line: Line, all: readonly Schemas["ComparedView"][]): string {
  const spoken = speak();
  if (spoken === undefined) return `${withCurrency(line.why.replace(/\s*\([^()]*\)$/, ""))}.`;
  const { area, position, staked, paid, outcome, because } = line;
  const compared = all.find((one) => one.position === position);
  const own = line.owner === session.who?.name;
  return spoken.why({
    area,
    position,
    own,
    staked: money(staked),
    paid: money(paid),
    outcome: typeof outcome === "object" ? { paid: paysText(outcome.paid) } : outcome,
    because,
    compared: compared && comparedText(compared, own).replace(/。$/, ""),
    hole: holeCardsText(because.hole_cards ?? []),
    won: (because.won_with ?? []).map(({ hand, pays, award, amount }) => ({
      hand,
      pays: paysText(pays),
      award: award ?? undefined,
      amount: money(amount ?? 0),
    })),
    counted: money(because.counted ?? 0),
  });
}

/** What happened at a table, in a sentence. */
export const eventText = (event: EventView): string => speak()?.event(event) ?? event.sentence;

/** Who caused an entry. */
export const byText = (by: string): string => speak()?.by(by) ?? by;

export const faultText = (fault: Schemas["FaultView"]): string => speak()?.fault(fault) ?? fault.sentence;

export const powerText = (power: Schemas["PowerView"]): string => speak()?.power ?? power.sentence;

/** What Players are told about the meter. */
export function noticeText({ sentence }: Schemas["NoticeView"]): string {
  const parts = /^The meter was adjusted from (\S+) to (\S+): (.+?)\. (.*)$/.exec(sentence);
  const [, from = "", to = "", cause = "", words = ""] = parts ?? [];
  return (parts && speak()?.adjusted(from, to, cause, words)) ?? sentence;
}

/** Two hole cards in words: "Ace and King of one suit". */
export function holeText(first: string, second: string, suited: boolean): string {
  const [one, other] = [rankText(first), rankText(second)];
  if (first === second) return say("hole.pair", { ranks: language.name === "en" ? plural(one) : one });
  return say(suited ? "hole.suited" : "hole.unsuited", { one, other });
}

function holeCardsText([one, other]: readonly string[]): string {
  if (one === undefined || other === undefined) return "";
  return holeText(one.charAt(0), other.charAt(0), one.charAt(1) === other.charAt(1));
}

const plural = (rank: string): string => `${rank}${rank === "Six" ? "es" : "s"}`;

/** The hand of a line of a pay table or of an advice: an order of hand, or a class of hole cards such as "T4o". */
export function handTitle(printed: string): string {
  const [, first, second, suit] = /^([2-9TJQKA])([2-9TJQKA])([so]?)$/.exec(printed) ?? [];
  if (first !== undefined && second !== undefined) return holeText(first, second, suit === "s");
  if (printed === en["pays.better"]) return say("pays.better");
  if (printed === en["pays.better-or-none"]) return say("pays.better-or-none");
  const [, least] = /^a better hand, (.+) or higher$/.exec(printed) ?? [];
  if (least !== undefined) return say("pays.better-from", { hand: handTitle(least) });
  const [, one, other] = /^(\w+) against (\w+)$/.exec(printed) ?? [];
  if (one !== undefined && other !== undefined) return say("pays.against", { one, other });
  // A hand with its ranks: "Three of a kind, 7-7-7-A-Q".
  const [, name, cards] = /^(.+), ((?:10|[2-9TJQKA])(?:-(?:10|[2-9TJQKA]))+)$/.exec(printed) ?? [];
  if (name !== undefined && cards !== undefined) return say("pays.with-cards", { hand: handTitle(name), cards });
  const order = ORDERS.find((one) => en[`hand.${one}`].toLowerCase() === printed.toLowerCase());
  return order === undefined ? printed : say(`hand.${order}`);
}

/** The printed name of an area of a pay table: "Ante", "Jackpot". */
export function areaTitle(printed: string): string {
  const area = printed.toLowerCase();
  return ["ante", "bonus", "flop", "turn", "river", "bet", "jackpot"].includes(area) ? areaName(area as Area) : printed;
}
