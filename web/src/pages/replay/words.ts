// Every text of the replay that a Player reads, apart from what the server says itself. The auditor's part is for the
// staff and in English.
import type { Schemas } from "../../lib/api";
import { inLanguage, type Texts } from "../../lib/language.svelte";

const english = {
  tables: "Tables",
  roundOf: (round: string) => `round ${round}`,
  choose: "Choose a table, then a round. Every round of this floor is kept, step by step.",
  roundsAt: (table: string) => `Rounds at ${table}`,
  rounds: "Rounds",
  round: (round: string) => `Round ${round}`,
  when: "When",
  state: "State",
  players: "Players",
  staked: "Staked",
  playersNet: "Players' net",
  yourNet: "Your net",
  earlier: "Earlier rounds",
  noRounds: "No round has been played here yet.",
  states: { settled: "settled", void: "void", "in-play": "in play" },
  dayAndTime: (day: string) => `${day}, `,

  correct: "Correct this round",
  copyLink: "Copy link",
  copied: "The link to this step is copied.",
  copyThis: (address: string) => `Copy this link: ${address}`,
  inPlay: "This round is in play. New events appear here.",
  entry: (version: string) => `Entry ${version}`,
  entries: "Entries of the round",

  dealersHand: "The Dealer's hand",
  dealer: "Dealer",
  communityCards: "Community cards",
  position: (position: string) => `Position ${position}`,
  free: "free",
  wins: "wins",
  loses: "loses",
  level: "level",
  folds: "Folds",
  checks: "Checks",
  timeRanOut: (happens: string) => `Time ran out: ${happens.toLowerCase()}`,
  wagersOn: (area: string) => `${area} wager`,

  steps: "Steps of the round",
  previous: "Previous step",
  next: "Next step",
  play: "Play",
  pause: "Pause",
  step: "Step",
  stepOf: (step: string, of: string, sentence: string) => `${step} of ${of}: ${sentence}`,
  keys: "← → one step, with Shift one part",
  chapters: { wagers: "Wagers", deal: "Deal", decisions: "Decisions", void: "Void", settlement: "Settlement" },
  exposed: {
    "up-card": "Up card",
    "flop-cards": "Flop cards",
    "turn-card": "Turn card",
    "river-card": "River card",
    "dealer-hand": "Dealer's hand",
  },

  analysis: "Analysis",
  handOf: "Hand of",
  perfect: (player: string) => `Perfect play. ${player} made every decision as the exact values say.`,
  costOne: (player: string, cost: string) => `${player}'s decisions cost ${cost} on average, by one decision.`,
  costAll: (player: string, cost: string) => `${player}'s decisions cost ${cost} on average, all together.`,
  worthOver: (points: string) => `What the hand was worth: ${points}`,
  decision: "Decision",
  decisions: "Decisions",
  cardsThen: "Cards then",
  worth: "Worth",
  best: "Best",
  cost: "Cost",
  whatIf: "What if",
  whatIfPlay: (play: string) => `What if ${play}?`,
  none: "none",
  decidedAt: (area: string, play: string) => `${area}: ${play}`,
  made: { bet: "wagers", check: "checks", fold: "folds" },
  plays: { bet: "wager", check: "check", fold: "fold" },
  dealt: "Dealt",
  result: "Result",
  bestFromThere: " (the best play from there on)",
  neverTurned: "the cards that this needs were never turned, so only its average is known.",
  brings: (result: string) => `with the cards as they fell the hand brings ${result}.`,
  bringsInstead: (result: string, instead: string) =>
    `with the cards as they fell the hand brings ${result} instead of ${instead}.`,
  onAverage: (worth: string) => `On average it is worth ${worth}.`,
  exactValues:
    "Exact values with perfect play afterwards, for the cards that lay open at each decision. Bonus wagers are aside.",

  settlement: "Settlement",
  wagerCount: (wagers: string) => `${wagers} wagers`,
  handsCompared: "The hands compared",
  wager: "Wager",
  why: "Why",
  net: "Net",
  clause: "Clause",
  endings: { paid: "Paid", won: "Won", collected: "Collected", "stand-off": "Stand-off", returned: "Returned" },
  award: (number: string) => `Award ${number}`,
  awardName: "Award",
  ofTheMeter: "of the meter",
  awardStates: {
    entered: "waits to be verified",
    verified: "waits to be approved",
    approved: "waits to be paid",
    paid: "paid",
    rejected: "rejected",
    replaced: "replaced",
  },
  sharedBy: (state: string, sharers: string) => `${state}, shared by ${sharers}`,
  allPlayers: "All Players together",
  settledAgain: (version: string) => `Settled again, entry ${version}`,
  nothingElse: "No wager brought anything else.",
  changedAt: (position: string, area: string, owner: string) => `${position} ${area} of ${owner}: `,

  shuffle: "Shuffle",
  lost: "The seed of this shuffle was lost: nobody can check it.",
  notOpened: "The floor committed to this shuffle before bets. The seed is published when the round is over.",
  repeated: (cards: string) =>
    `Repeated in this browser: it is the shuffle committed to before bets, and all ${cards} face-up cards match.`,
  cardDiffers: (card: string) => `Card ${card} of the deal does not match this shuffle.`,
  saltDiffers: "A salt is not the one that was committed to.",
  otherShuffle: "This is not the shuffle that was committed to.",
  wholeDeck: "The whole deck, in order",
  dealtTo: (to: string) => `to ${to}`,
  notDealt: "not dealt",
  toPosition: (position: string) => `position ${position}`,
  toDealer: "Dealer",
  toBoard: "community cards",
  committed: "Committed to",
  seed: "Seed",
  saltOf: (player: string) => `Salt of ${player}`,
  saltCommitted: "committed to as",
  saltNotOpened: "not opened",
  seedNotUsed: "Seed not used",
  withheldBy: (players: string) => `withheld by ${players}`,

  log: "Log",
  whole: (entries: string) => `${entries} entries, each with the hash of the one before.`,
  broken: (entry: string) => `The chain is broken at entry ${entry}.`,
  sealedBy: (entry: string) => `Sealed by entry ${entry}`,
  sealedLater: "The round is sealed when it is over.",
} as const;

export type ReplayWords = Texts<typeof english>;

export const say = inLanguage("replay", english);

type Play = keyof typeof english.plays;
const isPlay = (decision: string): decision is Play => decision in english.plays;

/** What was decided, as it is said of a hand: "wagers", "checks", "folds". */
export const decided = (decision: string): string => (isPlay(decision) ? say.made[decision] : decision);

/** A choice by its name: "wager", "check", "fold". */
export const playName = (decision: string): string => (isPlay(decision) ? say.plays[decision] : decision);

export const exposedName = (exposed: Schemas["Exposure"]): string => say.exposed[exposed];
