import { describe, expect, it } from "vitest";
import type { EventView, Schemas } from "../../src/lib/api";
import { happened, pretty, transfers } from "../../src/pages/replay/audit";
import {
  awarded,
  brokenAt,
  chapters,
  corrected,
  feltAt,
  net,
  pace,
  positions,
  settlements,
} from "../../src/pages/replay/felt";
import { committed, dealt, opened, wrongAt } from "../../src/pages/replay/shuffled";

let version = 0;
function event(kind: EventView["kind"], data: EventView["data"] = {}, by = "Dealer"): EventView {
  version += 1;
  return { stream: "table/7", version, at: version, by, kind, sentence: `${kind}.`, data };
}
const toPlayer = (position: number, at: number, card: string | null) => ({
  place: { player: [position, at] as [number, number] },
  card,
});

const line: Schemas["LineView"] = {
  position: 2,
  area: "ante" as const,
  owner: "Aisha",
  staked: 2000,
  paid: 2000,
  returned: 2000,
  collected: 0,
  outcome: { paid: "1 to 1" },
  clause: "MTHB9 3.10.2",
  odds_clause: null,
  limit_clause: null,
  because: { reason: "higher" },
  why: "",
};
const ROUND = [
  event("bets-opened"),
  event("wager-placed", { position: 2, area: "ante", player: "Aisha", amount: 2000 }),
  event("wager-placed", { position: 5, area: "ante", player: "Chee", amount: 1000 }),
  event("wager-taken-back", { position: 5, area: "ante", player: "Chee" }),
  event("bets-closed"),
  event("card-dealt", { position: 2, cards: [toPlayer(2, 0, null)] }),
  event("hand-viewed", { position: 2, cards: [toPlayer(2, 0, "8s")] }),
  event("card-read", { position: 2, cards: [toPlayer(2, 0, null)] }),
  event("decided", { position: 2, area: "flop", decision: "wager", amount: 4000 }),
  event("exposed", { exposed: "flop-cards", cards: [{ place: { community: 0 }, card: "2s" }] }),
  event("settled", { lines: [line] }),
];

describe("the felt", () => {
  it("has every position of the round from the start", () => {
    expect(positions(ROUND)).toEqual([2, 5]);
    expect(feltAt(ROUND, 0).seats.map(({ position, wagers }) => [position, wagers.length])).toEqual([
      [2, 0],
      [5, 0],
    ]);
  });

  it("holds wagers from when they are placed until they are taken back", () => {
    expect(feltAt(ROUND, 2).seats[1]?.wagers).toEqual([{ area: "ante", owner: "Chee", cents: 1000 }]);
    expect(feltAt(ROUND, 3).seats[1]?.wagers).toEqual([]);
  });

  it("lays cards face down, and keeps open what was open", () => {
    expect(feltAt(ROUND, 5).seats[0]?.cards).toEqual([null]);
    expect(feltAt(ROUND, 6).seats[0]?.cards).toEqual(["8s"]);
    expect(feltAt(ROUND, 7).seats[0]?.cards).toEqual(["8s"]);
    expect(feltAt(ROUND, 9).community).toEqual(["2s"]);
  });

  it("takes decisions, with the wager that follows", () => {
    const seat = feltAt(ROUND, 8).seats[0];
    expect(seat?.says).toBe("Flop wager");
    expect(seat?.wagers.at(-1)).toEqual({ area: "flop", owner: "Aisha", cents: 4000 });
    const folded = feltAt([event("decided", { position: 1, area: "flop", decision: "fold" })], 0).seats[0];
    expect([folded?.says, folded?.folded]).toEqual(["Folds", true]);
    const late = event("decided", { position: 1, area: "flop", decision: "fold" }, "system");
    expect(feltAt([late], 0).seats[0]?.says).toBe("Time ran out: folds");
  });

  it("says how each position ended", () => {
    const end = feltAt(ROUND, 10);
    expect(end.settled).toBe(true);
    expect(net(end.seats[0]?.lines ?? [])).toBe(2000);
    expect(end.call?.sentence).toBe("settled.");
  });
});

