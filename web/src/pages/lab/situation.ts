// The chosen cards as a situation to ask advice for.
import { face } from "../../lib/cards";
import type { AdviceSlot, Game } from "../../lib/game";

export type Situation = { cards: string } & Partial<Record<AdviceSlot["field"], string>>;

export interface Slot extends AdviceSlot {
  from: number;
  to: number;
}

/** The places to fill, in the order they are filled. */
export function slots({ advice }: Game): Slot[] {
  let from = 0;
  return advice.map((slot) => {
    const place = { ...slot, from, to: from + slot.cards };
    from = place.to;
    return place;
  });
}

/** The request for these cards, or the place that must be filled first. */
export function situation(game: Game, cards: readonly string[]): { form: Situation } | { needs: Slot; more: number } {
  const places = slots(game);
  const isOpen = ({ from, to }: Slot): boolean => cards.length > from && cards.length < to;
  const isMissing = ({ to }: Slot): boolean => cards.length < game.adviceCardsMin && cards.length < to;
  const needs = places.find(isOpen) ?? places.find(isMissing);
  if (needs !== undefined) return { needs, more: needs.to - Math.max(cards.length, needs.from) };
  const form: Situation = { cards: "" };
  for (const { field, from, to } of places) {
    if (cards.length >= to) form[field] = cards.slice(from, to).join(" ");
  }
  return { form };
}

/** Cards out of typed text such as "As kd 10h"; `undefined` where something is not a card or is there twice. */
export function typedCards(text: string): string[] | undefined {
  const found: string[] = [];
  for (const word of text.trim().split(/[\s,]+/)) {
    if (word === "") continue;
    const card = word.replace(/^10/, "T");
    const written = card.charAt(0).toUpperCase() + card.slice(1).toLowerCase();
    try {
      face(written);
    } catch {
      return undefined;
    }
    if (found.includes(written)) return undefined;
    found.push(written);
  }
  return found;
}
