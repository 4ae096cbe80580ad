import { expect, test } from "vitest";
import type { EventView } from "../../src/lib/api";
import { measuredText, measuresAfter } from "../../src/lib/told.svelte";

const event = (kind: EventView["kind"], player: string, sentence = `${kind}.`): EventView => ({
  stream: "table/7",
  version: 1,
  at: 1,
  by: null,
  kind,
  sentence,
  data: { player, clause: "MTHB9 5.9" },
});

test("a Player is told what was decided about them, once, until it is lifted", () => {
  const both = [event("player-prohibited", "Ann", "at the table"), event("player-prohibited", "Ann", "at every table")];
  const told = measuresAfter([], both, "Ann");
  expect(told.map(measuredText)).toEqual(["at every table"]);
  expect(told[0]?.clause).toBe("MTHB9 5.9");
  expect(measuresAfter(told, [event("player-readmitted", "Ann")], "Ann")).toEqual([]);
});

test("a Player is not told of others, nor of what is no measure", () => {
  expect(measuresAfter([], [event("player-prohibited", "Bo"), event("wager-placed", "Ann")], "Ann")).toEqual([]);
});
