import { expect, test } from "vitest";
import type { SeatView, TableView } from "../../src/lib/api";
import {
  type Award,
  counting,
  handEnds,
  handEndText,
  jackpotHandText,
  type Line,
  netOfEnding,
  netWithAwards,
  tag,
} from "../../src/pages/table/results";
import { ranking, stepsOf } from "../../src/pages/table/demowords";
import { doubled } from "../../src/pages/table/wagers";
import { areaHelp, coachWords } from "../../src/pages/table/words";

const jackpot = {
  position: 3,
  area: "jackpot",
  owner: "Ann",
  staked: 500,
  paid: 0,
  returned: 0,
  collected: 500,
  outcome: "won",
} as Line;
const award = (state: Award["state"]): Award => ({ number: 1, position: 3, amount: 2_684_100, state }) as Award;

test("a Jackpot wager that won shows its award, not the wager it cost", () => {
  expect(netWithAwards(jackpot, [award("entered")])).toBe(2_683_600);
  expect(tag(jackpot, [award("paid")])).toBe("+$26,836.00");
  expect(netOfEnding({ lines: [jackpot], awards: [award("paid")] })).toBe(2_683_600);
  expect(netOfEnding({ lines: [jackpot], awards: [award("rejected")] }), "a rejected award is no money").toBe(-500);
});

const seat = (over: object): SeatView =>
  ({ position: 3, yours: true, cards: ["Qh", "Kd"], state: "shown", areas: [], ...over }) as unknown as SeatView;
const view = (over: object): TableView => ({ community: [], dealer: [], seats: [], ...over }) as unknown as TableView;

test("a hand ends in the server's words, or by what its Player did", () => {
  const compared = {
    position: 3,
    words: "Two pairs, Queens and Sixes, beat a pair of Tens.",
    player: { cards: ["Qh"] },
    dealer: { cards: ["Th"] },
  };
  const hand = { of: "hole-and-flop", hand: { name: "Pair of Queens, King kicker" } };
  const table = view({
    seats: [
      seat({ jackpot_hand: hand }),
      seat({ position: 4, state: "folded" }),
      seat({ position: 5, state: "folded", timed_out: "MTHB9 3.9.1" }),
      seat({ position: 6, state: "out", timed_out: "MTHB9 5.11" }),
    ],
    settlement: { compared: [compared] },
  });
  const ends = handEnds(table).map((end) => [end.position, handEndText(end), jackpotHandText(end)]);
  expect(ends).toEqual([
    [
      3,
      "Two pairs, Queens and Sixes, beat a pair of Tens.",
      "Jackpot hand, your cards with the flop: Pair of Queens, King kicker",
    ],
    [4, "You folded.", ""],
    [5, "Time ran out: your hand was folded (MTHB9 3.9.1).", ""],
    [6, "Time ran out: your hand is out of the round and its wagers are returned (MTHB9 5.11).", ""],
  ]);
  expect(counting(table, 3)?.player.has("Qh")).toBe(true);
  expect(counting(table, 3)?.dealer.has("Qh")).toBe(false);
  expect(counting(table, 4), "a folded hand is not compared").toBeUndefined();
});

test("the coach says what to do and why", () => {
  const stud = view({ dealer: [null, null, null, null, "Ac"] });
  expect(coachWords(stud, seat({ hand: { name: "Five odd cards, King high" } }), "fold", "Bet")).toBe(
    "Fold: Five odd cards, King high; the Dealer shows an Ace.",
  );
  const holdem = view({ community: [null, null, null, null, null] });
  expect(coachWords(holdem, seat({}), "bet", "Flop")).toBe("Wager on the Flop: Queen and King of two suits.");
  expect(coachWords(holdem, seat({ cards: ["6h", "6d"] }), "bet", "Flop")).toBe("Wager on the Flop: pair of Sixes.");
});

test("doubling keeps within the limits", () => {
  const table = view({
    areas: ["ante", "bonus", "jackpot"],
    limits: { ante: [1000, 50_000], bonus: [500, 10_000] },
    jackpot: { minimum: 500, multiples_least: 1, multiples_most: 5, reachable: true },
    seats: [seat({})],
  });
  const laid = { "3 ante": 30_000, "3 bonus": 2_500, "3 jackpot": 500 };
  expect(doubled(table, "Ann", laid)).toEqual({ "3 bonus": 5_000, "3 jackpot": 1_000 });
});

test("the demonstration deals no card twice, and every area has its help", () => {
  for (const round of [stepsOf("holdem"), stepsOf("stud")]) {
    const last = round.at(-1);
    const cards = [...(last?.dealer ?? []), ...(last?.community ?? []), ...(last?.hand ?? [])];
    expect(new Set(cards).size).toBe(cards.length);
    for (const step of round) for (const card of step.lit ?? []) expect(cards).toContain(card);
  }
  expect(ranking()).toHaveLength(10);
  for (const area of ["ante", "bonus", "flop", "turn", "river", "bet", "jackpot"] as const)
    expect(areaHelp(area).length).toBeGreaterThan(20);
});
