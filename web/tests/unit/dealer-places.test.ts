import { expect, test } from "vitest";
import { cardAt, handName, openCards, type Place, placeName, placeShort } from "../../src/pages/dealer/places";
import { seat, table } from "./dealer-view";

test("a place has a name, a short one, and one of the cards around it", () => {
  const places: Place[] = [{ player: [3, 1] }, { community: 2 }, { community: 3 }, { community: 4 }, { dealer: 4 }];
  expect(places.map((place) => placeName(place, table()))).toEqual([
    "Position 3, second card",
    "Board, third flop card",
    "Board, the turn",
    "Board, the river",
    "Dealer, fifth card",
  ]);
  expect(places.map((place) => placeShort(place, table()))).toEqual([
    "P3 · 2",
    "Flop · 3",
    "Turn",
    "River",
    "Dealer · 5",
  ]);
  expect(places.map((place) => handName(place, table()))).toEqual([
    "the hand at 3",
    "the flop",
    "the turn card",
    "the river card",
    "the Dealer's cards",
  ]);
});

test("a face-up card is found at its place", () => {
  const view = table({ community: ["As", null], dealer: [null, "Kd"], seats: [seat(3, { cards: ["2c", null] })] });
  const places: Place[] = [{ community: 0 }, { community: 1 }, { dealer: 1 }, { player: [3, 0] }, { player: [2, 0] }];
  expect(places.map((place) => cardAt(view, place))).toEqual(["As", undefined, "Kd", "2c", undefined]);
});

test("only face-up cards are known to be used", () => {
  expect(openCards(table({ community: ["As", null], dealer: [null, "Kd"] }))).toEqual(["As", "Kd"]);
});
