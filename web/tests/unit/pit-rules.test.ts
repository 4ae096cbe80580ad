import { expect, it } from "vitest";
import { edge } from "../../src/pages/pit/rules";

it("shows edges as percentages, and says what is not counted", () => {
  expect(edge(20_400_000)).toBe("2.0400%");
  expect(edge(-5_000_000)).toBe("-0.5000%");
  expect(edge(undefined)).toBe("not counted");
});
