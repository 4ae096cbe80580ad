import { expect, test } from "vitest";
import type { EventView, Schemas, SeatView, TableCommand, TableView } from "../../src/lib/api";
import type { Choice } from "../../src/lib/choices";
import { movement } from "../../src/pages/table/deal";
import { buttons } from "../../src/pages/table/decisions";
import { handWords } from "../../src/lib/words";
import { lineText } from "../../src/lib/spoken";
import { clauses, ending, type Line, net, netOf, tag } from "../../src/pages/table/results";
import { limitsWords, matters, timerWords } from "../../src/pages/table/words";

/** A choice of the server. */
const choice = (command: TableCommand, over: Partial<Choice> = {}): Choice => ({
  command,
  label: command.do,
  effect: "",
  office: null,
  you_may: true,
  clause: null,
  ...over,
});

const line = (over: Partial<Line>): Line => ({
  position: 3,
  area: "ante",
  owner: "Ann",
  staked: 5000,
  paid: 0,
  returned: 5000,
  collected: 0,
  outcome: "stand-off",
  clause: "MTHB9 3.10.2",
  odds_clause: null,
  limit_clause: null,
  because: { reason: "higher", ante_pays_from: "straight" },
  why: "Ante 50.00 stands off: you won with Two pairs; the Ante pays from a Straight up (MTHB9 3.10.2)",
  ...over,
});

test("the outcome of a wager shows what it won or lost", () => {
  const paid = line({ area: "flop", staked: 10_000, paid: 10_000, returned: 10_000, outcome: { paid: "1 to 1" } });
  const lost = line({ area: "bonus", staked: 500, returned: 0, collected: 500, outcome: "collected" });
  const award = line({ area: "jackpot", staked: 500, returned: 0, collected: 500, outcome: "won" });
  expect([paid, lost, award, line({})].map((each) => tag(each))).toEqual(["+$100.00", "−$5.00", "award", "stand-off"]);
  expect([paid, lost, award].map(ending)).toEqual(["paid 1 to 1", "collected", "wins"]);
  expect(net(paid)).toBe(10_000);
  expect(netOf([paid, lost, line({})])).toBe(9500);
});

test("why is a sentence, with its clauses beside it", () => {
  const paid = line({
    odds_clause: "MTHB9 4.1.1",
    why: "Flop 80.00 is paid 80.00 at 1 to 1: you won with One pair (MTHB9 3.10.2, 4.1.1)",
  });
  expect(lineText(paid, [])).toBe("Flop $80.00 is paid $80.00 at 1 to 1: you won with One pair.");
  expect(clauses(paid)).toEqual(["MTHB9 3.10.2", "MTHB9 4.1.1"]);
  expect(handWords("royal-flush")).toBe("Royal flush");
});

test("cards move in the order they were dealt, and turn in the order they were turned", () => {
  const event = (kind: EventView["kind"], ...cards: Schemas["LaidCard"][]): EventView => ({
    stream: "table/1",
    version: 1,
    at: 0,
    kind,
    sentence: "",
    data: { cards },
  });
  const { dealt, turned } = movement([
    event("card-dealt", { place: { community: 0 }, card: null }),
    event("card-dealt", { place: { player: [2, 0] }, card: null }),
    event("card-dealt", { place: { dealer: 0 }, card: null }),
    event("hand-viewed", { place: { player: [2, 0] }, card: "As" }),
    event("wager-placed"),
  ]);
  expect([...dealt]).toEqual([
    ["community 0", 0],
    ["player 2 0", 1],
    ["dealer 0", 2],
  ]);
  expect([...turned]).toEqual([["player 2 0", 0]]);
});

test("a decision is two buttons, the wager last", () => {
  const choices = [
    choice({ do: "view-hand", position: 2 }),
    choice({ do: "decide", position: 2, decision: "wager" }, { label: "Flop 50.00", amounts: { exactly: 5000 } }),
    choice({ do: "decide", position: 2, decision: "fold" }, { label: "Fold" }),
    choice({ do: "decide", position: 4, decision: "fold" }),
  ];
  const found = buttons(choices, 2);
  expect(found.map(({ choice: one, key }) => [one.label, key])).toEqual([
    ["Fold", "F"],
    ["Flop 50.00", "Enter"],
  ]);
  expect(found[1]?.choice.command).toEqual({ do: "decide", position: 2, decision: "wager" });
  const showing = buttons([choice({ do: "show-hand", position: 1 })], 1);
  expect(showing.map(({ primary }) => primary)).toEqual([true]);
});

