import { describe, expect, it } from "vitest";
import { accountWords, checkText } from "../../src/lib/books";
import { exactMoney, readAmount } from "../../src/lib/money";
import { postName } from "../../src/lib/offices";
import { byPost } from "../../src/pages/pit/offices";
import { percentText, readPercent, settingsForm } from "../../src/pages/pit/settings";
import { EMPTY, limits, setup, wrongLimits } from "../../src/pages/pit/setup";
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

describe("an exact amount", () => {
  it.each([
    [{ cents: 0 }, "$0.00"],
    [{ cents: 0, fraction: 1 }, "$0.000001"],
    [{ cents: 1 }, "$0.01"],
    [{ cents: 1, fraction: 2500 }, "$0.0125"],
    [{ cents: 26_842_300 }, "$268,423.00"],
    [{ cents: -43_164_200 }, "−$431,642.00"],
    [{ cents: 0, fraction: -5000 }, "−$0.005"],
    [{ cents: Number.MAX_SAFE_INTEGER, fraction: 1234 }, "$90,071,992,547,409.911234"],
  ])("%o is %s", (amount, shown) => {
    expect(exactMoney(amount)).toBe(shown);
  });
});

describe("the books in words", () => {
  const books = accountWords(
    [
      { account: "house", holds: { cents: 0, fraction: -30 } },
      { account: "wallet/Ann", holds: { cents: 9_007_199_254_740_991, fraction: 9_999 } },
      { account: "wallet/Bo", holds: { cents: 0, fraction: 1 } },
      { account: "meter/Mega link", holds: { cents: 0, fraction: 30 } },
      { account: "something new", holds: { cents: 0, fraction: 5 } },
    ],
    ["wallet/Bo"],
  );

  it("are grouped, with exact sums", () => {
    expect(books.map(({ title, sum, rows }) => [title, sum, rows.length])).toEqual([
      ["The house", -25n, 2],
      ["Meters", 30n, 1],
      ["Players' credits", 90_071_992_547_409_920_000n, 2],
    ]);
  });
  it("say which account is off, and where its events are", () => {
    expect(books[2]?.rows.map((row) => row.off)).toEqual([false, true]);
    expect(books[1]?.rows[0]?.address).toBe("/desk?link=Mega%20link");
  });
});

describe("whether every cent is accounted for", () => {
  const at = Date.parse("2026-11-15T06:28:10Z");
  const zero = { figure: { cents: 0 }, at };

  it("is not said before it is known", () => {
    for (const isOld of [false, true])
      expect(checkText(undefined, isOld)).toEqual({
        state: "unknown",
        words: "Every cent:",
        figure: "not known yet",
      });
  });
  it("is a difference, and there is none", () => {
    expect(checkText(zero, false)).toEqual({
      state: "right",
      words: "Every cent accounted for:",
      figure: "no difference",
    });
    expect(checkText({ figure: { cents: -5, fraction: -1 }, at }, false)).toMatchObject({ state: "wrong" });
  });
  it("is not known since it could not be asked for, and an alarm stays one", () => {
    expect(checkText(zero, true)).toMatchObject({ state: "unknown", figure: "not known since 14:28" });
    expect(checkText({ figure: { cents: 5 }, at }, true)).toMatchObject({
      state: "wrong",
      words: "Unaccounted for at 14:28",
    });
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
  it("has a reason where one is given in words", () => {
    expect(setup({ ...filled, reason: " " }, true)).toMatchObject({ reason: null });
    expect(setup({ ...filled, reason: " training " }, true)).toMatchObject({ reason: "training" });
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
      round_contribution_max: { cents: 9 },
    });
    expect(settingsForm({ ...filled, reserve: "x" })).toBeUndefined();
    expect(settingsForm({ ...filled, roundMost: undefined })).toBeUndefined();
  });
});

it("the staff are listed by office, highest first, then by department", () => {
  const staff = [
    { person: "Dan", office: "dealer" as const, department: "table-games" as const, choices: [] },
    { person: "Raj", office: "gaming-shift-manager" as const, department: "table-games" as const, choices: [] },
    { person: "Abe", office: "dealer" as const, department: "accounting" as const, choices: [] },
  ];
  expect(byPost(staff).map((group) => [postName(group), group.people.map(({ person }) => person)])).toEqual([
    ["Gaming Shift Manager", ["Raj"]],
    ["Pit Manager", []],
    ["Pit Supervisor", []],
    ["Dealer", ["Dan"]],
    ["Accounting", ["Abe"]],
    ["Surveillance", []],
    ["Security", []],
    ["Regulator", []],
  ]);
});

describe("the audit trail", () => {
  const entry = (version: number) => ({
    version,
    stream: "table/1",
    at: 0,
    kind: "settled" as const,
    sentence: `${version}`,
    data: {},
  });

  it("is newest first, and holds nothing twice", () => {
    const once = longer([], [entry(1), entry(2)]);
    expect(longer(once, [entry(2), entry(3)]).map(({ version }) => version)).toEqual([3, 2, 1]);
  });
  it("does not grow without end", () => {
    const many = Array.from({ length: TRAIL_LENGTH + 50 }, (_, at) => entry(at + 1));
    expect(longer([], many)).toHaveLength(TRAIL_LENGTH);
    expect(longer([], many)[0]?.version).toBe(TRAIL_LENGTH + 50);
  });
});

describe("limits that cannot be", () => {
  it("are named, so that nobody wonders why the button is grey", () => {
    expect(wrongLimits(EMPTY, true)).toBeUndefined();
    expect(wrongLimits({ ...EMPTY, anteLeast: 5000, anteMost: 1000 }, true)).toContain("Ante");
    expect(wrongLimits({ ...EMPTY, bonusLeast: 5000, bonusMost: 1000 }, true)).toContain("Bonus");
    expect(wrongLimits({ ...EMPTY, bonusLeast: 5000, bonusMost: 1000 }, false)).toBeUndefined();
    expect(wrongLimits({ ...EMPTY, anteMost: undefined }, true)).toBeUndefined();
  });
});
