import { expect, test } from "vitest";
import type { Schemas, SeatView, TableView, EventView } from "../../src/lib/api";
import { movement } from "../../src/pages/table/deal";
import { inOrder, ways } from "../../src/pages/table/decisions";
import { handWords } from "../../src/lib/words";
import { clauses, ending, type Line, net, netOf, sentence, tag } from "../../src/pages/table/results";
import { limitsWords, matters, timerWords } from "../../src/pages/table/words";

const line = (over: Partial<Line>): Line => ({
  position: 3,
  area: "Ante",
  owner: "Ann",
  staked: 5000,
  paid: 0,
  returned: 5000,
  collected: 0,
  outcome: "stand_off",
  odds: null,
  clause: "MTHB9 3.10.2",
  odds_clause: null,
  limit_clause: null,
  why: "Ante 50.00 stands off: you won with Two pairs; the Ante pays from a Straight up (MTHB9 3.10.2)",
  ...over,
});

test("a wager's end is told by what it brought", () => {
  const paid = line({ area: "Flop", staked: 10_000, paid: 10_000, returned: 10_000, outcome: "paid", odds: "1 to 1" });
  const lost = line({ area: "Bonus", staked: 500, returned: 0, collected: 500, outcome: "collected" });
  const award = line({ area: "Jackpot", staked: 500, returned: 0, collected: 500, outcome: "won" });
  expect([paid, lost, award, line({})].map(tag)).toEqual(["+100.00", "−5.00", "award", "stand-off"]);
  expect([paid, lost, award].map(ending)).toEqual(["paid 1 to 1", "collected", "wins"]);
  expect(net(paid)).toBe(10_000);
  expect(netOf([paid, lost, line({})])).toBe(9500);
});

test("why is a sentence, with its clauses beside it", () => {
  const paid = line({
    odds_clause: "MTHB9 4.1.1",
    why: "Flop 80.00 is paid 80.00 at 1 to 1: you won with One pair (MTHB9 3.10.2, 4.1.1)",
  });
  expect(sentence(paid)).toBe("Flop 80.00 is paid 80.00 at 1 to 1: you won with One pair.");
  expect(clauses(paid)).toEqual(["MTHB9 3.10.2", "MTHB9 4.1.1"]);
  expect(handWords("royal-flush")).toBe("Royal flush");
});

test("cards move in the order they were dealt, and turn in the order they were turned", () => {
  const told = (kind: string, ...cards: [string, number, number | null, string | null][]): EventView => ({
    stream: "table/1",
    version: 1,
    at: 0,
    kind,
    sentence: "",
    data: { cards: cards.map(([hand, at, position, card]) => ({ hand, at, position, card })) },
  });
  const { dealt, turned } = movement([
    told("card_dealt", ["community", 0, null, null]),
    told("card_dealt", ["player", 0, 2, null]),
    told("card_dealt", ["dealer", 0, null, null]),
    told("hand_viewed", ["player", 0, 2, "As"]),
    told("wager_placed"),
  ]);
  expect([...dealt]).toEqual([
    ["community 0", 0],
    ["player 2 0", 1],
    ["dealer 0", 2],
  ]);
  expect([...turned]).toEqual([["player 2 0", 0]]);
});

test("a decision is two ways, the wager last and with its amount", () => {
  const choices: Schemas["Choice"][] = [
    { does: "view_hand", position: 2, next: false },
    { does: "decide", position: 2, area: "Flop", decision: "wager", amounts: { exactly: 5000 }, next: false },
    { does: "decide", position: 2, decision: "fold", next: false },
    { does: "decide", position: 4, decision: "fold", next: false },
  ];
  const found = inOrder(ways(choices, 2));
  expect(found.map((way) => [way.label, way.amount, way.key])).toEqual([
    ["Fold", undefined, "F"],
    ["Flop", "50.00", "Enter"],
  ]);
  expect(found[1]?.command).toEqual({ do: "decide", position: 2, decision: "wager" });
  const showing = ways([{ does: "show_hand", position: 1, next: false }], 1);
  expect(showing.map((way) => way.label)).toEqual(["Show"]);
});

const view = (over: Partial<TableView>): TableView =>
  ({
    open: true,
    last_round: false,
    seats: [],
    rulings: [],
    limits: { ante_least: 1000, ante_most: 50_000, bonus_least: 500, bonus_most: 10_000 },
    ...over,
  }) as unknown as TableView;

test("what is out of the ordinary is said, most urgent first, with its clause", () => {
  expect(matters(view({}))).toEqual([]);
  const seats = [{ position: 3, yours: true, out: "MTHB9 5.11", restricted: true, warned: false }] as SeatView[];
  const found = matters(
    view({
      seats,
      last_round: true,
      power: { clause: "MTHB9 5.16.1", sentence: "The power failed.", may_withdraw: [] },
      rulings: [{ words: "So it is ruled.", effects: 0 }],
    }),
  );
  expect(found.map((matter) => matter.kind)).toEqual(["power", "out", "last", "restricted", "ruling"]);
  expect(found[0]?.clause).toBe("MTHB9 5.16.1");
});

test("limits are read at a glance", () => {
  expect(limitsWords(view({}))).toBe("Ante 10 – 500 · Bonus 5 – 100");
  expect(limitsWords(view({ limits: { ante_least: 2550, ante_most: 100_000 } }))).toBe("Ante 25.50 – 1,000");
});

test("a timer says what it ends, where that concerns a Player", () => {
  const at = (name: string, more: object = {}) =>
    ({ stage: { name, positions: [2] }, seats: [{ position: 2, yours: true }], ...more }) as unknown as TableView;
  expect(timerWords(at("bets_open"), 7)).toBe("Bets close in 7 s");
  expect(timerWords(at("deciding_flop"), 20)).toBe("20 s to decide");
  expect(timerWords(at("deciding_bet", { seats: [] }), 20)).toBe("20 s for decisions");
  expect(timerWords(at("deciding_flop"), 100)).toBe("2 min to decide");
  expect(timerWords(at("concluded"), 3)).toBe("Next round in 3 s");
  expect(timerWords(at("concluded", { last_round: true }), 3)).toBeUndefined();
  expect(timerWords(at("deciding_flop", { power: {} }), 9)).toBe("Play continues in 9 s");
  expect(timerWords(at("dealing"), 1)).toBeUndefined();
});
