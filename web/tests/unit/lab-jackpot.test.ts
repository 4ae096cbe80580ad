import { describe, expect, it } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { Fraction } from "../../src/lib/fraction";
import { inWords } from "../../src/lib/words";
import { edge, lines, paysCents, returned, togetherCents } from "../../src/pages/lab/jackpot";
import { scaleEnd } from "../../src/pages/lab/scale";

// The jackpot of MTHB9 as the lab answers it, for a wager of 5.00.
const line = (hand: string, pays: string, deals: string) => ({ hand, cards: "hole-and-flop", pays, deals });
const answer = {
  ante_cents: 2500,
  deals: "55627620048000",
  base: { net: { numerator: "-1133091156680", denominator: "55627620048000" } },
  jackpot: {
    wager_cents: 500,
    lines: [
      line("royal-flush", "100%", "85615200"),
      line("straight-flush", "10%", "770536800"),
      line("four-of-a-kind", "400 for 1", "13355971200"),
      line("full-house", "80 for 1", "80135827200"),
      line("flush", "40 for 1", "109330610400"),
      line("straight", "20 for 1", "218318760000"),
    ],
    fixed_return_cents: { numerator: "352000", denominator: "1911" },
    meter_weight: { numerator: "19", denominator: "6497400" },
    break_even_meter: 107_994_737,
  },
} as unknown as Schemas["ExactAnswer"];

describe("the Jackpot wager", () => {
  it("loses nothing at the break-even meter, and something a cent below it", () => {
    expect(edge(answer.jackpot, 107_994_737).sign()).not.toBe(1);
    expect(edge(answer.jackpot, 107_994_736).sign()).toBe(1);
  });

  it("returns what its lines return together, at any meter", () => {
    for (const meter of [0, 26_841_300, 128_407_735]) {
      const sum = lines(answer, meter).reduce((all, { adds }) => all.plus(adds), Fraction.whole(0));
      expect(sum.compare(returned(answer.jackpot, meter))).toBe(0);
    }
  });

  it("is added to the Ante as the lab adds it", () => {
    expect(togetherCents(answer, 26_841_300).compare(new Fraction(-308_343_587_903n, 1_069_761_924n))).toBe(0);
  });

  it("knows shares, odds and fixed amounts", () => {
    expect(paysCents("25%", 500, 4000)?.toString()).toBe("1,000");
    expect(paysCents("2.5%", 500, 4000)?.toString()).toBe("100");
    expect(paysCents("1,000 for 1", 500, 0)?.toString()).toBe("500,000");
    expect(paysCents("$10,000.00", 500, 0)?.toString()).toBe("1,000,000");
    expect(paysCents("a drink", 500, 0)).toBeUndefined();
  });
});

it("draws amounts on a scale that ends round", () => {
  expect(scaleEnd(0)).toBe(100_000);
  expect(scaleEnd(100_001)).toBe(200_000);
  expect(scaleEnd(161_992_105)).toBe(200_000_000);
  expect(scaleEnd(500_000_001)).toBe(1_000_000_000);
});

it("puts names into words", () => {
  expect(inWords("royal-flush")).toBe("Royal flush");
  expect(inWords("stand_off")).toBe("Stand off");
});
