import { expect, test } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { ruledWagers, rulingChoice, rulingWords } from "../../src/pages/dealer/ruling";
import { effects, swapped } from "../../src/pages/dealer/irregularity";

const wager = (position: number, area: string, owner: string): Schemas["EffectView"] => ({
  position,
  area,
  owner,
  amount: 5000,
  becomes: "stays",
  clause: null,
});
const decree = (effect: Schemas["EffectForm"][]): Schemas["GuideChoice"] => ({
  command: { do: "decree", words: "A bird flew in.", effects: effect },
  office: "gaming_shift_manager",
  by: null,
  you_may: false,
  clause: "MTHB9 6.1",
  wagers: [wager(1, "Ante", "Ann"), wager(1, "Ante", "Bo"), wager(1, "Flop", "Ann"), wager(3, "Ante", "Cy")],
});
const guided = [decree([]), decree([{ effect: "void" }])];

test("every wager can be ruled on once, however many share it", () => {
  expect(ruledWagers(guided).map(({ position, area }) => `${position} ${area}`)).toEqual([
    "1 Ante",
    "1 Flop",
    "3 Ante",
  ]);
  expect(ruledWagers([decree([])]), "before the deal there is nothing to rule on").toEqual([]);
});

test("a ruling on a wager is a decree with the words that were said", () => {
  const choice = rulingChoice(guided, { wager: "1 Ante", outcome: "paid_to", odds: 2 });
  expect(choice?.command).toEqual({
    do: "decree",
    words: "A bird flew in.",
    effects: [{ effect: "wager", position: 1, area: "ante", outcome: { paid_to: 2 } }],
  });
  expect(choice?.wagers.map((one) => one.becomes)).toEqual(["paid", "paid", "stays", "stays"]);
  expect(effects(choice?.wagers ?? [])).toBe("2 wagers are paid.");
  expect(choice?.office).toBe("gaming_shift_manager");
});

test("a hand that is ruled out takes all its wagers with it", () => {
  const choice = rulingChoice(guided, { wager: "1 Flop", outcome: "hand_out", odds: 1 });
  expect(choice?.command).toMatchObject({ effects: [{ effect: "hand_out", position: 1 }] });
  expect(choice?.wagers.map((one) => one.becomes)).toEqual(["returned", "returned", "returned", "stays"]);
});

test("no ruling without a wager, and none beside choices that are no rulings", () => {
  expect(rulingChoice(guided, { wager: "", outcome: "returned", odds: 1 })).toBeUndefined();
  const other = { ...decree([]), command: { do: "resume_play" as const } };
  expect(rulingChoice([other], { wager: "1 Ante", outcome: "returned", odds: 1 })).toBeUndefined();
});

test("a ruling is said in a sentence", () => {
  const on = (outcome: Schemas["OutcomeForm"]) =>
    rulingWords([{ effect: "wager", position: 3, area: "ante", outcome }]);
  expect(on("stand_off")).toBe("Rule that the Ante wager at position 3 stands off.");
  expect(on({ paid_for: 50 })).toBe("Rule that the Ante wager at position 3 is paid 50 for 1.");
  expect(rulingWords([])).toBe("Rule that play goes on.");
  expect(rulingWords([{ effect: "hand_out", position: 2 }])).toBe("Rule that the hand at position 2 is out.");
});

test("piles change places in the order they were dealt", () => {
  expect(swapped(["a", "b", "c"], 0)).toEqual(["b", "a", "c"]);
  expect(swapped(["a", "b", "c"], 1)).toEqual(["a", "c", "b"]);
});
