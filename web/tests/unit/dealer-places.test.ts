import { expect, test } from "vitest";
import { handName, openCards, type Place, placeName, placeShort } from "../../src/pages/dealer/places";
import { table } from "./dealer-view";

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

test("only what lies open is known to be used", () => {
  expect(openCards(table({ community: ["As", null], dealer: [null, "Kd"] }))).toEqual(["As", "Kd"]);
});
