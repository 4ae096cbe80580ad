// Figures of a change of rules.

/** An edge in thousand-millionths of a wager, as a percentage. */
export const edge = (value: number | null | undefined): string =>
  value === null || value === undefined ? "not counted" : `${(value / 1e7).toFixed(4)}%`;
