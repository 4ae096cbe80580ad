import { describe, expect, it } from "vitest";
import { type ClauseView, counted, depth, differences, matches, sections, sister } from "../../src/pages/rules/book";
import { effects } from "../../src/pages/rules/effects";
import { howToPlay } from "../../src/pages/rules/howto";
import { wordsApart } from "../../src/pages/rules/words";

const clause = (number: string, gist: string, more: Partial<ClauseView> = {}): ClauseView => ({
  clause: `MTHB9 ${number}`,
  number,
  kind: "decided",
  gist,
  why: null,
  tests: [],
  readings: [],
  ...more,
});

describe("clauses", () => {
  it("stand in the sections of their numbers", () => {
    const found = sections([clause("1.1", "a"), clause("3.10.2", "b"), clause("3.11", "c"), clause("Appendix A", "d")]);
    expect(found.map(({ id, clauses }) => [id, clauses.length])).toEqual([
      ["1", 1],
      ["3", 2],
      ["Appendix", 1],
    ]);
    expect(depth("3.10.2")).toBe(2);
  });

  it("are found by all of the words, in any order", () => {
    const one = clause("5.12", "A Jackpot wager without an Ante goes back.", { tests: ["mthb9_5_12"] });
    expect(matches(one, "ante jackpot")).toBe(true);
    expect(matches(one, "5.12")).toBe(true);
    expect(matches(one, "mthb9_5")).toBe(true);
    expect(matches(one, "ante bonus")).toBe(false);
  });

  it("need a proof where something is decided or left to an office", () => {
    const all = [
      clause("1.1", "a", { kind: "definition" }),
      clause("3.1", "b", { tests: ["one", "two"] }),
      clause("3.2", "c", { kind: "discretion", tests: ["two"] }),
      clause("3.3", "d"),
    ];
    expect(counted(all)).toEqual({ clauses: 4, toProve: 3, proven: 2, tests: 2 });
  });
});

describe("two books", () => {
  it("are laid side by side by number, what only one has in its place", () => {
    const left = [
      clause("1", "same"),
      clause("2", "old"),
      clause("3", "gone"),
      clause("4", "kept"),
      clause("6", "last"),
    ];
    const right = [clause("1", "same"), clause("2", "new"), clause("4", "kept"), clause("5", "added")];
    expect(differences(left, right).map(({ number, state }) => [number, state])).toEqual([
      ["1", "alike"],
      ["2", "differs"],
      ["3", "left"],
      ["4", "alike"],
      ["5", "right"],
      ["6", "left"],
    ]);
  });

  it("are compared word by word", () => {
    expect(wordsApart("pays 20 for the flush", "pays 40 for a flush")).toEqual([
      { text: "pays", only: false },
      { text: "40", only: true },
      { text: "for", only: false },
      { text: "a", only: true },
      { text: "flush", only: false },
    ]);
    expect(wordsApart("", "all new")).toEqual([{ text: "all new", only: true }]);
  });

  it("are sisters where they have one title", () => {
    const book = (id: string, title: string) => ({ id, citation: id, title, version: 1, in_force: "" });
    const books = [book("a", "Stud"), book("b", "Hold'em"), book("c", "Hold'em")];
    expect(sister(books, "c")).toBe("b");
    expect(sister(books, "a")).toBe("b");
  });
});

describe("the effect of a reading", () => {
  const ratio = (numerator: string, denominator: string) => ({ numerator, denominator, value: 0 });
  const usual = {
    ante_edge: ratio("1", "50"),
    bonus_edge: ratio("1", "10"),
    jackpot_fixed_return: ratio("0", "1"),
    jackpot_net: ratio("-100", "1"),
    two_straight_flushes: [1000, 900],
    two_royal_flushes: [],
    silence_gain: ratio("0", "1"),
    silence_gain_every_wager: ratio("0", "1"),
  };

  it("is nothing where no figure differs", () => {
    expect(effects(usual, usual, 2500, 500)).toEqual([]);
  });

  it("says what silence gains", () => {
    const other = { ...usual, silence_gain: ratio("1", "2"), silence_gain_every_wager: ratio("1500", "1") };
    expect(effects(usual, other, 2500, 500)).toEqual([
      {
        what: "Silence instead of a fold gains, of the Ante",
        from: "0.000%",
        to: "50.000%",
        worth: "+$12.5000 a round",
      },
      { what: "The same with every wager placed", from: "$0.0000", to: "$15.0000", worth: "+$15.0000 a round" },
    ]);
  });

  it("is shown in figures and money", () => {
    const other = {
      ...usual,
      ante_edge: ratio("3", "100"),
      jackpot_net: ratio("-50", "1"),
      two_straight_flushes: [950, 950],
    };
    expect(effects(usual, other, 2500, 500)).toEqual([
      {
        what: "The house keeps of the Ante",
        from: "2.000%",
        to: "3.000%",
        worth: "an Ante of $25.00 loses $0.2500 more",
      },
      { what: "A Jackpot wager of $5.00 brings", from: "−$1.0000", to: "−$0.5000", worth: "+$0.5000 a round" },
      {
        what: "Two straight flushes of one round are awarded",
        from: "$10.00 and $9.00",
        to: "$9.50 and $9.50",
        worth: undefined,
      },
    ]);
  });
});

describe("how to play", () => {
  it("has the book's own figures", () => {
    const pays = [{ area: "Ante", what: "a better hand, Straight or higher", pays: "1 to 1", keys: [] }];
    const following = ["Flop", "Turn", "River"].map((area, at) => ({ area, times_ante: at === 0 ? 2 : 1 }));
    const steps = howToPlay({ game: "holdem", following, pays });
    expect(steps.map(({ title }) => title)).toEqual(["Ante", "Fold or Flop", "Turn and River", "Win", "Jackpot"]);
    expect(steps[1]?.text).toContain("twice the Ante on Flop");
    expect(steps[3]?.text).toContain("a better hand, Straight or higher");
    const bet = [{ area: "Bet", times_ante: 3 }];
    expect(howToPlay({ game: "stud", following: bet, pays })[1]?.text).toContain("3 times the Ante on Bet");
  });
});
