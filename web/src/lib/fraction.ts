// Exact numbers: fractions of whole numbers of any size, as the lab sends them. They are rounded only for display.

import { currencySign } from "./money";

export interface Exactly {
  numerator: string;
  denominator: string;
}

export class Fraction {
  readonly above: bigint;
  readonly below: bigint;

  constructor(above: bigint, below = 1n) {
    if (below === 0n) throw new Error("a fraction with the denominator zero");
    const divisor = common(above < 0n ? -above : above, below < 0n ? -below : below);
    const sign = below < 0n ? -1n : 1n;
    this.above = (sign * above) / divisor;
    this.below = (sign * below) / divisor;
  }

  static of(exactly: Exactly): Fraction {
    return new Fraction(BigInt(exactly.numerator), BigInt(exactly.denominator));
  }

  static whole(count: number | bigint | string): Fraction {
    return new Fraction(BigInt(count));
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.above * other.below + other.above * this.below, this.below * other.below);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated());
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.above * other.above, this.below * other.below);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.above * other.below, this.below * other.above);
  }

  negated(): Fraction {
    return new Fraction(-this.above, this.below);
  }

  /** Below, at or above zero. */
  sign(): -1 | 0 | 1 {
    return this.above < 0n ? -1 : this.above === 0n ? 0 : 1;
  }

  compare(other: Fraction): -1 | 0 | 1 {
    return this.minus(other).sign();
  }

  /** The nearest whole number, halves away from zero. */
  rounded(): bigint {
    const twice = 2n * (this.above < 0n ? -this.above : this.above);
    const whole = (twice + this.below) / (2n * this.below);
    return this.above < 0n ? -whole : whole;
  }

  /** In decimals, with a comma at the thousands. A value that rounds to zero has no sign. */
  decimal(places: number, signed = false): string {
    const scaled = this.times(Fraction.whole(10n ** BigInt(places))).rounded();
    const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ",");
    const rest = places === 0 ? "" : `.${digits.slice(digits.length - places)}`;
    return `${scaled < 0n ? "−" : signed && scaled > 0n ? "+" : ""}${whole}${rest}`;
  }

  /** As a percentage. */
  percent(places = 2, signed = false): string {
    return `${this.times(HUNDRED).decimal(places, signed)}%`;
  }

  /** As an amount, where this is in cents. */
  cents(places = 2, signed = false): string {
    return this.over(HUNDRED)
      .decimal(places, signed)
      .replace(/\d/, (first) => currencySign() + first);
  }

  /** The nearest float, for drawing only. */
  value(): number {
    const scale = 10n ** 15n;
    const size = (this.above < 0n ? -this.above : this.above) / this.below;
    if (size > 9_000_000_000_000_000n) return Number(this.above / this.below);
    const whole = this.above / this.below;
    return Number(whole) + Number(((this.above - whole * this.below) * scale) / this.below) / 1e15;
  }

  /** As text: 19 / 6,497,400. */
  toString(): string {
    return this.below === 1n ? grouped(this.above) : `${grouped(this.above)} / ${grouped(this.below)}`;
  }
}

const HUNDRED = new Fraction(100n);

function common(one: bigint, other: bigint): bigint {
  let [left, right] = [one, other];
  while (right !== 0n) [left, right] = [right, left % right];
  return left === 0n ? 1n : left;
}

/** A whole number with a comma at the thousands. */
export function grouped(count: bigint | number | string): string {
  const text = count.toString();
  const digits = text.replace(/^-/, "").replace(/\B(?=(\d{3})+$)/g, ",");
  return text.startsWith("-") ? `−${digits}` : digits;
}

/** A chance as "1 in 64,974". */
export function oneIn(part: Fraction): string {
  if (part.sign() === 0) return "never";
  const inverse = new Fraction(part.below, part.above);
  return `1 in ${inverse.decimal(inverse.compare(HUNDRED) < 0 ? 1 : 0)}`;
}
