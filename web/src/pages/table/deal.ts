// The order in which cards were dealt and turned, so that the page animates them in that order.
import type { EventView } from "../../lib/api";

/** The place of a card: "player 3 0", "community 4", "dealer 1". */
export const place = (hand: string, at: number, position?: number | null): string =>
  hand === "player" ? `player ${position} ${at}` : `${hand} ${at}`;

const TURNS = /_exposed$|^hand_viewed$|^hand_shown$|^card_read$/;

export interface Movement {
  /** The cards dealt by these entries, in order. */
  dealt: Map<string, number>;
  /** The cards turned face up by them, in order. */
  turned: Map<string, number>;
}

export function movement(told: readonly EventView[]): Movement {
  const dealt = new Map<string, number>();
  const turned = new Map<string, number>();
  for (const entry of told) {
    const into = entry.kind === "card_dealt" ? dealt : TURNS.test(entry.kind) ? turned : undefined;
    for (const card of into === undefined ? [] : (entry.data.cards ?? [])) {
      const where = place(card.hand, card.at, card.position);
      if (!into?.has(where)) into?.set(where, into.size);
    }
  }
  return { dealt, turned };
}

export const DEAL_STEP_MILLISECONDS = 85;
export const TURN_STEP_MILLISECONDS = 140;
export const FLIGHT_MILLISECONDS = 300;
