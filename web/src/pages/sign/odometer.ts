// The odometer of the sign: where each digit is while the meter rolls from one value to the next.

/** A wheel with a digit, or a mark between wheels. `at` counts from the right, so that wheels keep their place when the
 * amount gets longer. */
export interface Place {
  at: number;
  mark: "," | "." | undefined;
  cents: boolean;
}

const MARK_EM = 0.28;
/** The cents and the currency are so much smaller than the whole dollars. */
export const SMALL_SCALE = 0.5;

/** The wheels and marks of an amount, left to right: wheels are numbered from the right, cents first. */
export function places(cents: number): Place[] {
  const wheels = Math.max(3, Math.trunc(cents).toString().length);
  const found: Place[] = [];
  for (let at = wheels - 1; at >= 0; at -= 1) {
    found.push({ at, mark: undefined, cents: at < 2 });
    if (at === 2) found.push({ at, mark: ".", cents: true });
    else if (at > 2 && (at - 2) % 3 === 0) found.push({ at, mark: ",", cents: false });
  }
  return found;
}

/** The total width in em of the large digits, each `digit` wide. */
export function widthInEm(all: readonly Place[], digit: number): number {
  const one = (place: Place) => (place.mark === undefined ? digit : MARK_EM) * (place.cents ? SMALL_SCALE : 1);
  return all.reduce((sum, place) => sum + one(place), 0);
}

/** The position of a wheel, from 0 up to 10. It moves while all wheels at its right move from 9 to 0. */
export function wheel(shown: number, at: number): number {
  const unit = 10 ** at;
  const digit = Math.floor(shown / unit) % 10;
  const carry = (shown % unit) - (unit - 1);
  return digit + Math.max(0, at === 0 ? shown % 1 : carry);
}

/** A roll from one value to the next. */
export interface Roll {
  from: number;
  to: number;
  began: number;
}

/** How long a roll takes: shorter than the time to the next value, and than the two seconds a sign may lag. */
export const ROLL_MILLISECONDS = 1200;

/** What is shown at a moment: never more than the meter, and exactly the meter at the end of a roll. */
export function shownAt(roll: Roll, now: number): number {
  const part = (now - roll.began) / ROLL_MILLISECONDS;
  // A lower meter is shown at once: rolling down would show more than there is.
  if (part >= 1 || roll.to <= roll.from) return roll.to;
  const eased = 1 - (1 - Math.max(0, part)) ** 3;
  return Math.min(roll.to, roll.from + (roll.to - roll.from) * eased);
}

/** The roll to a new value, from what is shown now. */
export function rollTo(roll: Roll | undefined, to: number, now: number, still: boolean): Roll {
  if (roll === undefined || still) return { from: to, to, began: now };
  return roll.to === to ? roll : { from: shownAt(roll, now), to, began: now };
}

/** How old the shown amount may be. */
export const FRESH_MILLISECONDS = 2000;

/** The state of the sign. An amount that may be out of date is never shown. */
export function signState(
  state: "open" | "pending" | "fault" | undefined,
  receivedAt: number,
  now: number,
): "open" | "pending" | "fault" | "unavailable" {
  return state === undefined || FRESH_MILLISECONDS < now - receivedAt ? "unavailable" : state;
}

/** The offset of the picture: it moves a few pixels a minute against burn-in. */
export function drift(minutes: number): { x: number; y: number } {
  const across = Math.sin((minutes / 7) * Math.PI);
  const down = Math.sin((minutes / 11) * Math.PI);
  return { x: Math.round(across * 12), y: Math.round(down * 8) };
}
