// What a Player without an account has answered so far, by rulebook. The server keeps it of those who are signed in.
import type { Schemas } from "../../lib/api";

export type Tally = Schemas["DecisionTally"];

const KEY = "train";

export const noAnswers = (): Tally => ({
  ordinary: { seen: 0, wrong: 0 },
  hard: { seen: 0, wrong: 0 },
  streak: 0,
  best_streak: 0,
});

type Kept = Partial<Record<string, Tally>>;

function kept(storage: Storage): Kept {
  try {
    return (JSON.parse(storage.getItem(KEY) ?? "{}") as Kept | null) ?? {};
  } catch {
    return {};
  }
}

/** The answers under a book that this browser keeps. */
export const load = (rulebook: string, storage: Storage = localStorage): Tally =>
  kept(storage)[rulebook] ?? noAnswers();

export function keep(rulebook: string, tally: Tally, storage: Storage = localStorage): void {
  storage.setItem(KEY, JSON.stringify({ ...kept(storage), [rulebook]: tally }));
}

/** What a loss in Antes a round comes to in an hour, in whole cents. */
export const anHour = (antes: number, ante: number, rounds: number): number => Math.round(antes * ante * rounds);
