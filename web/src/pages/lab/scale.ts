// A scale to draw amounts on.

/** The end of a scale that fits all amounts: 1, 2 or 5 and zeros, in cents. */
export function scaleEnd(cents: number): number {
  let end = 100_000;
  for (const factor of endless()) {
    if (cents <= end * factor) return end * factor;
    if (factor === 5) end *= 10;
  }
  return end;
}

function* endless(): Generator<number> {
  for (;;) yield* [1, 2, 5];
}
