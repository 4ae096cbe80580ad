// Every text that a Player reads on the table, apart from what the server says itself.
import type { Schemas, SeatView, TableView } from "../../lib/api";
import { face, rankName } from "../../lib/cards";
import { type Area, areaName } from "../../lib/game";
import { gameTitle, inLanguage, type Texts } from "../../lib/language.svelte";
import { money, moneyRange, shortMoney } from "../../lib/money";
import { rangeOf } from "../../lib/limits";
import { faultText, handName, holeText, powerText, silenceText } from "../../lib/spoken";
import { handWords } from "../../lib/words";

/** The texts in English. */
const english = {
  loading: "Loading the table…",
  noTableChosen: "No table was chosen.",
  noSuchTable: (name: string) => `There is no table “${name}” on this floor.`,
  toLobby: "Go to the lobby",
  toOwnWagers: "Go to your wagers",

  watching: "You are watching.",
  sitAsGuest: "Sit down as a guest",
  signInToSit: "Sign in to sit down",
  choosePosition: "Choose a free position to sit down.",
  seatGivenUp: (minutes: number) =>
    minutes === 0
      ? "Your seat was given up."
      : `You were away for ${minutes === 1 ? "a minute" : `${minutes} minutes`}, so your seat was given up.`,
  sitAgain: "Sit down again",
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
  countsForYou: "you",
  countsForDealer: "Dealer",
  countsForBoth: "both",

  lookAtCards: "Look at your cards",
  viewHand: "View hand",
  cardsCome: "Your cards are being dealt.",
  playBlind: "Play without looking",
  oneHandOnly: "You may view one of your hands; the others are played blind.",
  playedBlind: (position: number) => `Position ${position} is played blind: you have viewed another hand.`,
  yourDecision: (position: number) => `Your decision at position ${position}`,
  atPosition: (position: number, label: string) => `Position ${position}: ${label}`,
  best: "best",
  antes: (antes: string) => `${antes} Antes`,
  handIsShown: "Your hand is shown unless you decline.",
  foldTitle: "Fold this hand?",
  keepHand: "Keep it",
  decline: "Decline to show…",
  declineTitle: "Decline to show your hand?",
  declineLoses: (amount: string) =>
    `Your hand stays face down and is not compared. You give up your wagers of ${amount} on it, the Jackpot wager too, whatever the Dealer has.`,
  declineNow: "Decline and lose",
  showInstead: "Show my hand",
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
  shareWentBack: (player: string, area: string, position: number, amount: string) =>
    `${player}'s ${area} of ${amount} at position ${position} went back with yours.`,
  wagerWentBack: (area: string, position: number, amount: string) =>
    `Your ${area} of ${amount} at position ${position} went back.`,
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
  timeRanOut: (clause: string) => `Time ran out: your hand was folded (${clause}).`,
  timeRanOutReturned: (clause: string) =>
    `Time ran out: your hand is out of the round and its wagers are returned (${clause}).`,
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
  roundColumn: "Round",
  nextIsYours: "A round is being played. You can bet as soon as it is over.",
  waitsForShuffle: (players: string) => `Before the deal ${players} may add to the shuffle: at most five seconds.`,
  shuffle: "Shuffle",
  fourColours: "Four-colour deck",
  backOthers: "Back others",
  jackpotOdds: "Jackpot odds",
  rulebook: "Rulebook",
  fullScreen: "Full screen",
  sound: "Sound",
  volume: "Volume",
  vibration: "Vibration",
  /** Reasons that the program gives by itself, in another language. */
  reasons: {} as Readonly<Record<string, string>>,
  notInForce: (reason: string) => `Not in force: ${reason}`,
  round: (round: number) => `Round ${round}`,

  table: "Table",
  panels: {
    why: "Why?",
    result: "How the round ended",
    rounds: "Rounds of this table",
    shuffle: "The shuffle",
    menu: "Menu",
    help: "Help",
    demonstration: "A round in a minute",
  },
  /** What an area is for, in a sentence. The figures are in the pay table. */
  areaHelp: {
    ante: "The Ante opens the round: without it no cards are dealt to your position.",
    bonus: "The Bonus is paid on your two hole cards, whatever the rest of the round brings.",
    flop: "After seeing your two cards you fold, or wager twice the Ante here to see the flop.",
    turn: "After the flop you check, or wager as much as the Ante.",
    river: "After the turn you check, or wager as much as the Ante.",
    bet: "After seeing your five cards you fold, or wager twice the Ante against the Dealer.",
    jackpot:
      "The Jackpot wager plays for the meter: certain hands win a part of it or a fixed prize. The wager itself is always collected.",
  },
  jackpotCards: {
    hand: "your five cards",
    "hole-and-flop": "your cards with the flop",
    "hole-to-turn": "your cards with flop and turn",
    "hole-to-river": "your cards with the board",
    "hole-to-river-with-hole-card": "your cards with the board",
    community: "the community cards alone",
  },
  groups: { Flop: "Flop", Turn: "Turn", River: "River", Board: "Board" },
  labelOf: (area: string, position: number) => `${area}, position ${position}`,

  adviseWager: (area: string) => `Wager on the ${area}`,
  adviseCheck: "Check",
  adviseFold: "Fold",
  advice: (act: string, hand: string) => `${act}: ${hand}.`,
  adviceAgainst: (act: string, hand: string, up: string) => `${act}: ${hand}; the Dealer shows ${up}.`,
  aRank: (rank: string) => `${/^(Ace|Eight)/.test(rank) ? "an" : "a"} ${rank}`,

  rules: {
    says: (rule: string) => `Rule: ${rule}.`,
    saysAtCost: (rule: string, cost: string) => `Rule: ${rule}. Following it costs ${cost} here.`,
    rule: (street: string, conditions: string) => `${street} with ${conditions}`,
    folds: (classes: string) => `fold ${classes}`,
    none: {
      bet: "these cards are not among the folds",
      check: "no rule fits, so check",
      fold: "no rule fits, so fold",
    },
    not: (condition: string) => `not ${condition}`,
    and: ", ",
    streets: { turn: "Turn wager", river: "River wager", bet: "Bet" },
    conditions: {
      pair: "a pair",
      "middle pair": "the second pair or better",
      "top pair": "the top pair or better",
      "pocket pair": "a pair in the hand",
      overpair: "a pair in the hand above the board",
      "two pairs": "two pairs or better",
      trips: "three of a kind or better",
      straight: "a straight or better",
      "flush draw": "four to a flush",
      "good flush draw": "four to a flush, both cards or its Ace or King",
      "open straight draw": "four to a straight, open on both sides",
      "straight draw": "four to a straight",
      overcard: "a card above the board",
      "two overcards": "both cards above the board",
      "ten high": "Ten or higher in the hand",
      "jack high": "Jack or higher in the hand",
      "queen high": "Queen or higher in the hand",
      "king high": "King or Ace in the hand",
      "ace high": "Ace in the hand",
      "second card seven": "the lower card Seven or higher",
      "second card nine": "the lower card Nine or higher",
      "second card jack": "the lower card Jack or higher",
      "board paired": "a pair on the board",
      "board trips": "three of a kind on the board",
      "board suited": "three of a suit on the board",
      "board four to a straight": "four to a straight on the board",
      "ace-king": "Ace-King",
      "ace-king queen": "Ace-King with a Queen",
      "ace-king jack": "Ace-King with a Jack",
      "up card paired": "the Dealer's card matches one of yours",
      "up card ace or king": "the Dealer shows an Ace or a King",
      "up card under the fourth card": "the Dealer's card is lower than your fourth",
      "up card under the third card": "the Dealer's card is lower than your third",
      "ace-king-jack-8-3": "Ace-King-Jack-8-3 or better",
    },
  },

  states: { folded: "folded", declined: "declined", out: "out", check: "check" },
  seconds: (seconds: number) => `${seconds} s`,
  minutes: (minutes: number) => `${minutes} min`,
  continuesIn: (time: string) => `Play continues in ${time}`,
  betsCloseIn: (time: string) => `Bets close in ${time}`,
  toDecide: (time: string) => `${time} to decide`,
  forDecisions: (time: string) => `${time} for decisions`,
  nextRoundIn: (time: string) => `Next round in ${time}`,

  closed: "This table is closed. The lobby has other tables.",
  misdeal: "There is a misdeal. The Dealer corrects it; you do not have to do anything.",
  isVoid: "The round is void: every wager is returned.",
  isOut: (position: number) =>
    `Your hand at position ${position} is out of the round; its wagers are returned as the clause says.`,
  awardEntered: (position: number, hand: string, amount: string) =>
    `Position ${position} has a ${hand}: an award of ${amount} is entered.`,
  lastIsNext: "The next round is the last at this table.",
  lastIsThis: "This is the last round at this table.",
  jackpotLost: "This table takes no Jackpot wagers for now.",
  pendingElsewhere: (hand: string, table: string, amount: string) =>
    `Pending: ${hand} at table ${table}, ${amount}. You play on.`,
  pendingMany: (count: number, amount: string) =>
    `Pending: ${count} awards at other tables, ${amount} in all. You play on.`,
  jackpotCloses: (words: string) => `This jackpot will close: ${words}`,
  restricted: "You may wager on one position only at this table.",
  warned: "You were warned for a wager under the minimum. The next one will not be settled.",

  notAccepted: (area: string) => `${area} wagers are not accepted now.`,
  under: (area: string, amount: string, least: string) => `${area} ${amount} is under the minimum of ${least}.`,
  over: (area: string, amount: string, most: string) => `${area} ${amount} is over the maximum of ${most}.`,
  notMultiple: (area: string, least: string) => `The ${area} wager must be a multiple of ${least}.`,
  shareFull: (area: string, position: number) => `The ${area} of position ${position} accepts no more.`,
  shareUnder: (area: string, position: number, least: string) =>
    `The ${area} of position ${position} accepts ${least} or more.`,
  shareOver: (area: string, position: number, most: string) =>
    `The ${area} of position ${position} accepts at most ${most} from you.`,
  balanceTooLow: (balance: string) => `Your balance of ${balance} is too low.`,

  paidAt: (odds: string) => `paid ${odds}`,
  endings: { won: "wins", collected: "collected", "stand-off": "stands off", returned: "returned" },
  tags: { award: "award", standOff: "stand-off", returned: "returned" },
  awardStates: {
    entered: "PENDING · waiting for verification",
    verified: "PENDING · verified, waiting for approval",
    approved: "PENDING · approved, waiting for payment",
    paid: "Paid",
    rejected: "Rejected",
    replaced: "Replaced",
  },
  wagerOf: (owner: string, position: number, ending: string) => `of ${owner}, position ${position}: ${ending}`,
  staked: "Staked",
  returned: "Returned",
  collected: "Collected",
  paidOnTop: "Paid on top",
  wager: "Wager",
  outcome: "Outcome",
  result: "Result",
  account: (staked: string, returned: string, collected: string) =>
    `Staked ${staked} = returned ${returned} + collected ${collected}`,
  accountPaid: (account: string, paid: string) => `${account}; paid on top ${paid}`,
  coachName: "Coach",
  coachAt: (position: number) => `Coach, position ${position}`,
  nothingToJudge: "no choice to judge.",
  allBest: "every choice was the best one.",
  mistake: (area: string, decision: string, cost: string, better: string) =>
    `the ${area} ${decision} cost ${cost}; ${better} was better.`,
  decisions: { fold: "fold", wager: "wager", check: "check", bet: "bet" },

  start: "Start",
  state: "State",
  wagers: "Wagers",
  replayShort: "Replay",
  noRounds: "No round has been played here yet.",
  earlier: "Earlier rounds",
  roundStates: { "in-play": "in play", settled: "settled", void: "void" },

  shuffles: {
    thisRound: "This round",
    how: "The seed of this shuffle was fixed before bets. Its hash was published then; the seed itself is published after the round. Salts of Players were fixed before the seed was drawn, and are opened when bets are closed.",
    commitment: "Commitment",
    seed: "Seed",
    salts: "Salts",
    none: "none",
    deck: "Deck",
    fixed: "its order is fixed",
    waits: (players: string) => `waits for the salts of ${players}`,
    notFixed: "not fixed yet",
    withheld: "withheld",
    committedAs: (anchor: string) => `committed to as ${anchor}`,
    addOwn: "Add my own randomness",
    keeps:
      "This page keeps your salts and opens one in every round. Nobody can steer or foresee the cards without them.",
    fromNext:
      "From the next round on the shuffle needs a salt that this page keeps. Nobody can steer or foresee the cards without it.",
    opened: (round: number) => `Round ${round}, opened`,
    notUsed: "A salt was withheld, so this shuffle was not used:",
    dealAgain: (round: number) => `Deal round ${round} again`,
    later: "This shuffle can be checked when the round is over.",
    agrees: (round: number) =>
      `Round ${round}: the seed matches the commitment, every salt the one committed to, and they give this deck. This browser and the floor computed the same.`,
    differs: (round: number) => `Round ${round}: the result computed here differs from what was published.`,
    bright: "The cards you have seen are bright. They are in the order dealt.",
    needsHttps: "This browser can check only on secure pages. Open this page over HTTPS.",
    tooLate: "Your salt did not arrive in time. The shuffle was drawn again without it.",
  },
} as const;

