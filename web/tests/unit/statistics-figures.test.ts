// The statistics in words, and the course of X as a picture.
import { expect, it } from "vitest";
import { chance, oneIn, picture, signed, standingOut, type Statistics } from "../../src/pages/statistics/figures";

it("says evidence as a chance", () => {
  expect([-3, 0, 0.5, 2, 5.3, 9.7].map(oneIn)).toEqual([
    "none",
    "none",
    "1 in 3.2",
    "1 in 100",
    "1 in 200,000",
    "1 in 10^9",
  ]);
  expect([chance(0.25), chance(0.00001234)]).toEqual(["0.2500", "1.2 · 10^−5"]);
  expect([signed(1.005), signed(-2)]).toEqual(["+1.00", "−2.00"]);
});

it("draws the course in its box, with zero in the middle", () => {
  const course = [
    { rounds: 50, x: 2, deviation: 1 },
    { rounds: 100, x: 6, deviation: 2 },
  ];
  const drawn = picture(course, 200, 100);
  expect(drawn.most).toBe(6);
  expect(drawn.line).toBe("M0.0,50.0L100.0,33.3L200.0,0.0");
  expect(drawn.band).toBe("M0.0,50.0L100.0,25.0L200.0,0.0L200.0,100.0L100.0,75.0Z");
  expect(picture([], 200, 100).line).toBe("M0.0,50.0");
});

it("counts who stands out", () => {
  const is = { stands_out: true };
  const not = { stands_out: false };
  const found = { players: [is, not], pairs: [is], dealers: [not], tables: [is], cards: [not] };
  const shuffles = [{ passes: false }, { passes: true }];
  expect(standingOut({ ...found, shuffles } as unknown as Statistics)).toEqual({ people: 2, places: 1, cards: 1 });
});
