// The lab's rule lists as lessons: every condition has words in both languages, and a loss is said in money.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ENGLISH, language } from "../../src/lib/language.svelte";
import { anHour, keep, load, noAnswers } from "../../src/pages/train/progress";
import { ruleWords } from "../../src/pages/train/rules";
import { en } from "../../src/words/en";
import { CHINESE } from "../../src/words/zh";

const LAB = resolve(import.meta.dirname, "../../../crates/lab/src");

afterEach(() => {
  language.words = ENGLISH;
  language.name = "en";
});

test("every condition of the lab has words", () => {
  const sources = ["holdem/count/conditions.rs", "stud/rules.rs"].map((file) => readFileSync(join(LAB, file), "utf8"));
  const conditions = sources.flatMap((source) =>
    [...(source.match(/CONDITIONS: \[&str; \d+\] = \[([^\]]*)\]/)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
      ([, name]) => name ?? "",
    ),
  );
  expect(conditions.length).toBe(36);
  const missing = conditions.filter((name) => !(`condition.${name.replaceAll(" ", "-")}` in en));
  expect(missing).toEqual([]);
});

test("a line is read as people say it", () => {
  expect(ruleWords("fold: 32o 42o")).toBe("Fold 32o 42o; play everything else");
  expect(ruleWords("turn: flush draw, ten high")).toBe("Turn with four to a Flush, a Ten or higher");
  expect(ruleWords("river: straight, no board trips")).toBe(
    "River with a Straight or better, not three of a kind on the board",
  );
  expect(ruleWords("bet: something new")).toBe("Bet with something new");
  language.words = CHINESE;
  language.name = "zh";
  expect(ruleWords("turn: pair")).toBe("用自己的牌成一对：下注（转牌）");
});

test("a loss in Antes a round is money an hour", () => {
  expect(anHour(0.03, 2500, 40)).toBe(3000);
});

test("the answers of a guest stay in the browser, by rulebook", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
  const tally = { ...noAnswers(), streak: 3 };
  keep("megalink-stud-v9", tally, storage);
  expect(load("megalink-stud-v9", storage)).toEqual(tally);
  expect(load("megalink-holdem-v9", storage)).toEqual(noAnswers());
  storage.setItem("train", "nonsense");
  expect(load("megalink-stud-v9", storage)).toEqual(noAnswers());
});
