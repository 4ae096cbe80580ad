// The positions on the felt: on an arc around the Dealer, each turned toward its Player.

export interface Spot {
  x: number;
  y: number;
  /** The rotation in degrees, clockwise. */
  turn: number;
}

/** The size of the felt in units. The page scales the unit. */
export const FELT = { width: 1310, height: 596 } as const;
export const SEAT = { width: 146, height: 244 } as const;

const CENTRE = { x: 655, y: 88 };
const REACH = { x: 612, y: 380 };
const SPREAD_DEGREES_MAX = 60;
const STEP_DEGREES_MAX = 23;
const TURNED = 0.42;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The middles of `count` positions, from position 1: it is at the Dealer's left, so on the viewer's right. */
export function arc(count: number): Spot[] {
  if (count < 1) return [];
  const step = count === 1 ? 0 : Math.min(STEP_DEGREES_MAX, (2 * SPREAD_DEGREES_MAX) / (count - 1));
  const first = (step * (count - 1)) / 2;
  return Array.from({ length: count }, (_, at) => {
    const angle = first - at * step;
    return {
      x: round(CENTRE.x + REACH.x * Math.sin(radians(angle))),
      y: round(CENTRE.y + REACH.y * Math.cos(radians(angle))),
      turn: angle === 0 ? 0 : round(-angle * TURNED),
    };
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
