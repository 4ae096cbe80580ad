// The places cards lie at, in words. Where the next ones go is the server's to say.
import type { Schemas, SeatView, TableView } from "../../lib/api";

export type Place = Schemas["PlaceForm"];

export const isStud = (view: TableView): boolean => view.areas.includes("Bet");
export const handCards = (view: TableView): number => (isStud(view) ? 5 : 2);

/** The positions that get cards. */
export const dealtIn = (view: TableView): SeatView[] => view.seats.filter((seat) => seat.state !== "none");

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

export function placeName(place: Place): string {
  const ordinal = ORDINALS[place.at] ?? `${place.at + 1}th`;
  if (place.where === "player") return `Position ${place.position}, ${ordinal} card`;
  if (place.where === "dealer") return `Dealer, ${ordinal} card`;
  return place.at < 3 ? `Board, ${ordinal} flop card` : place.at === 3 ? "Board, the turn" : "Board, the river";
}

/** What a row of places is together, such as "the flop". */
export function handName(place: Place): string {
  if (place.where === "player") return `the hand at ${place.position}`;
  if (place.where === "dealer") return "the Dealer's cards";
  return place.at < 3 ? "the flop" : place.at === 3 ? "the turn card" : "the river card";
}

/** A place in little room. */
export function placeShort(place: Place): string {
  if (place.where === "player") return `P${place.position} · ${place.at + 1}`;
  if (place.where === "dealer") return `Dealer · ${place.at + 1}`;
  return place.at < 3 ? `Flop · ${place.at + 1}` : place.at === 3 ? "Turn" : "River";
}

/** The card that lies open at a place; nothing where it lies face down. */
export function cardAt(view: TableView, place: Place): string | undefined {
  if (place.where === "community") return view.community[place.at] ?? undefined;
  if (place.where === "dealer") return view.dealer[place.at] ?? undefined;
  return view.seats.find((seat) => seat.position === place.position)?.cards[place.at] ?? undefined;
}

/** The place of a card that the feed tells of. */
export function placeOf({ hand, position, at }: Schemas["LaidCard"]): Place {
  if (hand === "player") return { where: hand, position: position ?? 0, at };
  return { where: hand === "dealer" ? hand : "community", at };
}

/** Every card that lies open on the table. */
export function openCards(view: TableView): string[] {
  const all = [...view.community, ...view.dealer, ...view.seats.flatMap((seat) => seat.cards)];
  return all.filter((card) => card != null);
}
