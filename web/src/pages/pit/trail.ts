// The live audit trail of a stream: its entries, newest first, each with its hash once it is in the log.
import type { Schemas, EventView } from "../../lib/api";

export const TRAIL_LENGTH = 120;

/** Adds new entries, newest first; an entry received twice is shown once. */
export function longer(trail: readonly EventView[], events: readonly EventView[]): EventView[] {
  const newest = trail[0]?.version ?? 0;
  const fresh = events.filter((entry) => newest < entry.version).reverse();
  return [...fresh, ...trail].slice(0, TRAIL_LENGTH);
}

/** The hashes by version. */
export function hashes(
  known: ReadonlyMap<number, string>,
  entries: readonly Schemas["EntryView"][],
): Map<number, string> {
  return new Map([...known, ...entries.map(({ version, hash }) => [version, hash] as const)]);
}
