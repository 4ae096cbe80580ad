// Every text that a Player reads on the table, apart from what the server says itself.
import type { Schemas, SeatView, TableView } from "../../lib/api";
import { face } from "../../lib/cards";
import { type Area, areaName } from "../../lib/game";
import { money, moneyRange, shortMoney } from "../../lib/money";
import { rangeOf } from "../../lib/limits";
import { handWords } from "../../lib/words";

/** The plain texts. */
export const say = {
  loading: "Loading the table…",
  noTableChosen: "No table was chosen.",
  noSuchTable: (name: string) => `There is no table “${name}” on this floor.`,
  toLobby: "Go to the lobby",
  toOwnWagers: "Go to your wagers",

  watching: "You are watching.",
  sitAsGuest: "Sit down as a guest",
  signInToSit: "Sign in to sit down",
  choosePosition: "Choose a free position to sit down.",
  positionSoon: "You get a position when this round is over.",
  allTaken: "Every position here is taken: you are watching. The lobby has other tables.",
  sit: "Sit down",
  sitShort: "Sit",
  you: "You",
  free: "free",
  position: (position: number) => `Position ${position}`,
  positionOf: (position: number, holder: string | null | undefined) => `Position ${position}, ${holder ?? "free"}`,
  yourPosition: (position: number) => `Your position ${position}`,
  positions: "Positions",
  balance: "Balance",
  leave: "Leave",

  yourHand: "Your hand",
  dealersHand: "The Dealer's hand",
  communityCards: "Community cards",
  yourCardFaceDown: "Your card, face down",
  dealersCardFaceDown: "The Dealer's card, face down",
  communityCardFaceDown: "A community card, face down",
  cardFaceDown: (position: number) => `A card of position ${position}, face down`,
  youHave: (name: string) => `You have: ${name}`,
  countsForYou: "you",
  countsForDealer: "Dealer",
  countsForBoth: "both",

  lookAtCards: "Look at your cards",
  viewHand: "View hand",
  playBlind: "Play without looking",
  oneHandOnly: "You may view one of your hands; the others are played blind.",
  playedBlind: (position: number) => `Position ${position} is played blind: you have viewed another hand.`,
  yourDecision: (position: number) => `Your decision at position ${position}`,
  atPosition: (position: number, label: string) => `Position ${position}: ${label}`,
  best: "best",
  antes: (antes: string) => `${antes} Antes`,
  handIsShown: "Your hand is shown unless you decline.",
  decline: "Decline to show…",
  declineTitle: "Decline to show your hand?",
  declineLoses: (amount: string) =>
    `Your hand stays face down and is not compared. You give up your wagers of ${amount} on it, the Jackpot wager too, whatever the Dealer has.`,
  declineNow: "Decline and lose",
  showInstead: "Show my hand",
  cancel: "Cancel",
  wasShown: "Your hand was shown before you declined.",

  chipToLay: "Chip to lay",
  chipOf: (chip: string) => `Chip of ${chip}`,
  undo: "Undo",
  double: "Double",
  clear: "Clear",
  place: "Place",
  placeAmount: (amount: string) => `Place ${amount}`,
  placedAmount: (amount: string) => `Placed ${amount}`,
  repeatAmount: (amount: string) => `Repeat ${amount}`,
  dealAmount: (amount: string) => `Deal · ${amount}`,
  dealNow: "Deal now",
  waitingForOthers: "Waiting for the others",
  rebet: "Repeat automatically",
  placed: "Your wagers are placed. You may change them until “No more bets”.",
  placedSolo: "Your wagers are placed. Deal when you are ready.",
  chooseChip: (backing: boolean) =>
    `Choose a chip, then tap ${backing ? "any dashed area" : "an area of your position"}, or drag it there.`,
  notPlaced: "Chips that lie on an area when bets close count.",
  notPlacedSolo: "Deal when you are ready. Nobody else waits.",
  lateChips: "No more bets: these chips could not be placed and stay with you.",
  restored: "Your earlier wagers are in place again.",
  notRestored: "Your earlier wager could not be restored. Check what is on your areas now.",
  layChip: (label: string) => `${label}. Lay a chip`,
  askWhy: (label: string) => `${label}. Why?`,
  notPlacedYet: "not placed yet",

  nextRound: "Next round",
  everyWager: "Every wager and why",
  lastRound: "Last round",
  youWin: (amount: string) => `You win ${amount}`,
  youLose: (amount: string) => `You lose ${amount}`,
  level: "Nothing won, nothing lost",
  voidRound: "The round is void: every wager is returned",
  youFolded: "You folded.",
  youDeclined: "You declined to show your hand.",
  handWasOut: "Your hand was out of the round.",
  withAward: (amount: string, state: string) => `Including a Jackpot award of ${amount}: ${state}.`,
  awardPaid: (number: number, amount: string) => `Award ${number} of ${amount} was paid to your balance.`,
  awardMoved: (number: number, state: string) => `Award ${number}: ${state}.`,
  awardIs: (number: number, position: number, sharers: number) =>
    `Award ${number}, position ${position}${sharers > 1 ? `, shared by ${sharers}` : ""}.`,
  staffComes: "The staff will come to you. Keep your cards on the table.",
  thanks: "Thank you",
  award: (number: number) => `Award ${number}`,
  jackpotHand: (cards: string, name: string) => `Jackpot hand, ${cards}: ${name}`,
  why: "Why?",
  replay: "Replay the round",
  continues: "Play continues when everybody has chosen.",

  menu: "Menu",
  help: "Help",
  coach: (on: boolean) => `Coach ${on ? "on" : "off"}`,
  rounds: "Rounds",
  shuffle: "Shuffle",
  fourColours: "Four-colour deck",
  backOthers: "Back others",
  jackpotOdds: "Jackpot odds",
  fullScreen: "Full screen",
  sound: "Sound",
  volume: "Volume",
  vibration: "Vibration",
  notInForce: (reason: string) => `Not in force: ${reason}`,
  round: (round: number) => `Round ${round}`,
} as const;

