import { expect, test } from "vitest";
import { rangeOf } from "../../src/lib/limits";
import { outside, readAmount, typeAmount, typedAmount } from "../../src/pages/dealer/amounts";
import { readCards, typeKey, whyNot } from "../../src/pages/dealer/entry";
import { table } from "./dealer-view";

test("cards are read in any case, spaced or not", () => {
  const cards = ["As", "Kd", "Th"];
  for (const text of ["As Kd Th", "askd10h", "AS,KD;TH", " a s\tk d 1 0 h".replace("1 0", "10")]) {
    expect(readCards(text), text).toEqual({ cards, rest: "", wrong: "" });
  }
});

test("what is no card is said", () => {
  expect(readCards("As Xd")).toMatchObject({ cards: ["As"], wrong: "Xd" });
  expect(readCards("As K")).toMatchObject({ cards: ["As"], rest: "K" });
});

const typed = (keys: string): { cards: string[]; rest: string } => {
  const cards: string[] = [];
  let rest = "";
  for (const key of keys) {
    const taken = typeKey(rest, key);
    rest = taken.rest;
    if (taken.card !== undefined) cards.push(taken.card);
  }
  return { cards, rest };
};

test("keys make cards: rank, then suit", () => {
  expect(typed("askd10htc")).toEqual({ cards: ["As", "Kd", "Th", "Tc"], rest: "" });
});

test("another rank takes the place of one mistyped; a suit alone is nothing", () => {
  expect(typed("kqs")).toEqual({ cards: ["Qs"], rest: "" });
  expect(typeKey("", "s")).toEqual({ rest: "", taken: false });
  expect(typeKey("K", "Enter")).toEqual({ rest: "K", taken: false });
  expect(typed("1s")).toEqual({ cards: [], rest: "1" });
});

test("a card is taken once, and only while one is due", () => {
  expect(whyNot("As", new Set(["As"]), [], 3)).toMatch("is on the table");
  expect(whyNot("As", new Set(), ["As"], 3)).toMatch("in the row");
  expect(whyNot("As", new Set(), ["Kd"], 1)).toMatch("No more cards");
  expect(whyNot("As", new Set(), ["Kd"], 2)).toBeUndefined();
});

test("amounts are whole cents", () => {
  expect(readAmount("50")).toBe(5000);
  expect(readAmount("12.5")).toBe(1250);
  expect(readAmount("1,000.25")).toBe(100_025);
  expect(readAmount("0.07")).toBe(7);
  for (const text of ["", ".", "1.234", "1e3", "-5", "12345678901"]) expect(readAmount(text), text).toBeUndefined();
});

test("an amount is typed sign by sign", () => {
  const type = (keys: string): string => [...keys].reduce(typeAmount, "");
  expect(type("050")).toBe("50");
  expect(type("12.345")).toBe("12.34");
  expect(typeAmount("12", "Backspace")).toBe("1");
  expect(typeAmount("12", "x")).toBe("12");
  expect(typedAmount(100_050)).toBe("1000.50");
  expect(typedAmount(5000)).toBe("50");
});

test("each area has its limits", () => {
  expect(rangeOf(table(), "ante")).toEqual({ least: 1000, most: 50_000 });
  expect(rangeOf(table(), "jackpot")?.only).toEqual([500, 1000, 1500, 2000, 2500]);
  expect(rangeOf(table({ jackpot: null }), "jackpot")).toBeUndefined();
  const jackpot = table().jackpot;
  if (jackpot == null) throw new Error("the table plays for a jackpot");
  expect(rangeOf(table({ jackpot: { ...jackpot, reachable: false } }), "jackpot")).toBeUndefined();
  const limits = { ante: [1000, 50_000] };
  expect(rangeOf(table({ limits }), "bonus")).toBeUndefined();
});

test("an amount out of the limits is warned of", () => {
  const range = { least: 1000, most: 50_000 };
  expect(outside(999, range)).toBe("Under the minimum of $10.00.");
  expect(outside(50_001, range)).toBe("Over the maximum of $500.00.");
  expect(outside(1000, range)).toBeUndefined();
  expect(outside(700, { least: 500, most: 1000, only: [500, 1000] })).toMatch("amounts above");
});
