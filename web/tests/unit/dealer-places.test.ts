import { expect, test } from "vitest";
import {
  dealingOrder,
  openCards,
  placeName,
  placeShort,
  placesToDeal,
  placesToRead,
} from "../../src/pages/dealer/places";
import { seat, table } from "./dealer-view";

const names = (view: ReturnType<typeof table>): string => dealingOrder(view).map(placeShort).join(" | ");

test("method A deals board, Players, Dealer", () => {
  expect(names(table())).toBe(
    "Flop · 1 | Flop · 2 | Flop · 3 | Turn | River | P1 · 1 | P1 · 2 | P3 · 1 | P3 · 2 | Dealer · 1 | Dealer · 2",
  );
});

test("by hand, Players get one card at a time", () => {
  const order = dealingOrder(table({ method: "manual" }));
  expect(order.slice(0, 4).map(placeShort)).toEqual(["P1 · 1", "P3 · 1", "P1 · 2", "P3 · 2"]);
});

test("stud by hand goes round with the Dealer last", () => {
  const view = table({ method: "manual", areas: ["Ante", "Bet", "Jackpot"] });
  const order = dealingOrder(view);
  expect(order).toHaveLength(15);
  expect(order.slice(2, 4).map(placeShort)).toEqual(["Dealer · 1", "P1 · 2"]);
});

test("an unknown method promises nothing", () => {
  expect(dealingOrder(table({ method: "by-moonlight" }))).toEqual([]);
});

test("what lies on the table is no longer to be dealt", () => {
  const seats = [seat(1, { state: "in", cards: [null] }), seat(3, { state: "in" })];
  const view = table({ seats, dealer: [] });
  expect(placesToDeal(view).map(placeName)[0]).toBe("Position 1, second card");
});

test("the flop is read before it is turned, unless it can be turned already", () => {
  expect(placesToRead(table()).map(placeShort)).toEqual(["Flop · 1", "Flop · 2", "Flop · 3"]);
  expect(placesToRead(table({ choices: [{ does: "expose", next: true }] }))).toEqual([]);
  expect(placesToRead(table({ dealing: "software" }))).toEqual([]);
});

test("an open misdeal comes before reading", () => {
  expect(placesToRead(table({ misdeal: { clause: "MTHB9 5.2", moves: [] } }))).toEqual([]);
});

test("a hand to show is read first, the first awaited alone", () => {
  const stage = { name: "showing", awaited: "", positions: [3, 1], call: "" } as const;
  expect(placesToRead(table({ stage: { ...stage, positions: [3, 1] } })).map(placeShort)).toEqual(["P3 · 1", "P3 · 2"]);
  const choices = [{ does: "show_hand", position: 3, next: true }];
  expect(placesToRead(table({ stage: { ...stage, positions: [3, 1] }, choices }))).toEqual([]);
});

test("a folded hand is read for its Jackpot wager while that stands", () => {
  const wager = { owner: "Ann", amount: 500, means: "credits", out: null };
  const areas = [{ area: "Jackpot", total: 500, wagers: [wager] }];
  const stage = { name: "settling" as const, awaited: "", positions: [], call: "" };
  const folded = seat(1, { state: "folded", areas });
  expect(placesToRead(table({ stage, seats: [folded, seat(3, { state: "folded" })] })).map(placeShort)).toEqual([
    "P1 · 1",
    "P1 · 2",
  ]);
  const back = seat(1, {
    state: "folded",
    areas: [{ area: "Jackpot", total: 500, wagers: [{ ...wager, out: "MTHB9 5.12.2" }] }],
  });
  expect(placesToRead(table({ stage, seats: [back] }))).toEqual([]);
});

test("only what lies open is known to be used", () => {
  expect(openCards(table({ community: ["As", null], dealer: [null, "Kd"] }))).toEqual(["As", "Kd"]);
});
