// Where cards lie and where the next ones go. The server deals; this only says it beforehand, from the table's method.
import type { Schemas, SeatView, TableView } from "../../lib/api";

export type Place = Schemas["PlaceForm"];

interface Step {
  to: "players" | "community" | "dealer";
  cards: number;
}

const AUTOMATED: Step[] = [
  { to: "community", cards: 5 },
  { to: "players", cards: 2 },
  { to: "dealer", cards: 2 },
];
const MANUAL: Step[] = [
  { to: "players", cards: 1 },
  { to: "players", cards: 1 },
  { to: "community", cards: 5 },
  { to: "dealer", cards: 2 },
];
const HOLDEM: Record<string, Step[]> = {
  automated: AUTOMATED,
  "method-a": AUTOMATED,
  "method-b": AUTOMATED,
  "method-c": [
    { to: "community", cards: 5 },
    { to: "dealer", cards: 2 },
    { to: "players", cards: 2 },
  ],
  manual: MANUAL,
};
const STUD: Record<string, Step[]> = {
  automated: [
    { to: "players", cards: 5 },
    { to: "dealer", cards: 5 },
  ],
  manual: Array.from({ length: 5 }, (): Step[] => [
    { to: "players", cards: 1 },
    { to: "dealer", cards: 1 },
  ]).flat(),
};

export const isStud = (view: TableView): boolean => view.areas.includes("Bet");
export const handCards = (view: TableView): number => (isStud(view) ? 5 : 2);

/** The positions that get cards. */
export const dealtIn = (view: TableView): SeatView[] => view.seats.filter((seat) => seat.state !== "none");

/** The whole order of dealing, or nothing where the method is not known here. */
export function dealingOrder(view: TableView): Place[] {
  const steps = (isStud(view) ? STUD : HOLDEM)[view.method] ?? [];
  const given = { players: 0, community: 0, dealer: 0 };
  const order: Place[] = [];
  for (const { to, cards } of steps) {
    const places = Array.from({ length: cards }, (_, at) => given[to] + at);
    given[to] += cards;
    if (to === "players") {
      for (const { position } of dealtIn(view))
        order.push(...places.map((at): Place => ({ where: "player", position, at })));
    } else {
      order.push(...places.map((at): Place => ({ where: to, at })));
    }
  }
  return order;
}

/** How many cards lie on the table. */
export function dealt(view: TableView): number {
  const hands = view.seats.reduce((sum, seat) => sum + seat.cards.length, 0);
  return hands + view.community.length + view.dealer.length;
}

/** The places still to be dealt to, the next first. */
export const placesToDeal = (view: TableView): Place[] => dealingOrder(view).slice(dealt(view));

const hand = (position: number, cards: number): Place[] =>
  Array.from({ length: cards }, (_, at): Place => ({ where: "player", position, at }));

const row = (where: "community" | "dealer", from: number, to: number): Place[] =>
  Array.from({ length: to - from }, (_, at): Place => ({ where, at: from + at }));

const jackpotStands = (seat: SeatView): boolean =>
  seat.areas.some(({ area, wagers }) => area === "Jackpot" && wagers.some((wager) => wager.out == null));

const offers = (view: TableView, does: string, position?: number): boolean =>
  view.choices.some((choice) => choice.does === does && (position === undefined || choice.position === position));

/** The cards that must be read before the procedure goes on: nothing where it already can. */
export function placesToRead(view: TableView): Place[] {
  if (view.dealing !== "live" || view.misdeal != null || view.power != null) return [];
  const cards = handCards(view);
  switch (view.stage.name) {
    case "exposing_flop_cards":
      return offers(view, "expose") ? [] : row("community", 0, 3);
    case "exposing_turn_card":
      return offers(view, "expose") ? [] : row("community", 3, 4);
    case "exposing_river_card":
      return offers(view, "expose") ? [] : row("community", 4, 5);
    case "exposing_up_card":
      return offers(view, "expose") ? [] : row("dealer", 4, 5);
    case "exposing_dealer_hand":
      return offers(view, "expose") ? [] : row("dealer", 0, cards);
    case "showing": {
      const position = view.stage.positions[0];
      return position === undefined || offers(view, "show_hand", position) ? [] : hand(position, cards);
    }
    case "settling":
      // A folded hand whose Jackpot wager still stands is turned over for it.
      return offers(view, "settle")
        ? []
        : view.seats
            .filter((seat) => seat.state === "folded" && jackpotStands(seat))
            .flatMap((seat) => hand(seat.position, cards));
    default:
      return [];
  }
}

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

export const placeKey = (place: Place): string =>
  place.where === "player" ? `player ${place.position} ${place.at}` : `${place.where} ${place.at}`;

/** Every card that lies open on the table. */
export function openCards(view: TableView): string[] {
  const all = [...view.community, ...view.dealer, ...view.seats.flatMap((seat) => seat.cards)];
  return all.filter((card) => card != null);
}
