import { describe, expect, it } from "vitest";
import { changed } from "../../src/pages/pit/limits";

const LIMITS = {
  cash: 1_000_000,
  cash_per_day: 5_000_000,
  cash_max: 100_000_000,
  ruling: 100_000,
  wager: 1_000_000,
  independence_days: 30,
  waiting_hours: 24,
  proposal_days: 7,
  fixed_prize: 1_000_000,
};

describe("the limits of the house", () => {
  it("show old and new values of what changes, and nothing else", () => {
    expect(changed(LIMITS, LIMITS)).toEqual([]);
    expect(changed(LIMITS, { ...LIMITS, ruling: 50_000, independence_days: 60 })).toEqual([
      { key: "ruling", before: "$1,000.00", after: "$500.00" },
      { key: "independence_days", before: "30", after: "60" },
    ]);
  });
});
