// The order in which cards were dealt and turned, so that the page animates them in that order.
import type { EventView, Schemas } from "../../lib/api";

/** A place as a key: "player 3 0", "community 4", "dealer 1". */
export function placeKey(place: Schemas["Place"]): string {
  if ("player" in place) return `player ${place.player.join(" ")}`;
  return "community" in place ? `community ${place.community}` : `dealer ${place.dealer}`;
}

const TURNS: readonly Schemas["EventKind"][] = ["exposed", "hand-viewed", "hand-shown", "card-read"];

export interface Movement {
  /** The cards dealt by these entries, in order. */
  dealt: Map<string, number>;
  /** The cards turned face up by them, in order. */
  turned: Map<string, number>;
}

export function movement(events: readonly EventView[]): Movement {
  const dealt = new Map<string, number>();
  const turned = new Map<string, number>();
  for (const { kind, data } of events) {
    const into = kind === "card-dealt" ? dealt : TURNS.includes(kind) ? turned : undefined;
    for (const { place } of into === undefined ? [] : (data.cards ?? [])) {
      const where = placeKey(place);
      if (!into?.has(where)) into?.set(where, into.size);
    }
  }
  return { dealt, turned };
}

export const DEAL_STEP_MILLISECONDS = 85;
export const TURN_STEP_MILLISECONDS = 140;
export const FLIGHT_MILLISECONDS = 300;
