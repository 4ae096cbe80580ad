// Everything the pages know about the games: what they draw before the server has sent anything to draw. A new game is a
// new entry in GAMES; what may be done, and when, comes from the server.
import type { Schemas } from "./api";
import { say } from "./language.svelte";

export type Area = Schemas["PlayingArea"];
export type Stage = Schemas["Stage"];
export type GameName = "holdem" | "stud";

/** A step of the Dealer's procedure, with the stages it covers: "deciding flop", "dealing". */
export interface OutlineStep {
  name: string;
  says?: string;
  stages: readonly string[];
}

/** Cards to choose for advice in the lab: the field of the request they fill. */
export interface AdviceSlot {
  name: string;
  field: "cards" | "flop" | "turn" | "up";
  cards: number;
}

export interface Game {
  name: GameName;
  /** The areas as the replay draws them. */
  areas: readonly Area[];
  /** The areas that Players wager on after the deal. The other areas take wagers while bets are open. */
  following: readonly Area[];
  /** Cards in a hand, of a Player and of the Dealer. */
  handCards: number;
  /** The community cards, in the groups they are turned in. */
  community: readonly { name: string; cards: number }[];
  /** The steps between the deal and the Dealer's hand. */
  outline: readonly OutlineStep[];
  /** The cards to choose for advice in the lab; advice needs the first `adviceCardsMin` of them. */
  advice: readonly AdviceSlot[];
  adviceCardsMin: number;
}

const HOLDEM: Game = {
  name: "holdem",
  areas: ["jackpot", "ante", "bonus", "flop", "turn", "river"],
  following: ["flop", "turn", "river"],
  handCards: 2,
  community: [
    { name: "Flop", cards: 3 },
    { name: "Turn", cards: 1 },
    { name: "River", cards: 1 },
  ],
  outline: [
    { name: "Decisions on the Flop", says: "Fold or Flop, please.", stages: ["deciding flop"] },
    { name: "Turn the flop", stages: ["exposing flop-cards"] },
    { name: "Decisions on the Turn", says: "Turn or check, please.", stages: ["deciding turn"] },
    { name: "Turn the turn card", stages: ["exposing turn-card"] },
    { name: "Decisions on the River", says: "River or check, please.", stages: ["deciding river"] },
    { name: "Turn the river card", stages: ["exposing river-card"] },
  ],
  advice: [
    { name: "Your cards", field: "cards", cards: 2 },
    { name: "Flop cards", field: "flop", cards: 3 },
    { name: "Turn card", field: "turn", cards: 1 },
  ],
  adviceCardsMin: 2,
};

const STUD: Game = {
  name: "stud",
  areas: ["jackpot", "ante", "bet"],
  following: ["bet"],
  handCards: 5,
  community: [],
  outline: [
    { name: "Turn the Dealer's last card", stages: ["exposing up-card"] },
    { name: "Decisions", says: "Fold or Bet, please.", stages: ["deciding bet"] },
  ],
  advice: [
    { name: "Your cards", field: "cards", cards: 5 },
    { name: "Dealer's up card", field: "up", cards: 1 },
  ],
  adviceCardsMin: 6,
};

export const GAMES: Record<GameName, Game> = { holdem: HOLDEM, stud: STUD };

/** The game of a table or a book, by its areas. */
export function gameOf({ areas }: { areas: readonly string[] }): Game {
  const all = Object.values(GAMES);
  const isPlayed = ({ following }: Game): boolean => following.every((area) => areas.includes(area));
  return all.find(isPlayed) ?? HOLDEM;
}

/** The game of a rulebook, by its id such as "megalink-stud-v9". */
export const gameOfBook = (id: string): Game => Object.values(GAMES).find(({ name }) => id.includes(name)) ?? HOLDEM;

export const communityCards = ({ community }: Game): number => community.reduce((sum, group) => sum + group.cards, 0);

/** The group of a community card, and the card's place in it. */
export function communityGroup(game: Game, at: number): { name: string; cards: number; within: number } {
  let first = 0;
  for (const group of game.community) {
    if (at < first + group.cards) return { ...group, within: at - first };
    first += group.cards;
  }
  return { name: "Board", cards: at + 1, within: at };
}

/** The areas that take wagers while bets are open, in the order they are placed. */
export const openingAreas = (table: { areas: readonly Area[] }): Area[] =>
  table.areas.filter((area) => !gameOf(table).following.includes(area));

export const areaName = (area: Area): string => say(`area.${area}`);

const START: readonly OutlineStep[] = [
  { name: "Open the bets", says: "Place your bets, please.", stages: ["before-bets"] },
  { name: "Close the bets", says: "No more bets.", stages: ["bets-open"] },
  { name: "Deal", stages: ["dealing"] },
];
const END: readonly OutlineStep[] = [
  { name: "Turn the Dealer's hand", stages: ["exposing dealer-hand"] },
  { name: "Hands shown", stages: ["showing"] },
  { name: "Take and pay", stages: ["settling"] },
  { name: "Begin the next round", stages: ["concluded", "void", "closed"] },
];

/** The Dealer's procedure of a whole round. */
export const procedure = (game: Game): OutlineStep[] => [...START, ...game.outline, ...END];

/** A stage as one word or two: "bets-open", "deciding flop". */
export const stageKey = (stage: Stage): string => ("what" in stage ? `${stage.at} ${stage.what}` : stage.at);

const STAGES: Record<Exclude<Stage["at"], "deciding" | "exposing">, string> = {
  "before-bets": "Before bets",
  "bets-open": "Bets open",
  dealing: "Dealing",
  showing: "Comparing",
  settling: "Settling",
  concluded: "Concluded",
  void: "Void",
  closed: "Closed",
};

const EXPOSED: Record<Schemas["Exposure"], string> = {
  "up-card": "Up card",
  "flop-cards": "Flop cards",
  "turn-card": "Turn card",
  "river-card": "River card",
  "dealer-hand": "Dealer's hand",
};

export const exposedName = (exposed: Schemas["Exposure"]): string => EXPOSED[exposed];

/** A stage in a word or two. */
export function stageName(stage: Stage): string {
  if (stage.at === "deciding") return `Deciding: ${areaName(stage.what)}`;
  return stage.at === "exposing" ? exposedName(stage.what) : STAGES[stage.at];
}
