// The shuffle of a round: the commitment, the opened seed, and the cards in the order dealt.
import type { EventView, Schemas } from "../../lib/api";
import type { Opened } from "../table/shuffle";
import { say } from "./words";

export interface Dealt {
  /** Where the card went, such as "position 2", and where space is short "2". */
  to: string;
  short: string;
  /** The card, where it was ever face up. */
  card: string | null;
}

/** The commitment made before bets, or the last one where salts were withheld. */
export const committed = (events: readonly EventView[]): string | undefined =>
  events.findLast(({ kind }) => kind === "shuffle-committed")?.data.commitment ?? undefined;

/** Whether the seed was lost, so that nobody can check the shuffle. */
export const isLost = (events: readonly EventView[]): boolean => events.some(({ kind }) => kind === "shuffle-lost");

/** The seed and the salts, once they are published. */
export function opened(events: readonly EventView[], table: string): Opened | undefined {
  const data = events.findLast(({ kind }) => kind === "shuffle-opened")?.data;
  if (data?.seed == null || data.round == null) return undefined;
  const { seed, round, salts = [], discarded = [] } = data;
  return { table, round, seed, salts, discarded };
}

/** The cards in the order they left the shoe. */
export function dealt(events: readonly EventView[]): Dealt[] {
  const order: { key: string; to: string; short: string }[] = [];
  const seen = new Map<string, string>();
  for (const { kind, data } of events) {
    for (const { place, card } of data.cards ?? []) {
      const key = JSON.stringify(place);
      if (kind === "card-dealt") order.push({ key, ...toWhom(place) });
      if (card != null) seen.set(key, card);
    }
  }
  return order.map(({ key, to, short }) => ({ to, short, card: seen.get(key) ?? null }));
}

function toWhom(place: Schemas["Place"]): { to: string; short: string } {
  if ("player" in place) return { to: say.toPosition(String(place.player[0])), short: String(place.player[0]) };
  const to = "dealer" in place ? say.toDealer : say.toBoard;
  return { to, short: to };
}

/** The first face-up card that differs from the deck; `undefined` where all agree. */
export function wrongAt(cards: readonly Dealt[], deck: readonly string[]): number | undefined {
  const at = cards.findIndex(({ card }, place) => card !== null && card !== deck[place]);
  return at < 0 ? undefined : at;
}