export const panelTitles = {
  why: "Why?",
  result: "How the round ended",
  rounds: "Rounds of this table",
  shuffle: "The shuffle",
  menu: "Menu",
  help: "Help",
  demonstration: "A round in a minute",
} as const;

/** What an area is for, in a sentence. The figures are in the pay table. */
const AREA_HELP: Record<Area, string> = {
  ante: "The Ante opens the round: without it no cards are dealt to your position.",
  bonus: "The Bonus is paid on your two hole cards, whatever the rest of the round brings.",
  flop: "After seeing your two cards you fold, or wager twice the Ante here to see the flop.",
  turn: "After the flop you check, or wager as much as the Ante.",
  river: "After the turn you check, or wager as much as the Ante.",
  bet: "After seeing your five cards you fold, or wager twice the Ante against the Dealer.",
  jackpot:
    "The Jackpot wager plays for the meter: certain hands win a part of it or a fixed prize. The wager itself is always collected.",
};

export const areaHelp = (area: Area): string => AREA_HELP[area];

const JACKPOT_CARDS: Record<Schemas["JackpotCards"], string> = {
  hand: "your five cards",
  "hole-and-flop": "your cards with the flop",
  "hole-to-turn": "your cards with flop and turn",
  "hole-to-river": "your cards with the board",
  "hole-to-river-with-hole-card": "your cards with the board",
  community: "the community cards alone",
};

export const jackpotCards = (cards: Schemas["JackpotCards"]): string => JACKPOT_CARDS[cards];

/** What the coach advises, with the reason in words: "Fold: five odd cards, Ace high; the Dealer shows King of Spades". */
export function coachWords(view: TableView, seat: SeatView, best: string, wager: string): string {
  const act = best === "bet" ? `Wager on the ${wager}` : best === "check" ? "Check" : "Fold";
  const up = view.dealer.find((card) => card !== null);
  const shows = view.community.length === 0 && up != null ? `; the Dealer shows ${an(face(up).name)}` : "";
  return `${act}: ${seat.hand?.name ?? holeWords(seat)}${shows}.`;
}

const an = (name: string): string => `${/^(Ace|Eight)/.test(name) ? "an" : "a"} ${name.split(" ")[0]}`;

/** Two hole cards in words. */
function holeWords(seat: SeatView): string {
  const cards = seat.cards.filter((card): card is string => card !== null).map((card) => face(card));
  const [one, other] = cards;
  if (one === undefined || other === undefined) return "";
  const [first, second] = [one.name.split(" ")[0] ?? "", other.name.split(" ")[0] ?? ""];
  if (one.rank === other.rank) return `pair of ${first}${first === "Six" ? "es" : "s"}`;
  return `${first} and ${second} of ${one.suit === other.suit ? "one suit" : "two suits"}`;
}

/** The state of a hand in a word, or nothing. */
export function seatWords(seat: SeatView): string {
  switch (seat.state) {
    case "folded":
      return "folded";
    case "declined":
      return "declined";
    case "out":
      return "out";
    case "none":
    case "showing":
    case "deciding":
      return "";
    case "in":
    case "shown":
      return seat.decisions.at(-1) === "check" ? "check" : "";
  }
}

/** An amount without its cents where they are zero. */
export const short = shortMoney;

export function limitsWords(view: TableView): string {
  const ranges = Object.entries(view.limits) as [Area, number[]][];
  const jackpot = rangeOf(view, "jackpot");
  const words = ranges.map(([area, [least = 0, most = 0]]) => `${areaName(area)} ${moneyRange(least, most)}`);
  if (jackpot !== undefined) {
    const { least, most } = jackpot;
    words.push(`${areaName("jackpot")} ${least === most ? short(least) : moneyRange(least, most)}`);
  }
  return words.join(" · ");
}

