// A table for the tests of the dealer's console: hold'em, live, two Players dealt in at 1 and 3.
import type { SeatView, TableCommand, TableView } from "../../src/lib/api";
import type { Choice } from "../../src/lib/choices";

/** A choice of the server. */
export const choice = (command: TableCommand, more: Partial<Choice> = {}): Choice => ({
  command,
  label: command.do,
  effect: "",
  office: "dealer",
  you_may: true,
  clause: null,
  ...more,
});

export function seat(position: number, more: Partial<SeatView> = {}): SeatView {
  return {
    position,
    holder: null,
    yours: false,
    areas: [],
    cards: [],
    state: "none",
    viewed: false,
    decisions: [],
    out: null,
    warned: false,
    restricted: false,
    ...more,
  };
}

export function table(more: Partial<TableView> = {}): TableView {
  const cards = [null, null];
  return {
    table: "T",
    version: 1,
    rulebook: {
      id: "megalink-holdem-v9",
      citation: "MTHB9",
      title: "Megalink Texas Hold'em Bonus Progressive",
      version: 9,
    },
    layout: "A",
    positions: 4,
    areas: ["ante", "bonus", "flop", "turn", "river", "jackpot"],
    limits: { ante: [1000, 50_000], bonus: [500, 10_000] },
    method: "method-a",
    dealing: "live",
    staffing: "staffed",
    open: true,
    last_round: false,
    round: 7,
    stage: { at: "exposing", what: "flop-cards", awaited: "", positions: [], call: "The flop." },
    seats: [
      seat(1, { holder: "Ann", state: "in", cards }),
      seat(2),
      seat(3, { holder: "Bo", state: "in", cards }),
      seat(4),
    ],
    community: [null, null, null, null, null],
    dealer: [null, null],
    jackpot: {
      link: "Megalink",
      minimum: 500,
      multiples_least: 1,
      multiples_most: 5,
      displayed: 26_841_300,
      reachable: true,
      pending: [],
      notices: [],
      faults: [],
    },
    settlement: null,
    paying: [],
    power: null,
    misdeal: null,
    rulings: [],
    shuffle: null,
    choices: [],
    to_deal: [],
    to_read: [],
    timer: null,
    silence: null,
    ...more,
  };
}
