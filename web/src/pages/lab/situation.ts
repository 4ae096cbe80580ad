// The chosen cards as a situation to ask advice for.
import { face } from "../../lib/cards";

export interface Situation {
  cards: string;
  flop?: string;
  turn?: string;
  up?: string;
}

export interface Slot {
  name: string;
  from: number;
  to: number;
}

/** The places to fill, in the order they are filled. */
export function slots(game: string): Slot[] {
  if (game === "stud") {
    return [
      { name: "Your cards", from: 0, to: 5 },
      { name: "Dealer's up card", from: 5, to: 6 },
    ];
  }
  return [
    { name: "Your cards", from: 0, to: 2 },
    { name: "Flop cards", from: 2, to: 5 },
    { name: "Turn card", from: 5, to: 6 },
  ];
}

/** The request for these cards, or the place that must be filled first. */
export function situation(game: string, cards: readonly string[]): { form: Situation } | { needs: Slot; more: number } {
  const places = slots(game);
  const open = places.find(({ from, to }) => cards.length > from && cards.length < to);
  const needed =
    open ?? (cards.length === 0 || (game === "stud" && cards.length < 6) ? next(places, cards.length) : undefined);
  if (needed !== undefined) return { needs: needed, more: needed.to - Math.max(cards.length, needed.from) };
  const part = (at: number): string => cards.slice(places[at]?.from, places[at]?.to).join(" ");
  if (game === "stud") return { form: { cards: part(0), up: part(1) } };
  const form: Situation = { cards: part(0) };
  if (cards.length >= 5) form.flop = part(1);
  if (cards.length === 6) form.turn = part(2);
  return { form };
}

const next = (places: Slot[], filled: number): Slot | undefined => places.find(({ to }) => filled < to);

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
