// The places of cards, in words. The server says where the next cards go.
import type { Schemas, SeatView, TableView } from "../../lib/api";
import { communityGroup, gameOf } from "../../lib/game";

export type Place = Schemas["Place"];
type Areas = Pick<TableView, "areas">;

/** The positions that get cards. */
export const dealtIn = (view: TableView): SeatView[] => view.seats.filter((seat) => seat.state !== "none");

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const ordinal = (at: number): string => ORDINALS[at] ?? `${at + 1}th`;

export function placeName(place: Place, table: Areas): string {
  if ("player" in place) {
    const [position, at = 0] = place.player;
    return `Position ${position}, ${ordinal(at)} card`;
  }
  if ("dealer" in place) return `Dealer, ${ordinal(place.dealer)} card`;
  const { name, cards, within } = communityGroup(gameOf(table), place.community);
  return cards === 1 ? `Board, the ${name.toLowerCase()}` : `Board, ${ordinal(within)} ${name.toLowerCase()} card`;
}

/** The hand or group that a place belongs to, such as "the flop". */
export function handName(place: Place, table: Areas): string {
  if ("player" in place) return `the hand at ${place.player[0]}`;
  if ("dealer" in place) return "the Dealer's cards";
  const { name, cards } = communityGroup(gameOf(table), place.community);
  return `the ${name.toLowerCase()}${cards === 1 ? " card" : ""}`;
}

/** The short name of a place. */
export function placeShort(place: Place, table: Areas): string {
  if ("player" in place) {
    const [position, at = 0] = place.player;
    return `P${position} · ${at + 1}`;
  }
  if ("dealer" in place) return `Dealer · ${place.dealer + 1}`;
  const { name, cards, within } = communityGroup(gameOf(table), place.community);
  return cards === 1 ? name : `${name} · ${within + 1}`;
}

export const isSamePlace = (one: Place, other: Place): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The face-up card at a place; `undefined` where it is face down. */
export function cardAt(view: TableView, place: Place): string | undefined {
  if ("community" in place) return view.community[place.community] ?? undefined;
  if ("dealer" in place) return view.dealer[place.dealer] ?? undefined;
  const [position, at = 0] = place.player;
  return view.seats.find((seat) => seat.position === position)?.cards[at] ?? undefined;
}

/** Every face-up card on the table. */
export function openCards(view: TableView): string[] {
  const all = [...view.community, ...view.dealer, ...view.seats.flatMap((seat) => seat.cards)];
  return all.filter((card) => card != null);
}
