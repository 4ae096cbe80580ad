// Money is whole cents, never a float: it is taken apart as text.

export interface AmountParts {
  sign: "" | "−";
  whole: string;
  cents: string;
}

export function parts(cents: number): AmountParts {
  if (!Number.isSafeInteger(cents)) {
    throw new Error(`${cents} is no amount of whole cents`);
  }
  const digits = Math.abs(cents).toString().padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return { sign: cents < 0 ? "−" : "", whole, cents: digits.slice(-2) };
}

export function money(cents: number): string {
  const { sign, whole, cents: rest } = parts(cents);
  return `${sign}${whole}.${rest}`;
}

// The chips that make up an amount, largest first, and what chips cannot make up.
export const CHIPS = [1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100] as const;

export function chips(cents: number): { chips: { value: number; count: number }[]; rest: number } {
  let rest = cents;
  const found: { value: number; count: number }[] = [];
  for (const value of CHIPS) {
    const count = Math.floor(rest / value);
    if (count > 0) {
      found.push({ value, count });
      rest -= count * value;
    }
  }
  return { chips: found, rest };
}

interface ChipColour {
  field: string;
  spot: string;
  middle: string;
  ink: string;
}

const COLOURS: Record<number, ChipColour> = {
  100: { field: "#e9e6dc", spot: "#2f4b8f", middle: "#f6f4ec", ink: "#20242b" },
  500: { field: "#a3201d", spot: "#f3e9d2", middle: "#b93631", ink: "#ffffff" },
  2500: { field: "#1c6b3c", spot: "#f3e9d2", middle: "#267d49", ink: "#ffffff" },
  10000: { field: "#1c1d20", spot: "#d9b45b", middle: "#2a2c30", ink: "#ffffff" },
  50000: { field: "#5b2a86", spot: "#f3e9d2", middle: "#6d389c", ink: "#ffffff" },
  100000: { field: "#c98a1b", spot: "#1c1d20", middle: "#e0a83c", ink: "#1c1406" },
  500000: { field: "#7a4a2b", spot: "#f3e9d2", middle: "#8f5a37", ink: "#ffffff" },
  1000000: { field: "#0f6f7d", spot: "#f3e9d2", middle: "#1a8594", ink: "#ffffff" },
};

const PLAIN: ChipColour = { field: "#555a5e", spot: "#f3e9d2", middle: "#666c70", ink: "#ffffff" };

export const chipColour = (value: number): ChipColour => COLOURS[value] ?? PLAIN;

/** What stands on a chip: "25", "1K". */
export function chipFace(value: number): string {
  if (value % 100_000 === 0) return `${value / 100_000}K`;
  return value % 100 === 0 ? String(value / 100) : money(value);
}
