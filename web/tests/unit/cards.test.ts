import { describe, expect, it } from "vitest";
import { face, PIPS, RANKS, SUITS } from "../../src/lib/cards";

describe("cards", () => {
  it("are 52, each with a name of its own", () => {
    const names = SUITS.flatMap((suit) => RANKS.map((rank) => face(rank + suit).name));
    expect(new Set(names).size).toBe(52);
    expect(face("Td")).toEqual({ rank: "T", suit: "d", name: "Ten of Diamonds" });
  });

  it("have as many pips as their number says", () => {
    for (const [rank, pips] of Object.entries(PIPS)) expect(pips.length).toBe(rank === "T" ? 10 : Number(rank));
  });

  it.each(["", "1s", "Ax", "10s", "asd"])("%j is none", (text) => expect(() => face(text)).toThrow("is not a card"));
});
