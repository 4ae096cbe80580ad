import { expect, test } from "vitest";
import { dots, type LobbyTable, limitsWords, stageWords, versionWords } from "../../src/pages/lobby/words";

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
