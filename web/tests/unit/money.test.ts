import { describe, expect, it } from "vitest";
import { CHIPS, chipColour, chipFace, chips, money, parts } from "../../src/lib/money";

describe("money", () => {
  it.each([
    [0, "0.00"],
    [5, "0.05"],
    [100, "1.00"],
    [99_999, "999.99"],
    [100_000, "1,000.00"],
    [128_407_735, "1,284,077.35"],
    [-2_550, "−25.50"],
    [Number.MAX_SAFE_INTEGER, "90,071,992,547,409.91"],
  ])("writes %d cents as %s", (cents, text) => expect(money(cents)).toBe(text));

  it.each([0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])("refuses %d, which is no whole number of cents", (cents) =>
    expect(() => parts(cents)).toThrow("whole cents"),
  );
});

describe("chips", () => {
  it("make up every amount, the rest named", () => {
    for (let cents = 0; cents < 3_000_000; cents += 7_919) {
      const { chips: found, rest } = chips(cents);
      expect(found.reduce((sum, { value, count }) => sum + value * count, rest)).toBe(cents);
      expect(rest).toBeLessThan(100);
    }
  });

  it("have a face and a colour of their own", () => {
    expect(CHIPS.map(chipFace)).toEqual(["10K", "5K", "1K", "500", "100", "25", "5", "1"]);
    expect(new Set(CHIPS.map((value) => chipColour(value).field)).size).toBe(CHIPS.length);
  });
});