it("finds where the parts of a round begin", () => {
  expect(chapters(ROUND)).toEqual([
    { title: "Wagers", step: 0 },
    { title: "Deal", step: 5 },
    { title: "Decisions", step: 8 },
    { title: "Flop cards", step: 9 },
    { title: "Settlement", step: 10 },
  ]);
  expect(pace("card-read")).toBeLessThan(pace("decided"));
});

it("sees where a chain is broken", () => {
  const chain = [
    { version: 1, previous: "0", hash: "a" },
    { version: 2, previous: "a", hash: "b" },
    { version: 3, previous: "x", hash: "c" },
  ];
  expect(brokenAt(chain.slice(0, 2))).toBeUndefined();
  expect(brokenAt(chain)).toBe(3);
});

it("reads the money an entry moved, to the ten-thousandth of a cent", () => {
  expect(transfers('[["wager","wallet/A","table/7",20000000],["meter","a","b",1234567]]')).toEqual([
    { code: "wager", from: "wallet/A", to: "table/7", amount: "$20.00" },
    { code: "meter", from: "a", to: "b", amount: "$1.234567" },
  ]);
  expect(transfers("")).toEqual([]);
  expect(pretty("no json")).toBe("no json");
  expect([happened('"bets-closed"'), happened('{"decided":{}}'), happened("{")]).toEqual([
    "bets-closed",
    "decided",
    undefined,
  ]);
});

it("builds the shuffle of a round from its events", () => {
  const laid = (place: Schemas["Place"], card: string | null) => ({ cards: [{ place, card }] });
  const round = [
    event("shuffle-committed", { commitment: "c0" }),
    event("card-dealt", laid({ community: 0 }, null)),
    event("card-dealt", laid({ dealer: 0 }, null)),
    event("exposed", laid({ community: 0 }, "2s")),
  ];
  expect(committed(round)).toBe("c0");
  expect(opened(round, "7")).toBeUndefined();
  const cards = dealt(round);
  expect(cards).toEqual([
    { to: "community cards", short: "community cards", card: "2s" },
    { to: "Dealer", short: "Dealer", card: null },
  ]);
  expect(wrongAt(cards, ["2s", "Ah"])).toBeUndefined();
  expect(wrongAt(cards, ["3s", "Ah"])).toBe(0);
  const after = [...round, event("shuffle-opened", { round: 2, seed: "5eed" })];
  expect(opened(after, "7")).toEqual({ table: "7", round: 2, seed: "5eed", salts: [], discarded: [] });
});

describe("corrections and awards", () => {
  const award = {
    number: 1,
    table: "7",
    round: 1,
    position: 2,
    hand: "straight-flush",
    amount: 50_000,
    state: "entered",
  };
  const awards = [award, { ...award, number: 2, state: "rejected" }] as unknown as Schemas["AwardView"][];

  it("count what was won of the meter, and not what was rejected", () => {
    expect(awarded(awards, 2)).toBe(50_000);
    expect(awarded(awards, 5)).toBe(0);
  });

  it("name the wagers that were settled otherwise", () => {
    const again = { ...line, paid: 0, returned: 0, collected: 2000 };
    const all = settlements([...ROUND, event("settled", { lines: [again] })]);
    expect(all).toHaveLength(2);
    expect(corrected(all[0]?.lines ?? [], all[1]?.lines ?? [])).toEqual([{ line: again, before: 2000, after: -2000 }]);
    expect(corrected(all[0]?.lines ?? [], all[0]?.lines ?? [])).toEqual([]);
  });

  it("of a decision move its wager on the felt", () => {
    const folded = event("decision-corrected", { position: 2, area: "flop", decision: "fold" });
    const felt = feltAt([...ROUND.slice(0, 9), folded], 9);
    expect(felt.seats[0]?.folded).toBe(true);
    expect(felt.seats[0]?.wagers.map(({ area }) => area)).toEqual(["ante"]);
    const back = feltAt(
      [
        ...ROUND.slice(0, 9),
        folded,
        event("decision-corrected", { position: 2, area: "flop", decision: "wager", amount: 4000 }),
      ],
      10,
    );
    expect(back.seats[0]?.folded).toBe(false);
    expect(back.seats[0]?.wagers.map(({ cents }) => cents)).toEqual([2000, 4000]);
  });
});