export type TableWords = Texts<typeof english>;

/** Every text of the table, in the language of the page. */
export const say = inLanguage("table", english);

export const areaHelp = (area: Area): string => say.areaHelp[area];

export const jackpotCards = (cards: Schemas["JackpotCards"]): string => say.jackpotCards[cards];

/** What the coach advises, with the reason in words: "Fold: five odd cards, Ace high; the Dealer shows a King". */
export function coachWords(view: TableView, seat: SeatView, best: string, wager: string): string {
  const act = best === "bet" ? say.adviseWager(wager) : best === "check" ? say.adviseCheck : say.adviseFold;
  const hand = seat.hand == null ? holeWords(seat) : handName(seat.hand);
  const up = view.dealer.find((card) => card !== null);
  if (view.community.length > 0 || up == null) return say.advice(act, hand);
  return say.adviceAgainst(act, hand, say.aRank(rankName(up)));
}

/** Two hole cards in words. */
function holeWords(seat: SeatView): string {
  const [one, other] = seat.cards;
  if (one == null || other == null) return "";
  const suited = face(one).suit === face(other).suit;
  return holeText(face(one).rank, face(other).rank, suited);
}

/** The state of a hand in a word, or nothing. */
export function seatWords(seat: SeatView): string {
  switch (seat.state) {
    case "folded":
    case "declined":
    case "out":
      return say.states[seat.state];
    case "none":
    case "showing":
    case "deciding":
      return "";
    case "in":
    case "shown":
      return seat.decisions.at(-1) === "check" ? say.states.check : "";
  }
}

