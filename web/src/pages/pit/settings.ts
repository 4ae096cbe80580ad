// The form for a link's settings: amounts in cents, rates in percent with at most two decimals.
import type { Schemas } from "../../lib/api";

export interface FilledSettings {
  minimum: number | undefined;
  contribution: string;
  reserve: string;
  reset: number | undefined;
  cap: number | undefined;
  roundMost: number | undefined;
}

/** A typed percentage in hundredths of a percent; `undefined` where it is not one. */
export function readPercent(text: string): number | undefined {
  const found = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (found === null) return undefined;
  const points = Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
  return points <= 10_000 ? points : undefined;
}

export function percentText(points: number): string {
  const rest = String(points % 100)
    .padStart(2, "0")
    .replace(/0+$/, "");
  return `${Math.trunc(points / 100)}${rest === "" ? "" : `.${rest}`}`;
}

export function filledFrom(settings: Schemas["LinkSettings"]): FilledSettings {
  return {
    minimum: settings.minimum_wager,
    contribution: percentText(settings.contribution_bps),
    reserve: settings.reserve_bps == null ? "" : percentText(settings.reserve_bps),
    reset: settings.reset,
    cap: settings.cap ?? undefined,
    roundMost: settings.round_contribution_max.cents,
  };
}

/** The settings; `undefined` while something is missing. */
export function settingsForm(filled: FilledSettings): Schemas["LinkSettings"] | undefined {
  const contribution = readPercent(filled.contribution);
  const reserve = filled.reserve.trim() === "" ? null : readPercent(filled.reserve);
  const { minimum, reset, roundMost } = filled;
  if (contribution === undefined || reserve === undefined) return undefined;
  if (minimum === undefined || reset === undefined || roundMost === undefined) return undefined;
  return {
    minimum_wager: minimum,
    contribution_bps: contribution,
    reserve_bps: reserve,
    reset,
    cap: filled.cap ?? null,
    round_contribution_max: { cents: roundMost },
  };
}
