import { describe, expect, it } from "vitest";
import {
  drift,
  places,
  rollTo,
  ROLL_MILLISECONDS,
  signState,
  shownAt,
  wheel,
  widthInEm,
} from "../../src/pages/sign/odometer";
import { newAwards } from "../../src/pages/sign/moment";

const text = (cents: number) =>
  places(cents)
    .map((place) => place.mark ?? Math.floor(wheel(cents, place.at)))
    .join("");

describe("the places of the odometer", () => {
  it.each([
    [0, "0.00"],
    [7, "0.07"],
    [12_345, "123.45"],
    [26_842_300, "268,423.00"],
    [128_407_735, "1,284,077.35"],
    [99_999_999_999, "999,999,999.99"],
  ])("write %i as %s", (cents, written) => {
    expect(text(cents)).toBe(written);
  });

  it("are wider with more digits, and the cents are half as wide", () => {
    expect(widthInEm(places(99_999), 0.6)).toBeCloseTo(3 * 0.6 + 0.28 / 2 + 2 * 0.3);
    expect(widthInEm(places(100_000), 0.6)).toBeCloseTo(4 * 0.6 + 0.28 + 0.28 / 2 + 2 * 0.3);
  });
});

describe("a wheel", () => {
  it("stands exactly on its digit when the amount is whole", () => {
    for (const at of [0, 1, 2, 3, 4]) expect(wheel(90_909, at)).toBe(Number("90909".at(-1 - at)));
  });
  it("turns only with the last step of those at its right", () => {
    expect(wheel(198.5, 2)).toBe(1);
    expect(wheel(199.5, 2)).toBe(1.5);
    expect(wheel(199.5, 1)).toBe(9.5);
    expect(wheel(199.5, 0)).toBe(9.5);
  });
});

describe("a roll", () => {
  const roll = { from: 1_000, to: 1_125, began: 50 };

  it("never shows more than the meter and never goes down", () => {
    let before = roll.from;
    for (let at = 0; at <= ROLL_MILLISECONDS + 200; at += 10) {
      const shown = shownAt(roll, roll.began + at);
      expect(shown).toBeGreaterThanOrEqual(before);
      expect(shown).toBeLessThanOrEqual(roll.to);
      before = shown;
    }
  });
  it("stands at the meter when it is over, before two seconds have passed", () => {
    expect(shownAt(roll, roll.began + ROLL_MILLISECONDS)).toBe(1_125);
    expect(ROLL_MILLISECONDS).toBeLessThan(2000);
  });
  it("starts again from what is shown when the meter grows meanwhile", () => {
    const next = rollTo(roll, 1_300, roll.began + 100, false);
    expect(next.from).toBe(shownAt(roll, roll.began + 100));
    expect(next.to).toBe(1_300);
  });
  it("continues when the same value arrives again", () => {
    expect(rollTo(roll, 1_125, 99, false)).toBe(roll);
  });
  it("falls at once when the meter falls", () => {
    const fallen = rollTo(roll, 900, 99, false);
    expect(shownAt(fallen, 99)).toBe(900);
  });
  it("does not roll at first, or with reduced motion", () => {
    expect(shownAt(rollTo(undefined, 500, 0, false), 0)).toBe(500);
    expect(shownAt(rollTo(roll, 1_300, 60, true), 60)).toBe(1_300);
  });
});

describe("what the sign says", () => {
  it("is what the link says while that is fresh", () => {
    expect(signState("open", 1000, 3000)).toBe("open");
    expect(signState("pending", 1000, 1500)).toBe("pending");
    expect(signState("fault", 1000, 1500)).toBe("fault");
  });
  it("is unavailable when nothing has arrived for two seconds, or ever", () => {
    expect(signState("open", 1000, 3001)).toBe("unavailable");
    expect(signState(undefined, Number.NEGATIVE_INFINITY, 0)).toBe("unavailable");
  });
});

describe("the drift", () => {
  it("moves a few pixels a minute and stays near", () => {
    const seen = new Set<string>();
    for (let minute = 0; minute < 120; minute += 1) {
      const { x, y } = drift(minute);
      expect(Math.abs(x)).toBeLessThanOrEqual(12);
      expect(Math.abs(y)).toBeLessThanOrEqual(8);
      const next = drift(minute + 1);
      expect(Math.hypot(next.x - x, next.y - y)).toBeLessThan(10);
      seen.add(`${x} ${y}`);
    }
    expect(seen.size).toBeGreaterThan(40);
  });
});

it("an award is celebrated once, and not by a sign that has just been switched on", () => {
  const award = (number: number) => ({ number }) as never;
  expect(newAwards(undefined, [award(1)])).toEqual([]);
  expect(newAwards(new Set([1]), [award(1), award(2)])).toEqual([award(2)]);
  expect(newAwards(new Set([1, 2]), [award(2)])).toEqual([]);
});
