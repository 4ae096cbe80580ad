// The irregularities a Dealer can report, with what must be known about each, and the words for what follows.
import type { Schemas } from "../../lib/api";
import type { Area } from "../../lib/game";
import { officeName } from "../../lib/offices";
import type { Becomes, Change, Remedy } from "./ruling";

export type Irregularity = Schemas["Irregularity"];
export type Ask = "fault" | "count" | "piles" | "cards" | "position" | "player" | "area" | "amount" | "words";

export interface IrregularityKind {
  what: Irregularity["what"];
  name: string;
  hint: string;
  asks: Ask[];
  /** Whether it is about a hand, so that only positions with cards are offered. */
  hand?: boolean;
}

/** The positions that an irregularity can be about. */
export const positionsFor = <S extends { cards: readonly unknown[]; areas: readonly unknown[] }>(
  kind: IrregularityKind,
  seats: readonly S[],
): S[] => seats.filter((seat) => (kind.hand === true ? seat.cards.length > 0 : true));

export const IRREGULARITIES: { group: string; kinds: IrregularityKind[] }[] = [
  {
    group: "The cards",
    kinds: [
      {
        what: "misdeal",
        name: "Cards were dealt incorrectly",
        hint: "A misdeal, at any moment of the deal. No Player has touched a card yet.",
        asks: ["piles"],
      },
      {
        what: "handled",
        name: "A Player touched the cards",
        hint: "Without viewing them. Hands can no longer be moved.",
        asks: ["position"],
        hand: true,
      },
      {
        what: "hand-count",
        name: "A hand has too many or too few cards",
        hint: "Found before the next round starts.",
        asks: ["position"],
        hand: true,
      },
      {
        what: "table-count",
        name: "Board or Dealer has too many or too few cards",
        hint: "Found before the next round starts.",
        asks: [],
      },
      { what: "exposed-cards", name: "Cards were exposed by mistake", hint: "How many?", asks: ["cards"] },
      {
        what: "bad-cards",
        name: "The cards themselves are wrong",
        hint: "Extra, missing, foreign or not shuffled.",
        asks: ["fault"],
      },
      { what: "cards-counted", name: "The deck was counted by hand", hint: "A whole deck has 52.", asks: ["count"] },
    ],
  },
  {
    group: "A wager",
    kinds: [
      {
        what: "late-wager",
        name: "A wager came after “No more bets”",
        hint: "Whose wager, and on which area?",
        asks: ["position", "area", "player"],
      },
      {
        what: "wager-taken-off",
        name: "A wager was taken off after “No more bets”",
        hint: "Whose wager, and from which area?",
        asks: ["position", "area", "player"],
      },
      {
        what: "wager-miskeyed",
        name: "A wager was entered wrongly",
        hint: "The chips on the felt are another amount. Until the first card; before “No more bets” take it back instead.",
        asks: ["position", "area", "player", "amount"],
      },
      {
        what: "lone-jackpot-wager",
        name: "A Jackpot wager without an Ante",
        hint: "At which position?",
        asks: ["position"],
      },
    ],
  },
  {
    group: "A Player",
    kinds: [
      {
        what: "decision-miskeyed",
        name: "A decision was entered wrongly",
        hint: "The Player decided otherwise. Until the next card is dealt or turned.",
        asks: ["position"],
        hand: true,
      },
      {
        what: "absent",
        name: "A Player is absent when a decision is due",
        hint: "At which position?",
        asks: ["position"],
        hand: true,
      },
      {
        what: "viewed",
        name: "A Player viewed a hand at the table",
        hint: "Also a second one: hands that were viewed play on.",
        asks: ["position"],
        hand: true,
      },
      {
        what: "declined",
        name: "A hand declines comparison",
        hint: "A supervisor may view it.",
        asks: ["position"],
        hand: true,
      },
      {
        what: "not-confidential",
        name: "A hand was not kept confidential",
        hint: "It was shown to others or discussed.",
        asks: ["player"],
      },
      {
        what: "several-hands",
        name: "A Player controls several hands in error",
        hint: "Which Player?",
        asks: ["player"],
      },
      {
        what: "too-many-positions",
        name: "A Player takes too many positions",
        hint: "Which Player?",
        asks: ["player"],
      },
    ],
  },
  {
    group: "Anything else",
    kinds: [
      { what: "power-failure", name: "The power failed", hint: "Or devices stopped working.", asks: [] },
      {
        what: "uncovered",
        name: "No rule covers it",
        hint: "Describe it in a sentence. The Gaming Shift Manager decides.",
        asks: ["words"],
      },
    ],
  },
];

export interface Answers {
  fault: Schemas["CardFault"] | undefined;
  count: number;
  cards: number;
  position: number | undefined;
  player: string;
  area: Area;
  amount: number | undefined;
  words: string;
  piles: Schemas["FoundPile"][];
  also: Schemas["TablePile"][];
}

/** What happened, as the guide takes it; `undefined` while something is not answered. */
export function irregularityOf(what: Irregularity["what"], answers: Answers): Irregularity | undefined {
  const { position, player, area, fault, amount } = answers;
  switch (what) {
    case "bad-cards":
      return fault && { what, fault };
    case "cards-counted":
      return { what, counted: answers.count };
    case "misdeal":
      return { what, piles: answers.piles, also: answers.also };
    case "exposed-cards":
      return { what, cards: answers.cards };
    case "hand-count":
    case "handled":
    case "viewed":
    case "absent":
    case "lone-jackpot-wager":
    case "decision-miskeyed":
    case "declined":
      return position === undefined ? undefined : { what, position };
    case "not-confidential":
    case "several-hands":
    case "too-many-positions":
      return { what, player };
    case "late-wager":
    case "wager-taken-off":
      return position === undefined ? undefined : { what, position, area, player };
    case "wager-miskeyed":
      return position === undefined || amount === undefined ? undefined : { what, position, area, player, amount };
    case "uncovered":
      return { what, words: answers.words };
    default:
      return { what };
  }
}

/** The list with one entry and the next one swapped. */
export const swapped = <T>(all: readonly T[], at: number): T[] => [
  ...all.slice(0, at),
  ...all.slice(at, at + 2).toReversed(),
  ...all.slice(at + 2),
];

/** Who decides, in a few words. */
export function whoDecides({ office, second_signature }: Pick<Remedy, "office" | "second_signature">): string {
  if (second_signature === true) return "Two people sign it";
  if (office == null) return "The Player decides; the staff enter it";
  return office === "dealer" ? "The Dealer decides" : `A ${officeName(office)} decides`;
}

const BECOMES: readonly { becomes: Becomes; one: string; several: string }[] = [
  { becomes: "returned", one: "one wager is returned", several: "wagers are returned" },
  { becomes: "collected", one: "one wager is collected", several: "wagers are collected" },
  { becomes: "paid", one: "one wager is paid", several: "wagers are paid" },
  { becomes: "stand-off", one: "one wager stands off", several: "wagers stand off" },
];

/** What happens to the wagers together, in a sentence. */
export function effects(wagers: readonly Pick<Change, "becomes">[]): string {
  if (wagers.length === 0) return "There is no wager on the table.";
  const parts = BECOMES.flatMap(({ becomes, one, several }) => {
    const count = wagers.filter((wager) => wager.becomes === becomes).length;
    return count === 0 ? [] : [count === 1 ? one : `${count} ${several}`];
  });
  const words = parts.length === 0 ? "every wager stays" : parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