const view = (over: Partial<TableView>): TableView =>
  ({
    open: true,
    last_round: false,
    seats: [],
    rulings: [],
    choices: [],
    stage: { at: "concluded", positions: [] },
    limits: { ante: [1000, 50_000], bonus: [500, 10_000] },
    ...over,
  }) as unknown as TableView;

test("what is out of the ordinary is said, most urgent first, with its clause", () => {
  expect(matters(view({}))).toEqual([]);
  const seats = [{ position: 3, yours: true, out: "MTHB9 5.11", restricted: true, warned: false }] as SeatView[];
  const found = matters(
    view({
      seats,
      last_round: true,
      power: { clause: "MTHB9 5.16.1", sentence: "The power failed.", may_withdraw: [], unanswered: [] },
      rulings: [{ words: "So it is ruled.", effects: 0 }],
    }),
  );
  expect(found.map((matter) => matter.kind)).toEqual(["power", "out", "last", "restricted", "ruling"]);
  expect(found[0]?.clause).toBe("MTHB9 5.16.1");
});

test("which round is the last is said before its wagers", () => {
  const said = (round: number) =>
    matters(view({ last_round: true, last_round_number: 8, round } as Partial<TableView>)).map(({ words }) => words);
  expect(said(7)).toEqual(["The next round is the last at this table."]);
  expect(said(8)).toEqual(["This is the last round at this table."]);
});

test("what silence means is said to whoever may sit down, and before the first wager", () => {
  const silence = {
    value: "fold",
    decide_ms: 25_000,
    sentence: "You have 25 seconds for each decision.",
    clause: "MTHB9 3.9.1",
    reason: "Only a person can see that a Player is not present.",
  } as const;
  const said = (over: object) => matters(view({ silence, ...over } as Partial<TableView>)).map(({ words }) => words);
  const free = [choice({ do: "take-position", position: 1, player: "Ann" })];
  expect(said({ choices: free })).toEqual([silence.sentence]);
  expect(said({ choices: free, silence: null })).toEqual([]);
  const seat = (wagers: object[]) => [{ position: 1, yours: true, areas: [{ area: "ante", wagers }] }];
  const open = { stage: { at: "bets-open", positions: [] } };
  expect(said({ ...open, seats: seat([]) })).toEqual([silence.sentence]);
  expect(said({ ...open, seats: seat([{ owner: "Ann", amount: 2500 }]) })).toEqual([]);
  expect(said({ seats: seat([]) })).toEqual([]);
});

test("limits are read at a glance", () => {
  expect(limitsWords(view({}))).toEqual(["Ante $10 – 500", "Bonus $5 – 100"]);
  expect(limitsWords(view({ limits: { ante: [2550, 100_000] } }))).toEqual(["Ante $25.50 – 1,000"]);
});

test("a timer says what it ends, where that concerns a Player", () => {
  const at = (name: string, more: object = {}) =>
    ({ stage: { at: name, positions: [2] }, seats: [{ position: 2, yours: true }], ...more }) as unknown as TableView;
  expect(timerWords(at("bets-open"), 7)).toBe("Bets close in 7 s");
  expect(timerWords(at("deciding"), 20)).toBe("20 s to decide");
  expect(timerWords(at("deciding", { seats: [] }), 20)).toBe("20 s for decisions");
  expect(timerWords(at("deciding"), 100)).toBe("2 min to decide");
  expect(timerWords(at("concluded"), 3)).toBe("Next round in 3 s");
  expect(timerWords(at("concluded", { last_round: true }), 3)).toBeUndefined();
  const next = { last_round: true, last_round_number: 8, round: 7 };
  expect(timerWords(at("concluded", next), 3)).toBe("Next round in 3 s");
  expect(timerWords(at("deciding", { power: {} }), 9)).toBe("Play continues in 9 s");
  expect(timerWords(at("dealing"), 1)).toBeUndefined();
});
