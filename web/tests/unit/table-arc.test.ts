import { expect, test } from "vitest";
import { arc, FELT, SEAT } from "../../src/pages/table/arc";

/** Whether two turned seats overlap, by the separating axes of two rectangles. */
function overlap(one: { x: number; y: number; turn: number }, other: { x: number; y: number; turn: number }): boolean {
  const axes = [one, other].flatMap(({ turn }) => {
    const angle = (turn * Math.PI) / 180;
    return [
      [Math.cos(angle), Math.sin(angle)],
      [-Math.sin(angle), Math.cos(angle)],
    ] as [number, number][];
  });
  const extent = (spot: { turn: number }, [x, y]: [number, number]): number => {
    const angle = (spot.turn * Math.PI) / 180;
    const across = Math.abs(Math.cos(angle) * x + Math.sin(angle) * y) * (SEAT.width / 2);
    return across + Math.abs(-Math.sin(angle) * x + Math.cos(angle) * y) * (SEAT.height / 2);
  };
  return axes.every((axis) => {
    const apart = Math.abs((one.x - other.x) * axis[0] + (one.y - other.y) * axis[1]);
    return apart < extent(one, axis) + extent(other, axis);
  });
}

test.each([1, 2, 3, 4, 5, 6, 7])("%i positions are on the felt beside each other, turned to their Players", (count) => {
  const spots = arc(count);
  expect(spots).toHaveLength(count);
  // Position 1 is at the Dealer's left: the viewer sees it on the right.
  expect(spots.map(({ x }) => x)).toEqual(spots.map(({ x }) => x).toSorted((one, other) => other - one));
  for (const [at, spot] of spots.entries()) {
    const mirror = spots[count - 1 - at];
    expect(spot.x + (mirror?.x ?? 0)).toBeCloseTo(FELT.width, 0);
    expect(Math.sign(spot.turn)).toBe(Math.sign(FELT.width / 2 - Math.round(spot.x)));
    expect(spot.y + SEAT.height / 2).toBeLessThanOrEqual(FELT.height);
    const next = spots[at + 1];
    if (next !== undefined) expect(overlap(spot, next)).toBe(false);
  }
});
