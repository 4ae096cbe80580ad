import { describe, expect, it } from "vitest";
import type { TableView } from "../../src/lib/api";
import type { Area } from "../../src/lib/game";
import { acceptedMeans, proposedMeans } from "../../src/pages/dealer/means";

type Means = "chips" | "credits";
type View = Pick<TableView, "choices" | "seats" | "dealing">;

const choice = (area: Area, means: Means, position = 2) => ({
  command: { do: "place-wager", position, area, owner: "Ann", amount: 500, means },
});

const view = (choices: object[], wagers: object[] = [], dealing = "live"): View =>
  ({ choices, dealing, seats: [{ position: 2, areas: [{ area: "ante", wagers }] }] }) as unknown as View;

describe("what a wager is proposed in", () => {
  it("is what the table takes, where it takes one alone", () => {
    const chips = view([choice("jackpot", "chips"), choice("ante", "credits")], [{ owner: "Ann", means: "credits" }]);
    expect(acceptedMeans(chips, 2, "jackpot")).toEqual(["chips"]);
    expect(proposedMeans(chips, 2, "jackpot", "Ann")).toBe("chips");
    expect(acceptedMeans(chips, 3, "jackpot")).toEqual([]);
  });

  it("is what the Player's other wagers are in, where it takes both", () => {
    const both = [choice("jackpot", "credits"), choice("jackpot", "chips")];
    for (const means of ["chips", "credits"] as const) {
      const wagers = [
        { owner: "Bob", means: means === "chips" ? "credits" : "chips" },
        { owner: "Ann", means },
      ];
      expect(proposedMeans(view(both, wagers), 2, "jackpot", "Ann")).toBe(means);
    }
  });

  it("is chips at a table with a Dealer for a Player's first wager, and credits at others", () => {
    const both = [choice("jackpot", "credits"), choice("jackpot", "chips")];
    expect(proposedMeans(view(both), 2, "jackpot", "Ann")).toBe("chips");
    expect(proposedMeans(view(both, [], "software"), 2, "jackpot", "Ann")).toBe("credits");
  });
});
