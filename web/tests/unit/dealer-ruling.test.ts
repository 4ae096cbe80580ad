import { expect, test } from "vitest";
import type { Schemas } from "../../src/lib/api";
import type { Area } from "../../src/lib/game";
import { effects, swapped } from "../../src/pages/dealer/irregularity";
import { type Change, type Remedy, ruledWagers, rulingChoice, rulingWords } from "../../src/pages/dealer/ruling";
import { choice } from "./dealer-view";

const wager = (position: number, area: Area, owner: string): Change => ({
  position,
  area,
  owner,
  amount: 5000,
  becomes: "stays",
  clause: null,
});
const ruling = (found: Schemas["Effect"][]): Remedy => ({
  ...choice({ do: "make-ruling", ruling: { words: "A bird flew in.", effects: found } }),
  office: "gaming-shift-manager",
  you_may: false,
  clause: "MTHB9 6.1",
  wagers: [wager(1, "ante", "Ann"), wager(1, "ante", "Bo"), wager(1, "flop", "Ann"), wager(3, "ante", "Cy")],
});
const guided = [ruling([]), ruling(["void"])];

test("every wager can be ruled on once, however many share it", () => {
  expect(ruledWagers(guided).map(({ position, area }) => `${position} ${area}`)).toEqual([
    "1 ante",
    "1 flop",
    "3 ante",
  ]);
  expect(ruledWagers([ruling([])]), "before the deal there is nothing to rule on").toEqual([]);
});

test("a ruling on a wager keeps the words that were given", () => {
  const found = rulingChoice(guided, { wager: "1 ante", outcome: "paid-to", odds: 2 });
  expect(found?.command).toEqual({
    do: "make-ruling",
    ruling: {
      words: "A bird flew in.",
      effects: [{ wager: { position: 1, area: "ante", outcome: { paid: "2 to 1" } } }],
    },
  });
  expect(found?.wagers.map((one) => one.becomes)).toEqual(["paid", "paid", "stays", "stays"]);
  expect(effects(found?.wagers ?? [])).toBe("2 wagers are paid.");
  expect(found?.office).toBe("gaming-shift-manager");
});

test("a hand that is ruled out has all its wagers returned", () => {
  const found = rulingChoice(guided, { wager: "1 flop", outcome: "hand-out", odds: 1 });
  expect(found?.command).toMatchObject({ ruling: { effects: [{ "hand-out": { position: 1 } }] } });
  expect(found?.wagers.map((one) => one.becomes)).toEqual(["returned", "returned", "returned", "stays"]);
});

test("no ruling without a wager, and none beside choices that are not rulings", () => {
  expect(rulingChoice(guided, { wager: "", outcome: "returned", odds: 1 })).toBeUndefined();
  const other: Remedy = { ...ruling([]), command: { do: "resume-play" } };
  expect(rulingChoice([other], { wager: "1 ante", outcome: "returned", odds: 1 })).toBeUndefined();
});

test("a ruling is said in a sentence", () => {
  const on = (outcome: Schemas["RuledOutcome"]) => rulingWords({ wager: { position: 3, area: "ante", outcome } });
  expect(on("stand-off")).toBe("The Ante wager at position 3 stands off.");
  expect(on({ paid: "50 for 1" })).toBe("The Ante wager at position 3 is paid 50 for 1.");
  expect(rulingWords({ "hand-out": { position: 2 } })).toBe("The hand at position 2 is out.");
});

test("piles change places in the order they were dealt", () => {
  expect(swapped(["a", "b", "c"], 0)).toEqual(["b", "a", "c"]);
  expect(swapped(["a", "b", "c"], 1)).toEqual(["a", "c", "b"]);
});