/** An amount without its cents where they are zero. */
export const short = shortMoney;

export function limitsWords(view: TableView): string[] {
  const ranges = Object.entries(view.limits) as [Area, number[]][];
  const jackpot = rangeOf(view, "jackpot");
  const words = ranges.map(([area, [least = 0, most = 0]]) => `${areaName(area)} ${moneyRange(least, most)}`);
  if (jackpot !== undefined) {
    const { least, most } = jackpot;
    words.push(`${areaName("jackpot")} ${least === most ? short(least) : moneyRange(least, most)}`);
  }
  return words;
}

/** The book's title as printed on the felt. */
export const titleWords = ({ rulebook: { id, title, version } }: TableView): string =>
  `${gameTitle({ rulebook: id, title })} v${version}`;

/** Whether the round announced as the last is still to come. */
const lastIsNext = (view: TableView): boolean => view.round < (view.last_round_number ?? view.round);

/** What happens when the timer ends, where that concerns a Player. The Dealer's own short pauses do not. */
export function timerWords(view: TableView, seconds: number): string | undefined {
  const inTime = seconds < 100 ? say.seconds(seconds) : say.minutes(Math.ceil(seconds / 60));
  if (view.power != null) return say.continuesIn(inTime);
  const asked = view.seats.some((seat) => seat.yours && view.stage.positions.includes(seat.position));
  switch (view.stage.at) {
    case "bets-open":
      return say.betsCloseIn(inTime);
    case "deciding":
      return asked ? say.toDecide(inTime) : say.forDecisions(inTime);
    case "concluded":
    case "void":
      return view.last_round && !lastIsNext(view) ? undefined : say.nextRoundIn(inTime);
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

/** What waits to be paid at other tables of the link, in one line. */
function pendingElsewhere(view: TableView): string | undefined {
  const awards = (view.jackpot?.pending ?? []).filter(({ table }) => table !== view.table);
  const [award, ...more] = awards;
  if (award === undefined) return undefined;
  if (more.length === 0) return say.pendingElsewhere(handWords(award.hand), award.table, money(award.amount));
  return say.pendingMany(awards.length, money(awards.reduce((sum, { amount }) => sum + amount, 0)));
}

export function matters(view: TableView): Matter[] {
  const own = view.seats.filter((seat) => seat.yours);
  const elsewhere = pendingElsewhere(view);
  const out = own.find((seat) => seat.out != null);
  const sits = view.choices.some(({ command }) => command.do === "take-position") || isNewHere(view, own);
  const found: (Matter | false | undefined)[] = [
    !view.open && { kind: "closed", words: say.closed },
    view.power != null && { kind: "power", words: powerText(view.power), clause: view.power.clause },
    view.misdeal != null && {
      kind: "misdeal",
      words: say.misdeal,
      clause: view.misdeal.clause,
    },
    view.settlement?.void != null && {
      kind: "void",
      words: say.isVoid,
      clause: view.settlement.void,
    },
    out !== undefined && {
      kind: "out",
      words: say.isOut(out.position),
      clause: out.out ?? undefined,
    },
    ...(view.settlement?.awards ?? [])
      .filter((award) => !own.some((seat) => seat.position === award.position) && award.state !== "rejected")
      .map(
        (award): Matter => ({
          kind: "award",
          words: say.awardEntered(award.position, handWords(award.hand), money(award.amount)),
          clause: award.clause,
        }),
      ),
    view.open &&
      view.last_round && {
        kind: "last",
        words: lastIsNext(view) ? say.lastIsNext : say.lastIsThis,
      },
    ...(view.jackpot?.faults ?? []).map((fault): Matter => ({ kind: "jackpot", words: faultText(fault) })),
    view.jackpot?.reachable === false &&
      view.jackpot.faults.length === 0 && {
        kind: "jackpot",
        words: say.jackpotLost,
      },
    elsewhere !== undefined && { kind: "jackpot", words: elsewhere },
    view.jackpot?.closing != null && {
      kind: "jackpot",
      words: say.jackpotCloses(view.jackpot.closing.words),
    },
    own.some((seat) => seat.restricted) && {
      kind: "restricted",
      words: say.restricted,
    },
    own.some((seat) => seat.warned) && {
      kind: "warned",
      words: say.warned,
    },
    ...view.rulings.map((ruling): Matter => ({ kind: "ruling", words: ruling.words })),
    view.open &&
      sits &&
      view.silence != null && {
        kind: "silence",
        words: silenceText(view.silence, view),
        clause: view.silence.clause,
      },
  ];
  return found.filter((matter): matter is Matter => typeof matter === "object");
}