/** The book's title as printed on the felt. */
export const titleWords = (view: TableView): string => `${view.rulebook.title} v${view.rulebook.version}`;

/** Whether the round announced as the last is still to come. */
const lastIsNext = (view: TableView): boolean => view.round < (view.last_round_number ?? view.round);

/** What happens when the timer ends, where that concerns a Player. The Dealer's own short pauses do not. */
export function timerWords(view: TableView, seconds: number): string | undefined {
  const inTime = seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  if (view.power != null) return `Play continues in ${inTime}`;
  const asked = view.seats.some((seat) => seat.yours && view.stage.positions.includes(seat.position));
  switch (view.stage.at) {
    case "bets-open":
      return `Bets close in ${inTime}`;
    case "deciding":
      return asked ? `${inTime} to decide` : `${inTime} for decisions`;
    case "concluded":
    case "void":
      return view.last_round && !lastIsNext(view) ? undefined : `Next round in ${inTime}`;
    default:
      return undefined;
  }
}

/** What is unusual at a table, most urgent first. */
export interface Matter {
  kind:
    | "power"
    | "award"
    | "misdeal"
    | "void"
    | "closed"
    | "last"
    | "jackpot"
    | "ruling"
    | "out"
    | "restricted"
    | "warned"
    | "silence";
  words: string;
  clause?: string | undefined;
}

/** Whether a Player sits here and has not wagered in this round yet. */
const isNewHere = (view: TableView, own: SeatView[]): boolean =>
  (view.stage.at === "before-bets" || view.stage.at === "bets-open") &&
  own.length > 0 &&
  own.every((seat) => seat.areas.every(({ wagers }) => wagers.length === 0));

export function matters(view: TableView): Matter[] {
  const own = view.seats.filter((seat) => seat.yours);
  const out = own.find((seat) => seat.out != null);
  const sits = view.choices.some(({ command }) => command.do === "take-position") || isNewHere(view, own);
  const found: (Matter | false | undefined)[] = [
    !view.open && { kind: "closed", words: "This table is closed. The lobby has other tables." },
    view.power != null && { kind: "power", words: view.power.sentence, clause: view.power.clause },
    view.misdeal != null && {
      kind: "misdeal",
      words: "There is a misdeal. The Dealer corrects it; you do not have to do anything.",
      clause: view.misdeal.clause,
    },
    view.settlement?.void != null && {
      kind: "void",
      words: "The round is void: every wager is returned.",
      clause: view.settlement.void,
    },
    out !== undefined && {
      kind: "out",
      words: `Your hand at position ${out.position} is out of the round; its wagers are returned as the clause says.`,
      clause: out.out ?? undefined,
    },
    ...(view.settlement?.awards ?? [])
      .filter((award) => !own.some((seat) => seat.position === award.position) && award.state !== "rejected")
      .map(
        (award): Matter => ({
          kind: "award",
          words: `Position ${award.position} has a ${handWords(award.hand)}: an award of ${money(award.amount)} is entered.`,
          clause: award.clause,
        }),
      ),
    view.open &&
      view.last_round && {
        kind: "last",
        words: lastIsNext(view) ? "The next round is the last at this table." : "This is the last round at this table.",
      },
    ...(view.jackpot?.faults ?? []).map((fault): Matter => ({ kind: "jackpot", words: fault.sentence })),
    view.jackpot?.reachable === false &&
      view.jackpot.faults.length === 0 && {
        kind: "jackpot",
        words: "The jackpot is not connected: no Jackpot wagers for now.",
      },
    ...(view.jackpot?.pending ?? [])
      .filter((award) => award.table !== view.table)
      .map(
        (award): Matter => ({
          kind: "jackpot",
          words: `Pending: ${handWords(award.hand)} at table ${award.table}, ${money(award.amount)}. You play on.`,
        }),
      ),
    view.jackpot?.closing != null && {
      kind: "jackpot",
      words: `This jackpot will close: ${view.jackpot.closing.words}`,
    },
    own.some((seat) => seat.restricted) && {
      kind: "restricted",
      words: "You may wager on one position only at this table.",
    },
    own.some((seat) => seat.warned) && {
      kind: "warned",
      words: "You were warned for a wager under the minimum. The next one will not be settled.",
    },
    ...view.rulings.map((ruling): Matter => ({ kind: "ruling", words: ruling.words })),
    view.open &&
      sits &&
      view.silence != null && { kind: "silence", words: view.silence.sentence, clause: view.silence.clause },
  ];
  return found.filter((matter): matter is Matter => typeof matter === "object");
}
