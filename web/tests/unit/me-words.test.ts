import { expect, test } from "vitest";
import { compared, limitsInWords, raises, used } from "../../src/pages/me/words";

test("a limit that is higher, or gone, is a raise", () => {
  expect(raises({ loss: 100 }, { loss: 50 })).toBe(false);
  expect(raises({ loss: 100 }, { loss: 101 })).toBe(true);
  expect(raises({ loss: 100, minutes: 60 }, { loss: 50 })).toBe(true);
  expect(raises({}, { loss: 50, minutes: 10 })).toBe(false);
});

test("limits are said in a sentence", () => {
  expect(limitsInWords({ loss: 20_000, minutes: 90 })).toBe("at most $200.00 lost, at most 90 minutes played");
  expect(limitsInWords({})).toBe("no limit for losses, no limit for time");
});

test("how much of a limit is used stays between nothing and all of it", () => {
  expect(used(50, 200)).toBe(25);
  expect(used(-50, 200)).toBe(0);
  expect(used(500, 200)).toBe(100);
  expect(used(0, 0)).toBe(100);
  expect(used(10, null)).toBeUndefined();
});

test("a result is compared with the expectation by its range", () => {
  const all = {
    rounds: 9,
    staked: 0,
    returned: 0,
    expected: -100,
    deviation: 1000,
    decisions: 0,
    mistakes: 0,
    cost: 0,
    worst: [],
  };
  expect(compared({ ...all, played: 500 })).toContain("as expected");
  expect(compared({ ...all, played: 1500 })).toContain("better than expected");
  expect(compared({ ...all, played: -2500 })).toContain("one of twenty");
});
