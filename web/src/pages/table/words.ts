// What the page says of a position and a table, in the rulebooks' words.
import type { SeatView, TableView } from "../../lib/api";
import { money } from "../../lib/money";
import { handWords } from "../../lib/words";

/** How a hand stands, in a word; nothing where there is nothing to say. */
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

/** Whole amounts without their cents: limits are read at a glance. */
export const short = (cents: number): string => money(cents).replace(/\.00$/, "");

export function limitsWords(view: TableView): string {
  const { limits } = view;
  const bonus =
    limits.bonus_least != null && limits.bonus_most != null
      ? ` · Bonus ${short(limits.bonus_least)} – ${short(limits.bonus_most)}`
      : "";
  return `Ante ${short(limits.ante_least)} – ${short(limits.ante_most)}${bonus}`;
}

/** A book's title as it is printed on the felt. */
export const titleWords = (view: TableView): string => `${view.rulebook.title} v${view.rulebook.version}`;

/** What happens when the timer has run out, where that concerns a Player; the Dealer's own short pauses do not. */
export function timerWords(view: TableView, seconds: number): string | undefined {
  const inTime = seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  if (view.power != null) return `Play goes on in ${inTime}`;
  const asked = view.seats.some((seat) => seat.yours && view.stage.positions.includes(seat.position));
  switch (view.stage.name) {
    case "bets_open":
      return `Bets close in ${inTime}`;
    case "deciding_flop":
    case "deciding_turn":
    case "deciding_river":
    case "deciding_bet":
      return asked ? `${inTime} to decide` : `${inTime} for decisions`;
    case "concluded":
    case "void":
      return view.last_round ? undefined : `Next round in ${inTime}`;
    default:
      return undefined;
  }
}

/** What is out of the ordinary at a table, most urgent first. */
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
    | "warned";
  words: string;
  clause?: string | undefined;
}

export function matters(view: TableView): Matter[] {
  const own = view.seats.filter((seat) => seat.yours);
  const out = own.find((seat) => seat.out != null);
  const found: (Matter | false | undefined)[] = [
    !view.open && { kind: "closed", words: "This table is closed. The lobby has others." },
    view.power != null && { kind: "power", words: view.power.sentence, clause: view.power.clause },
    view.misdeal != null && {
      kind: "misdeal",
      words: "There is a misdeal. The Dealer puts it right; nothing is asked of you.",
      clause: view.misdeal.clause,
    },
    view.settlement?.void != null && {
      kind: "void",
      words: "The round is void: every wager goes back.",
      clause: view.settlement.void,
    },
    out !== undefined && {
      kind: "out",
      words: `Your hand at position ${out.position} is out of the round; its wagers go back as the rule says.`,
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
    view.open && view.last_round && { kind: "last", words: "This is the last round at this table." },
    view.jackpot?.reachable === false && {
      kind: "jackpot",
      words: "The jackpot cannot be reached: no Jackpot wagers are taken until it can.",
    },
    own.some((seat) => seat.restricted) && {
      kind: "restricted",
      words: "You may wager on one position only at this table.",
    },
    own.some((seat) => seat.warned) && {
      kind: "warned",
      words: "You were warned for a wager under the minimum; the next one is not settled.",
    },
    ...view.rulings.map((ruling): Matter => ({ kind: "ruling", words: ruling.words })),
  ];
  return found.filter((matter): matter is Matter => typeof matter === "object");
}
