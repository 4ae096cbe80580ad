import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { ENGLISH, language } from "../../src/lib/language.svelte";
import { curves } from "../../src/pages/lab/rules";
import { ruleText, ruleWords } from "../../src/pages/table/rulewords";
import { say } from "../../src/pages/table/words";
import { CHINESE } from "../../src/words/zh";

afterEach(() => {
  language.words = ENGLISH;
  language.name = "en";
});

function inChinese(): void {
  language.words = CHINESE;
  language.name = "zh";
}

const exactly = (numerator: number, denominator: number) => ({
  numerator: String(numerator),
  denominator: String(denominator),
});

/** Advice with what one list says. */
function advice(rule: string | null, action: Schemas["ActionAnswer"], cost: number): Schemas["AdviceAnswer"] {
  const net = exactly(0, 1);
  const says = { list: "five-lines", rule, action, cost: exactly(cost, 1000) };
  return {
    wager: "Turn",
    hand: "one-pair",
    choices: [
      { action: "bet", net, value: 0 },
      { action: "check", net, value: 0 },
    ],
    best: "bet",
    other_costs: net,
    ahead: { win: "1", stand_off: "0", lose: "0", all: "1" },
    rules: [{ ...says, list: "three-lines", rule: "turn: trips" }, says],
  };
}

test("the coach says the rule of the list that people learn, in both languages", () => {
  expect(ruleWords(advice("turn: pair", "bet", 0), 2500)).toBe("Rule: Turn wager with a pair.");
  expect(ruleText("river: straight, no board trips")).toBe(
    "River wager with a straight or better, not three of a kind on the board",
  );
  expect(ruleText("fold: 32o 42o")).toBe("fold 32o 42o");
  inChinese();
  expect(ruleWords(advice("turn: pair", "bet", 0), 2500)).toBe("规则：有对子时下转牌注。");
  expect(ruleWords(advice(null, "check", 0), 2500)).toBe("规则：没有适用的规则，过牌。");
});

test("a rule that is not the best says what it costs, in money", () => {
  expect(ruleWords(advice(null, "check", 12), 2500)).toBe(
    "Rule: no rule fits, so check. Following it costs $0.30 here.",
  );
  const none = { ...advice(null, "check", 0), rules: [] };
  expect(ruleWords(none, 2500)).toBeUndefined();
});

test("every condition of the lists that come with the program has words in both languages", () => {
  const folder = resolve(import.meta.dirname, "../../../crates/lab/rules");
  const lines = readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .filter((line) => /^(turn|river|bet):/.test(line));
  expect(lines.length).toBeGreaterThan(40);
  const conditions = new Set(
    lines.flatMap((line) => line.replace(/^\w+: /, "").split(", ")).map((part) => part.replace(/^no /, "")),
  );
  for (const words of [() => undefined, inChinese]) {
    words();
    const known: Readonly<Record<string, string>> = say.rules.conditions;
    expect([...conditions].filter((name) => known[name] === undefined)).toEqual([]);
  }
});

test("the curve goes by street, shortest first", () => {
  const found = (street: string, lines: number, cost: number) => ({
    street,
    rules: Array(lines).fill("turn: pair"),
    cost,
  });
  expect(curves([found("turn", 2, 0.01), found("river", 1, 0.03), found("turn", 1, 0.02)])).toEqual([
    {
      street: "turn",
      points: [
        { lines: 1, cost: 0.02 },
        { lines: 2, cost: 0.01 },
      ],
    },
    { street: "river", points: [{ lines: 1, cost: 0.03 }] },
  ]);
});
