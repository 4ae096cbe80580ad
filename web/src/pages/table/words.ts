// The page's words for a position and a table.
import type { SeatView, TableView } from "../../lib/api";
import { type Area, areaName } from "../../lib/game";
import { money, moneyRange, shortMoney } from "../../lib/money";
import { rangeOf } from "../../lib/limits";
import { handWords } from "../../lib/words";

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
