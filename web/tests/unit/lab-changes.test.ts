import { expect, test } from "vitest";
import { wrongChange } from "../../src/pages/lab/changes";

test("a figure that cannot be paid is named beside its field, without its place in the book's file", () => {
  const keys = ["holdem.bonus.pair", "holdem.bonus.pair-of-aces"];
  const wrong = wrongChange('This cannot be asked: holdem.bonus.pair-of-aces = "x": expected odds.', keys);
  expect(wrong?.key).toBe("holdem.bonus.pair-of-aces");
  expect(wrong?.words).not.toContain("holdem.");
  expect(wrongChange("The lab is busy.", keys)).toBeUndefined();
});
