import { describe, expect, it } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { GAMES } from "../../src/lib/game";
import { advantage, cellWords, heat, moved } from "../../src/pages/lab/chart";
import { situation, slots, typedCards } from "../../src/pages/lab/situation";

describe("the cards clicked", () => {
  it("can be advised on after hole cards, Flop and Turn, and nowhere between", () => {
    const cards = ["As", "Kd", "2c", "3c", "4c", "5c"];
    const asked = (count: number) => situation(GAMES.holdem, cards.slice(0, count));
    expect(asked(0)).toEqual({ needs: slots(GAMES.holdem)[0], more: 2 });
    expect(asked(1)).toEqual({ needs: slots(GAMES.holdem)[0], more: 1 });
    expect(asked(2)).toEqual({ form: { cards: "As Kd" } });
    expect(asked(3)).toEqual({ needs: slots(GAMES.holdem)[1], more: 2 });
    expect(asked(5)).toEqual({ form: { cards: "As Kd", flop: "2c 3c 4c" } });
    expect(asked(6)).toEqual({ form: { cards: "As Kd", flop: "2c 3c 4c", turn: "5c" } });
  });

  it("need five cards and the up card in stud", () => {
    const cards = ["As", "Kd", "2c", "3c", "4c", "5c"];
    expect(situation(GAMES.stud, cards.slice(0, 5))).toEqual({ needs: slots(GAMES.stud)[1], more: 1 });
    expect(situation(GAMES.stud, cards)).toEqual({ form: { cards: "As Kd 2c 3c 4c", up: "5c" } });
  });

  it("may be typed", () => {
    expect(typedCards("as KD, 10h")).toEqual(["As", "Kd", "Th"]);
    expect(typedCards("As As")).toBeUndefined();
    expect(typedCards("As 1x")).toBeUndefined();
    expect(typedCards("")).toEqual([]);
  });
});

describe("a cell of the chart", () => {
  const ratio = (numerator: string, denominator: string) => ({ numerator, denominator, value: 0 });
  const cell: Schemas["ChartCell"] = {
    class: "72o",
    combinations: 12,
    best: "fold",
    bet: ratio("-11", "10"),
    fold: ratio("-1", "1"),
    bet_cents: null,
    fold_cents: null,
    mistake: ratio("1", "10"),
    wins: 0.25,
    stands_off: 0.05,
  };

  it("says what the wrong choice costs", () => {
    expect(advantage(cell, 2500).toString()).toBe("−1 / 10");
    const words = cellWords(cell, 2500);
    expect(words.mistake).toBe("The Flop wager costs 0.1000 Antes, $2.50 at this Ante.");
    expect(words.often).toBe("12 of 1,326 hands; wins 25.0%, stands off 5.0%.");
  });

  it("looks at Ante and jackpot together where the jackpot is part of the choice", () => {
    const both = { ...cell, bet_cents: ratio("-2000", "1"), fold_cents: ratio("-2500", "1") };
    expect(advantage(both, 2500).toString()).toBe("1 / 5");
  });

  it("is coloured the deeper the more it matters", () => {
    expect(heat(0, 2)).toEqual({ depth: 0, over: 0 });
    expect(heat(-0.18, 2)).toEqual({ depth: 50, over: 0 });
    expect(heat(1.28, 2)).toEqual({ depth: 100, over: 50 });
    expect(heat(2, 2)).toEqual({ depth: 100, over: 100 });
    expect(heat(1, 0)).toEqual({ depth: 0, over: 0 });
  });
});

it("moves by arrow keys within a grid and not out of it", () => {
  expect(moved(0, "ArrowLeft", 13, 169)).toBe(0);
  expect(moved(0, "ArrowDown", 13, 169)).toBe(13);
  expect(moved(12, "ArrowRight", 13, 169)).toBe(12);
  expect(moved(160, "ArrowDown", 13, 169)).toBe(160);
  expect(moved(20, "Home", 13, 169)).toBe(13);
  expect(moved(20, "End", 13, 169)).toBe(25);
  expect(moved(20, "a", 13, 169)).toBe(20);
});
