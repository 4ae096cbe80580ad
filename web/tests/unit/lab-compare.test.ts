import { expect, it } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { figures } from "../../src/pages/lab/compare";

function answer(fixed: string, bonus: boolean): Schemas["ExactAnswer"] {
  return {
    ante_cents: 2500,
    base: {
      net: { numerator: "-1", denominator: "50" },
      wagered: { numerator: "4", denominator: "1" },
      second_moment: { numerator: "12", denominator: "1" },
    },
    decisions: { fold: ["32o", "72o"] },
    bonus: bonus ? { net: { numerator: "-1", denominator: "10" } } : null,
    jackpot: {
      wager_cents: 500,
      fixed_return_cents: { numerator: fixed, denominator: "1" },
      meter_weight: { numerator: "1", denominator: "1000000" },
      break_even_meter: (500 - Number(fixed)) * 1_000_000,
    },
  } as unknown as Schemas["ExactAnswer"];
}

it("lays two games side by side and says where they differ", () => {
  const rows = new Map(figures(answer("100", true), answer("200", false), 10_000_000).map((row) => [row.name, row]));
  expect(rows.get("Ante: the house keeps")).toMatchObject({ left: "2.0000%", right: "2.0000%", difference: undefined });
  expect(rows.get("of all that is wagered")?.left).toBe("0.5000%");
  expect(rows.get("Variance of a round, in Antes squared")?.left).toBe("11.999600");
  expect(rows.get("Bonus: the house keeps")).toMatchObject({ right: "none", difference: "only in one" });
  expect(rows.get("Jackpot: odds and fixed amounts return")?.difference).toBe("+20.0000%");
  expect(rows.get("Jackpot: breaks even at")).toMatchObject({ left: "$4,000,000.00", difference: "−$1,000,000.00" });
  expect(rows.get("Jackpot: returns at this meter")).toMatchObject({ left: "22.0000%", right: "42.0000%" });
  // 50 cents lost on the Ante, 5.00 wagered, 2.00 and 0.10 of the meter back.
  expect(rows.get("Ante and jackpot together, a round")?.right).toBe("−$3.4000");
});
