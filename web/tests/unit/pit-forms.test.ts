import { describe, expect, it } from "vitest";
import { accountWords } from "../../src/lib/books";
import { fine, readAmount } from "../../src/lib/money";
import { ladder } from "../../src/pages/pit/offices";
import { percentText, readPercent, settingsForm } from "../../src/pages/pit/settings";
import { EMPTY, limits, setup } from "../../src/pages/pit/setup";
import { longer, TRAIL_LENGTH } from "../../src/pages/pit/trail";

describe("an amount typed in", () => {
  it.each([
    ["25", 2500],
    ["25.5", 2550],
    ["1,250.05", 125_005],
    [" 0.01 ", 1],
    ["1000000", 100_000_000],
  ])("%s is %i cents", (text, cents) => {
    expect(readAmount(text)).toBe(cents);
  });
  it.each(["", "-5", "1.234", "1,25", "1e3", "12,34,567", "99999999999999", "a"])("%s is no amount", (text) => {
    expect(readAmount(text)).toBeUndefined();
  });
});

describe("a fine amount", () => {
  it.each([
    ["0", "0.00"],
    ["1", "0.000001"],
    ["10000", "0.01"],
    ["12500", "0.0125"],
    ["268423000000", "268,423.00"],
    ["-431642000000", "−431,642.00"],
    ["123456789012345678901234", "123,456,789,012,345,678.901234"],
  ])("%s is %s", (text, shown) => {
    expect(fine(text)).toBe(shown);
  });
});

describe("the books in words", () => {
  const books = accountWords(
    [
      { account: "house", holds: "-30" },
      { account: "wallet/Ann", holds: "12345678901234567890" },
      { account: "wallet/Bo", holds: "1" },
      { account: "meter/Mega link", holds: "30" },
      { account: "something new", holds: "5" },
    ],
    ["wallet/Bo"],
  );

  it("are grouped, with exact sums", () => {
    expect(books.map(({ title, sum, rows }) => [title, sum, rows.length])).toEqual([
      ["The house", "-25", 2],
      ["Meters", "30", 1],
      ["Players' credits", "12345678901234567891", 2],
    ]);
  });
  it("say which account is off, and where its events are", () => {
    expect(books[2]?.rows.map((row) => row.off)).toEqual([false, true]);
    expect(books[1]?.rows[0]?.address).toBe("/desk?link=Mega%20link");
  });
});

describe("a table's setup", () => {
  const filled = { ...EMPTY, rulebook: "megalink-holdem-v9" };

  it("has a Bonus where the game has one", () => {
    expect(limits(filled, true)).toEqual({ ante: [2500, 100_000], bonus: [500, 10_000] });
    expect(limits(filled, false)).toEqual({ ante: [2500, 100_000] });
  });
  it("is not complete without its limits, or with the most under the least", () => {
    expect(setup({ ...filled, anteMost: undefined }, true)).toBeUndefined();
    expect(setup({ ...filled, anteMost: 100 }, true)).toBeUndefined();
    expect(setup({ ...filled, bonusLeast: undefined }, true)).toBeUndefined();
    expect(setup({ ...filled, bonusLeast: undefined }, false)).toBeDefined();
    expect(setup({ ...filled, rulebook: "" }, true)).toBeUndefined();
  });
  it("leaves the method and the link out where none is chosen", () => {
    expect(setup(filled, true)).toMatchObject({ method: null, link: null });
    expect(setup({ ...filled, method: "method-b", link: "Megalink" }, true)).toMatchObject({
      method: "method-b",
      link: "Megalink",
    });
  });
});

describe("a link's settings", () => {
  it("take percentages with two decimals", () => {
    expect(readPercent("25")).toBe(2500);
    expect(readPercent("0.5")).toBe(50);
    expect(readPercent("12.34")).toBe(1234);
    expect(readPercent("100.01")).toBeUndefined();
    expect(readPercent("-1")).toBeUndefined();
    expect([0, 50, 1234, 2500, 10_000].map(percentText)).toEqual(["0", "0.5", "12.34", "25", "100"]);
  });
  it("are complete but for cap and reserve", () => {
    const filled = { minimum: 500, contribution: "25", reserve: "", reset: 1, cap: undefined, roundMost: 9 };
    expect(settingsForm(filled)).toEqual({
      minimum_wager: 500,
      contribution_bps: 2500,
      reserve_bps: null,
      reset: 1,
      cap: null,
      round_contribution_max: 9,
    });
    expect(settingsForm({ ...filled, reserve: "x" })).toBeUndefined();
    expect(settingsForm({ ...filled, roundMost: undefined })).toBeUndefined();
  });
});

it("the staff stand on the ladder of offices, highest first", () => {
  const staff = [
    { person: "Dan", office: "Dealer" },
    { person: "Raj", office: "Gaming Shift Manager" },
  ];
  expect(ladder(staff).map(({ words, people }) => [words, people])).toEqual([
    ["Gaming Shift Manager", ["Raj"]],
    ["Pit Manager", []],
    ["Pit Supervisor", []],
    ["Dealer", ["Dan"]],
  ]);
});

describe("the audit trail", () => {
  const told = (version: number) => ({
    version,
    stream: "table/1",
    at: 0,
    kind: "x",
    sentence: `${version}`,
    data: {},
  });

  it("is newest first, and holds nothing twice", () => {
    const once = longer([], [told(1), told(2)]);
    expect(longer(once, [told(2), told(3)]).map((entry) => entry.version)).toEqual([3, 2, 1]);
  });
  it("does not grow for ever", () => {
    const many = Array.from({ length: TRAIL_LENGTH + 50 }, (_, at) => told(at + 1));
    expect(longer([], many)).toHaveLength(TRAIL_LENGTH);
    expect(longer([], many)[0]?.version).toBe(TRAIL_LENGTH + 50);
  });
});
