// The texts of the demonstration round and of the help panel.
import type { Schemas } from "../../lib/api";
import type { Area, GameName } from "../../lib/game";
import { inLanguage, type Texts } from "../../lib/language.svelte";
import { withCurrency } from "../../lib/money";
import { handWords } from "../../lib/words";

export interface Step {
  title: string;
  text: string;
  dealer: (string | null)[];
  community: (string | null)[];
  hand: (string | null)[];
  areas: Partial<Record<Area, number>>;
  /** The cards that count, where hands are compared. */
  lit?: readonly string[];
}

const english = {
  offer: "New here? See a round in a minute.",
  show: "Show me",
  dismiss: "No, thanks",
  demonstration: "A round in a minute",
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  back: "Previous step",
  next: "Next step",
  done: "Play",
  playMoney: "Nothing here is wagered: it is a demonstration.",
  dealer: "Dealer",
  you: "You",
  board: "Community cards",
  areas: "The areas",
  pays: "What is paid",
  holeCards: "s: both cards of one suit; o: of two suits.",
  hands: "Hands, the highest first",
  decides: "Between two hands of the same kind the higher ranks decide, kickers last. Suits do not count.",
  keys: "Keys",
  keyList: [
    ["A, B, J", "lay a chip on Ante, Bonus, Jackpot"],
    ["1 – 5", "choose a chip"],
    ["U, D, R", "undo, double, repeat"],
    ["Enter", "place, deal, wager, next round"],
    ["F, C", "fold (asked once more), check"],
    ["V", "look at your cards"],
  ] as readonly (readonly [string, string])[],
  wholeBook: "The whole rulebook",
  /** Title and text of each step; in English they stand with the step. */
  steps: {} as Partial<Record<GameName, readonly (readonly [string, string])[]>>,
  /** What each order of hand is made of, the highest first; in English it stands with the hand. */
  ranking: [] as readonly string[],
};

export type LearnWords = Texts<typeof english>;

export const learn = inLanguage("learn", english);

/** The steps of a demonstration round in the language of the page. */
export function stepsOf(game: GameName): Step[] {
  const own = learn.steps[game] ?? [];
  const steps = game === "stud" ? STUD : HOLDEM;
  return steps.map((step, at) => {
    const [title, text] = own[at] ?? [step.title, step.text];
    return { ...step, title, text: withCurrency(text) };
  });
}

const HIDDEN_BOARD = [null, null, null, null, null];
const HOLDEM_HAND = ["Qh", "Kd"];
const FLOP = ["Qs", "6d", "6c"];

/** A round of hold'em. */
const HOLDEM: readonly Step[] = [
  {
    title: "The Ante",
    text: "Choose a chip and tap Ante. Here it is 25.00. Bonus and Jackpot are extra wagers; you may leave them out.",
    dealer: [],
    community: [],
    hand: [],
    areas: { ante: 2_500, jackpot: 500 },
  },
  {
    title: "The deal",
    text: "You get two cards. The Dealer has two face down, and five community cards belong to everybody.",
    dealer: [null, null],
    community: HIDDEN_BOARD,
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, jackpot: 500 },
  },
  {
    title: "Fold or Flop",
    text: "Fold and lose the Ante, or wager twice the Ante on Flop and see three cards. King and Queen are worth playing.",
    dealer: [null, null],
    community: HIDDEN_BOARD,
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, flop: 5_000, jackpot: 500 },
  },
  {
    title: "The flop",
    text: "Two pairs already, Queens and Sixes. Now check for nothing, or wager as much as the Ante on Turn.",
    dealer: [null, null],
    community: [...FLOP, null, null],
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, flop: 5_000, turn: 2_500, jackpot: 500 },
  },
  {
    title: "Turn and river",
    text: "One card, a last choice, and one more card. This time you check on River.",
    dealer: [null, null],
    community: [...FLOP, "2h", "9s"],
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, flop: 5_000, turn: 2_500, jackpot: 500 },
  },
  {
    title: "The hands are compared",
    text: "The best five of seven cards count. Two pairs, Queens and Sixes, beat Two pairs, Tens and Sixes.",
    dealer: ["Th", "Ts"],
    community: [...FLOP, "2h", "9s"],
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, flop: 5_000, turn: 2_500, jackpot: 500 },
    lit: ["Qh", "Qs", "6d", "6c", "Kd"],
  },
  {
    title: "What is paid",
    text: "Flop and Turn are paid 1 to 1: you win 75.00. The Ante is returned; it pays from a Straight up. The Jackpot wager is collected: your cards with the flop would need a Straight or better.",
    dealer: ["Th", "Ts"],
    community: [...FLOP, "2h", "9s"],
    hand: HOLDEM_HAND,
    areas: { ante: 2_500, flop: 10_000, turn: 5_000 },
    lit: ["Qh", "Qs", "6d", "6c", "Kd"],
  },
];

