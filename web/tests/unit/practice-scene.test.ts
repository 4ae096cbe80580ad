// Situations in addresses.
import { expect, it } from "vitest";
import { linkTo, seconds, theatreOf } from "../../src/pages/practice/scene";

it("reads words, a book and a seed from a link", () => {
  expect(theatreOf("?say=award+race+on+two+tables")).toEqual({ say: "award race on two tables" });
  expect(theatreOf("?say=misdeal&book=megalink-stud-v9&seed=7&until=dealt")).toEqual({
    say: "misdeal",
    rulebook: "megalink-stud-v9",
    seed: 7,
    until: "dealt",
  });
  const link = linkTo("a full house & more");
  expect(theatreOf(link.slice(link.indexOf("?")))).toEqual({ say: "a full house & more" });
});

it("reads chosen cards from a link", () => {
  expect(theatreOf("?hands=1:AsKs,3:9s8s&board=QsJsTs&dealer=2c2d&until=settling")).toEqual({
    scene: {
      rulebook: "megalink-holdem-v9",
      players: [
        { position: 1, cards: ["As", "Ks"] },
        { position: 3, cards: ["9s", "8s"] },
      ],
      board: ["Qs", "Js", "Ts"],
      dealer: ["2c", "2d"],
      until: "settling",
    },
  });
});

it("asks for nothing where the link does not, and ignores what is no seed or moment", () => {
  expect(theatreOf("?table=PRACTICE-1")).toBeUndefined();
  expect(theatreOf("?say=misdeal&seed=-4&until=tomorrow")).toEqual({ say: "misdeal" });
});

it("says how long something took", () => {
  expect(seconds(4_249)).toBe("4.2 s");
});
