// The shuffle of a round: the commitment, the opened seed, and the cards in the order dealt.
import type { EventView } from "../../lib/api";
import type { Opened } from "../table/shuffle";

export interface Dealt {
  /** Where the card went, such as "position 2". */
  to: string;
  /** The card, where it was ever face up. */
  card: string | null;
}

/** The commitment made before bets. */
export const committed = (told: readonly EventView[]): string | undefined =>
  told.find(({ kind }) => kind === "shuffle_committed")?.data.commitment ?? undefined;

/** The seed and the salts, once they are published. */
export function opened(told: readonly EventView[], table: string): Opened | undefined {
  const data = told.findLast(({ kind }) => kind === "shuffle_opened")?.data;
  if (data?.seed == null || data.round == null) return undefined;
  return { table, round: data.round, seed: data.seed, salts: data.salts ?? [] };
}

/** The cards in the order they left the shoe. */
export function dealt(told: readonly EventView[]): Dealt[] {
  const order: { place: string; to: string }[] = [];
  const seen = new Map<string, string>();
  for (const { kind, data } of told) {
    for (const { hand, position, at, card } of data.cards ?? []) {
      const place = `${hand} ${position ?? ""} ${at}`;
      if (kind === "card_dealt") order.push({ place, to: toWhom(hand, position ?? undefined) });
      if (card != null) seen.set(place, card);
    }
  }
  return order.map(({ place, to }) => ({ to, card: seen.get(place) ?? null }));
}

function toWhom(hand: string, position: number | undefined): string {
  if (hand === "player") return `position ${position}`;
  return hand === "dealer" ? "the Dealer" : "the community cards";
}

/** The first face-up card that differs from the deck; `undefined` where all agree. */
export function wrongAt(cards: readonly Dealt[], deck: readonly string[]): number | undefined {
  const at = cards.findIndex(({ card }, place) => card !== null && card !== deck[place]);
  return at < 0 ? undefined : at;
}
