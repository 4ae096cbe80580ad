import { expect, test } from "vitest";
import {
  dots,
  isSolo,
  type LobbyTable,
  limitsWords,
  placeInLobby,
  stageWords,
  versionWords,
} from "../../src/pages/lobby/words";

const table = (over: Partial<LobbyTable>): LobbyTable => ({
  table: "MTHB9-1",
  rulebook: "megalink-holdem-v9",
  title: "Megalink Texas Hold'em Bonus Progressive",
  open: true,
  staffing: "automatic",
  dealing: "software",
  round: 4,
  bets_open: false,
  in_play: false,
  positions: 7,
  free: [2, 7],
  limits: { ante: [1000, 100_000] },
  link: "Megalink",
  ...over,
});

test("a table says where its round stands", () => {
  expect(stageWords(table({ open: false, bets_open: true }))).toBe("Closed");
  expect(stageWords(table({ bets_open: true }))).toBe("“Place your bets, please.”");
  expect(stageWords(table({ in_play: true }))).toBe("Round 4 in play");
  expect(stageWords(table({}))).toBe("Round 4 starts soon");
  expect(stageWords(table({ staffing: "staffed" }))).toBe("Waiting for the Dealer");
  expect(limitsWords(table({}))).toBe("$10 – 1,000");
  expect(versionWords(table({}))).toBe("v9");
});

test("a free table for one Player comes first and says so, a closed one last", () => {
  const solo = { positions: 1, free: [1] };
  const tables = [
    table({ open: false }),
    table({ staffing: "staffed" }),
    table({}),
    table({ ...solo, free: [] }),
    table(solo),
  ];
  expect(tables.map(placeInLobby)).toEqual([3, 2, 1, 1, 0]);
  expect(tables.map(isSolo)).toEqual([false, false, false, true, true]);
  expect(stageWords(table(solo))).toBe("Free for you");
  expect(stageWords(table({ ...solo, free: [] }))).toBe("Round 4 starts soon");
});

test.each([1, 2, 6, 7])("%i positions are dots on an arc that do not touch", (positions) => {
  const all = dots(table({ positions }));
  expect(all.map((dot) => dot.position)).toEqual(Array.from({ length: positions }, (_, at) => at + 1));
  expect(all.filter((dot) => dot.free).map((dot) => dot.position)).toEqual([2, 7].filter((one) => one <= positions));
  expect(all.map(({ x }) => x)).toEqual(all.map(({ x }) => x).toSorted((one, other) => other - one));
  for (const [at, dot] of all.entries()) {
    const next = all[at + 1];
    if (next !== undefined) expect(Math.hypot(next.x - dot.x, next.y - dot.y)).toBeGreaterThan(14);
  }
});
