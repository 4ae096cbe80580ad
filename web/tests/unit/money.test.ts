import { afterEach, describe, expect, it } from "vitest";
import { readSent } from "../../src/lib/api";
import { house } from "../../src/lib/house.svelte";
import {
  amountText,
  CHIPS,
  chipColour,
  chipFace,
  chips,
  exactMoney,
  money,
  paperMoney,
  parts,
  readAmount,
  shortMoney,
  withCurrency,
} from "../../src/lib/money";

afterEach(() => {
  house.money = undefined;
});

describe("money", () => {
  it.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [100, "$1.00"],
    [99_999, "$999.99"],
    [100_000, "$1,000.00"],
    [128_407_735, "$1,284,077.35"],
    [-2_550, "−$25.50"],
    [Number.MAX_SAFE_INTEGER, "$90,071,992,547,409.91"],
  ])("writes %d cents as %s", (cents, text) => expect(money(cents)).toBe(text));

  it.each([0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])("refuses %d, which is no whole number of cents", (cents) =>
    expect(() => parts(cents)).toThrow("whole cents"),
  );
});

describe("the currency", () => {
  it("is on every amount: dollars in a house of real money, P$ in a demonstration", () => {
    house.money = "real";
    expect([money(2_550), shortMoney(2_500), exactMoney({ cents: 1, fraction: 5 })]).toEqual([
      "$25.50",
      "$25",
      "$0.010005",
    ]);
    house.money = "play";
    expect([money(-2_550), shortMoney(2_500), exactMoney({ cents: 1, fraction: 5 })]).toEqual([
      "−P$25.50",
      "P$25",
      "P$0.010005",
    ]);
  });

  it("names the country on paper, and never for play money", () => {
    house.money = "real";
    expect(paperMoney(128_407_735)).toBe("S$1,284,077.35");
    house.money = "play";
    expect(paperMoney(128_407_735)).toBe("P$1,284,077.35");
  });

  it("stays out of fields, which take it all the same", () => {
    expect(amountText(125_050)).toBe("1,250.50");
    expect(["$1,250.50", "S$1,250.50", "P$ 1250.5", "1,250.50"].map(readAmount)).toEqual([
      125_050, 125_050, 125_050, 125_050,
    ]);
    expect(["US$5", "$", "$$5"].map(readAmount)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["Flop 50.00", "Flop P$50.00"],
    ["Ante 1,050.00 stands off: the Ante pays from a Straight up (MTHB9 3.10)", undefined],
    ["Here it is 25.00. You win 1,075.00.", "Here it is P$25.00. You win P$1,075.00."],
    ["Nothing moves (MTHB9 3.10.2, 4.11)", "Nothing moves (MTHB9 3.10.2, 4.11)"],
    ["See MTHB9 5.12 and THB6 3.15.1", "See MTHB9 5.12 and THB6 3.15.1"],
    ["Fixed: $10,000.00", "Fixed: $10,000.00"],
    ["It returns 91.455% in 2026.", "It returns 91.455% in 2026."],
    ["contribution 25.00%", "contribution 25.00%"],
  ])("is before the amounts of a sentence, not before its clauses: %s", (sentence, shown) => {
    house.money = "play";
    expect(withCurrency(sentence)).toBe(
      shown ?? "Ante P$1,050.00 stands off: the Ante pays from a Straight up (MTHB9 3.10)",
    );
  });

  it("is in the sentences that the server sends, and not in the commands that go back to it", () => {
    house.money = "real";
    const sent = { label: "Flop 50.00", command: { do: "note", why: "paid 50.00", amount: 5_000 } };
    expect(readSent(JSON.stringify(sent))).toEqual({ ...sent, label: "Flop $50.00" });
  });
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
