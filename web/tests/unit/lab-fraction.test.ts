import { describe, expect, it } from "vitest";
import { Fraction, grouped, oneIn } from "../../src/lib/fraction";

describe("a fraction", () => {
  it("is kept in lowest terms, its sign above the line", () => {
    const half = new Fraction(-2n, -4n);
    expect([half.above, half.below]).toEqual([1n, 2n]);
    expect(new Fraction(3n, -6n).toString()).toBe("−1 / 2");
  });

  it("is added, taken off, multiplied and divided exactly", () => {
    const third = new Fraction(1n, 3n);
    const sixth = new Fraction(1n, 6n);
    expect(third.plus(sixth).toString()).toBe("1 / 2");
    expect(third.minus(sixth).compare(sixth)).toBe(0);
    expect(third.times(sixth).toString()).toBe("1 / 18");
    expect(sixth.over(third.negated()).toString()).toBe("−1 / 2");
  });

  it("is written in decimals, halves away from zero, and has no sign where it rounds to zero", () => {
    expect(new Fraction(1_284_077_355n, 1000n).decimal(2)).toBe("1,284,077.36");
    expect(new Fraction(-5n, 1000n).decimal(2)).toBe("−0.01");
    expect(new Fraction(-4n, 1000n).decimal(2)).toBe("0.00");
    expect(new Fraction(1n, 8n).decimal(2, true)).toBe("+0.13");
    expect(new Fraction(7n).decimal(0)).toBe("7");
    expect(new Fraction(9139n, 10_000n).percent(1)).toBe("91.4%");
    expect(new Fraction(12_345n).cents()).toBe("$123.45");
  });

  it("is nearly the same as a binary fraction, however large its parts", () => {
    const net = Fraction.of({ numerator: "-1133091156680", denominator: "55627620048000" });
    expect(net.value()).toBeCloseTo(-0.02036921866695497, 14);
  });

  it("is shown as a chance", () => {
    expect(oneIn(new Fraction(85_615_200n, 55_627_620_048_000n))).toBe("1 in 649,740");
    expect(oneIn(new Fraction(2n, 5n))).toBe("1 in 2.5");
    expect(oneIn(new Fraction(0n))).toBe("never");
  });

  it("cannot have the denominator zero", () => {
    expect(() => new Fraction(1n, 0n)).toThrow();
  });
});

it("puts commas at the thousands of whole numbers", () => {
  expect(grouped("55627620048000")).toBe("55,627,620,048,000");
  expect(grouped(-1200)).toBe("−1,200");
});
