import { expect, test } from "vitest";
import { GAMES } from "../../src/lib/game";
import { type AnalysedHand, curve, handToShow, places } from "../../src/pages/replay/analysis";

const ratio = (value: number) => ({ numerator: String(value), denominator: "1", value });
const decision = (made: string, best: number, chosen: number, version: number) => ({
  version,
  decision: made,
  mistake: chosen < best,
  cost: ratio(best - chosen),
  best: ratio(best),
  chosen: ratio(chosen),
  other: ratio(0),
  instead: { decisions: ["fold"], result: null },
});
const hand = (position: number, cost: number, decisions: object[], result: number | null): AnalysedHand =>
  ({ position, player: "Ann", decisions, cost: ratio(cost), result }) as unknown as AnalysedHand;

test("the curve goes from the deal over each decision to the result", () => {
  const points = curve(
    hand(1, 300, [decision("bet", 500, 500, 12), decision("check", 900, 600, 20)], -2500),
    GAMES.holdem,
  );
  expect(points.map(({ label, cents, mistake }) => [label, cents, mistake])).toEqual([
    ["Dealt", 500, false],
    ["Flop: wagers", 500, false],
    ["Turn: checks", 600, true],
    ["Result", -2500, false],
  ]);
});

test("a void round has no result to end with", () => {
  expect(curve(hand(1, 0, [decision("bet", 500, 500, 12)], null), GAMES.holdem).at(-1)?.label).toBe("Flop: wagers");
});

test("higher values are drawn higher, and zero is always in the picture", () => {
  const [low, high] = places(
    [
      { label: "", cents: 100, best: undefined, version: undefined, mistake: false },
      { label: "", cents: 300, best: 400, version: undefined, mistake: true },
    ],
    10,
    100,
  );
  expect(low).toEqual({ x: 0, y: 75 });
  expect(high).toEqual({ x: 10, y: 25 });
});

test("the hand that a link names is shown, else the one with the dearest mistakes", () => {
  const hands = [hand(1, 5, [], 0), hand(4, 50, [], 0)];
  expect(handToShow(hands, 1)?.position).toBe(1);
  expect(handToShow(hands, undefined)?.position).toBe(4);
  expect(handToShow(hands, 7)?.position).toBe(4);
});
