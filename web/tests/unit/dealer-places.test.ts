import { expect, test } from "vitest";
import { cardAt, handName, openCards, type Place, placeName, placeOf, placeShort } from "../../src/pages/dealer/places";
import { seat, table } from "./dealer-view";

test("a place has a name, a short one, and one of the cards around it", () => {
  const places: Place[] = [
    { where: "player", position: 3, at: 1 },
    { where: "community", at: 2 },
    { where: "community", at: 3 },
    { where: "community", at: 4 },
    { where: "dealer", at: 4 },
  ];
  expect(places.map(placeName)).toEqual([
    "Position 3, second card",
    "Board, third flop card",
    "Board, the turn",
    "Board, the river",
    "Dealer, fifth card",
  ]);
  expect(places.map(placeShort)).toEqual(["P3 · 2", "Flop · 3", "Turn", "River", "Dealer · 5"]);
  expect(places.map(handName)).toEqual([
    "the hand at 3",
    "the flop",
    "the turn card",
    "the river card",
    "the Dealer's cards",
  ]);
});

test("a card is found where it lies open", () => {
  const view = table({ community: ["As", null], dealer: [null, "Kd"], seats: [seat(3, { cards: ["2c", null] })] });
  const places: Place[] = [
    { where: "community", at: 0 },
    { where: "community", at: 1 },
    { where: "dealer", at: 1 },
    { where: "player", position: 3, at: 0 },
    { where: "player", position: 2, at: 0 },
  ];
  expect(places.map((place) => cardAt(view, place))).toEqual(["As", undefined, "Kd", "2c", undefined]);
});

test("a place that the feed tells of is one of the table's", () => {
  expect(placeOf({ hand: "player", position: 3, at: 1 })).toEqual({ where: "player", position: 3, at: 1 });
  expect(placeOf({ hand: "community", position: null, at: 4 })).toEqual({ where: "community", at: 4 });
  expect(placeOf({ hand: "dealer", position: null, at: 0 })).toEqual({ where: "dealer", at: 0 });
});

test("only what lies open is known to be used", () => {
  expect(openCards(table({ community: ["As", null], dealer: [null, "Kd"] }))).toEqual(["As", "Kd"]);
});