const STUD_HAND = ["Kh", "Kd", "9c", "5s", "2h"];

/** A round of stud. */
const STUD: readonly Step[] = [
  {
    title: "The Ante",
    text: "Choose a chip and tap Ante. Here it is 25.00. The Jackpot wager is extra; you may leave it out.",
    dealer: [],
    community: [],
    hand: [],
    areas: { ante: 2_500, jackpot: 500 },
  },
  {
    title: "The deal",
    text: "You and the Dealer get five cards each. The Dealer's last card lies open.",
    dealer: [null, null, null, null, "Ac"],
    community: [],
    hand: STUD_HAND,
    areas: { ante: 2_500, jackpot: 500 },
  },
  {
    title: "Fold or Bet",
    text: "Fold and lose the Ante, or wager twice the Ante on Bet. A pair of Kings is worth it.",
    dealer: [null, null, null, null, "Ac"],
    community: [],
    hand: STUD_HAND,
    areas: { ante: 2_500, bet: 5_000, jackpot: 500 },
  },
  {
    title: "The hands are compared",
    text: "The Dealer needs Ace and King or better to have a hand. A pair of Kings beats a pair of Queens.",
    dealer: ["Qc", "Qd", "8h", "4s", "Ac"],
    community: [],
    hand: STUD_HAND,
    areas: { ante: 2_500, bet: 5_000, jackpot: 500 },
    lit: ["Kh", "Kd", "Qc", "Qd"],
  },
  {
    title: "What is paid",
    text: "The Ante is paid 1 to 1, the Bet by your hand: 1 to 1 for a pair. You win 75.00. The Jackpot wager is collected: it pays from a Straight up. Without a hand of the Dealer the Ante is paid and the Bet returned.",
    dealer: ["Qc", "Qd", "8h", "4s", "Ac"],
    community: [],
    hand: STUD_HAND,
    areas: { ante: 5_000, bet: 10_000 },
    lit: ["Kh", "Kd", "Qc", "Qd"],
  },
];

const RANKING: readonly (readonly [Schemas["HandOrder"], readonly string[], string])[] = [
  ["royal-flush", ["As", "Ks", "Qs", "Js", "Ts"], "Ten to Ace of one suit"],
  ["straight-flush", ["9h", "8h", "7h", "6h", "5h"], "Five ranks in a row, of one suit"],
  ["four-of-a-kind", ["9s", "9h", "9d", "9c", "Ks"], "Four cards of one rank"],
  ["full-house", ["Qs", "Qh", "Qd", "6c", "6s"], "Three of one rank and two of another"],
  ["flush", ["Ad", "Jd", "9d", "6d", "5d"], "Five cards of one suit"],
  ["straight", ["9s", "8d", "7c", "6h", "5s"], "Five ranks in a row"],
  ["three-of-a-kind", ["9s", "9d", "9c", "Kh", "4s"], "Three cards of one rank"],
  ["two-pairs", ["Qs", "Qd", "6c", "6h", "Ks"], "Two cards of one rank and two of another"],
  ["one-pair", ["Ts", "Td", "Ac", "7h", "4s"], "Two cards of one rank"],
  ["five-odd-cards", ["As", "Qd", "9c", "7h", "4s"], "None of these: the highest card counts"],
];

/** The orders of hand with an example each, the highest first. */
export const ranking = (): { name: string; cards: readonly string[]; text: string }[] =>
  RANKING.map(([order, cards, text], at) => ({ name: handWords(order), cards, text: learn.ranking[at] ?? text }));
