import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { gameTitle, language, numberText, preferred, refusalText, say, sayCount } from "../../src/lib/language.svelte";
import { dateText } from "../../src/lib/time";
import { en } from "../../src/words/en";
import { zh, zhGames, zhRefusals } from "../../src/words/zh";

const WEB = resolve(import.meta.dirname, "../..");
const english: Readonly<Record<string, string>> = en;
const chinese: Readonly<Record<string, string>> = zh;

function inChinese(): void {
  language.words = { texts: zh, games: zhGames, refusals: zhRefusals };
  language.name = "zh";
}

afterEach(() => {
  language.words = { texts: en, games: {}, refusals: {} };
  language.name = "en";
});

/** The sources of the pages, without the catalogues. */
const sources = (): string =>
  readdirSync(join(WEB, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(svelte|ts)$/.test(file) && !file.endsWith(".d.ts") && !file.startsWith("words"))
    .map((file) => readFileSync(join(WEB, "src", file), "utf8"))
    .join("\n");

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

test("no text is missing in either language, and none is empty", () => {
  const said = Object.keys(english).filter((key) => !key.endsWith(".one"));
  expect(Object.keys(chinese).toSorted()).toEqual(said.toSorted());
  expect(Object.entries({ ...english, ...chinese }).filter(([, text]) => text.trim() === "")).toEqual([]);
  for (const key of Object.keys(english)) {
    if (key.endsWith(".one")) expect(english, key).toHaveProperty([key.replace(/one$/, "other")]);
  }
});

test("both languages fill in the same", () => {
  for (const [key, text] of Object.entries(chinese)) {
    expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ""));
  }
});

test("no text is unused", () => {
  const all = sources();
  const built = [...all.matchAll(/`([a-z-]+\.)\$\{/g)].map(([, start]) => start ?? "");
  const unused = Object.keys(english).filter((key) => {
    const base = key.replace(/\.(one|other)$/, "");
    return !all.includes(`"${key}"`) && !all.includes(`"${base}"`) && !built.some((start) => key.startsWith(start));
  });
  expect(unused).toEqual([]);
});

test("a call of the rulebooks stays in English, with its meaning beside it", () => {
  for (const key of Object.keys(english).filter((one) => one.startsWith("call."))) {
    expect(chinese[key]?.startsWith(english[key] ?? "?"), key).toBe(true);
    expect(chinese[key], key).toMatch(/[\u4e00-\u9fff]$/);
  }
});

test("every translated refusal is one that the server has", () => {
  const rust = ["round/src/refusal.rs", "floor/src/refusal.rs", "server/src"].flatMap((path) => {
    const whole = join(WEB, "../crates", path);
    if (path.endsWith(".rs")) return [readFileSync(whole, "utf8")];
    const files = readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rs"));
    return files.map((file) => readFileSync(join(whole, file), "utf8"));
  });
  const known = new Set(rust.join("\n").match(/\b[A-Z][A-Za-z]+\b/g));
  expect(Object.keys(zhRefusals).filter((reason) => !known.has(reason))).toEqual([]);
});

test("the browser's first language that the pages have is the one", () => {
  expect(preferred(["zh-CN", "en"])).toBe("zh");
  expect(preferred(["zh-Hant-TW"])).toBe("zh");
  expect(preferred(["ms-SG", "en-SG", "zh-SG"])).toBe("en");
  expect(preferred(["ta"])).toBe("en");
  expect(preferred([])).toBe("en");
});

test("texts, numbers, dates and what the server says follow the language", () => {
  const refused = { reason: "BetsAreClosed", detail: "Bets are closed; the wager may be placed in the next round." };
  const game = { rulebook: "megalink-stud-v9", title: "Megalink Singapore Stud Poker" };
  expect(say("lobby.in-play", { round: 4 })).toBe("Round 4 in play");
  expect(sayCount("lobby.play-for-it", 1, {})).toMatch(/^1 table plays/);
  expect(sayCount("lobby.play-for-it", 1200, {})).toMatch(/^1,200 tables play/);
  expect([refusalText(refused), gameTitle(game)]).toEqual([refused.detail, game.title]);
  inChinese();
  expect(say("lobby.in-play", { round: 4 })).toBe("第 4 局进行中");
  expect(sayCount("lobby.play-for-it", 1, {})).toMatch(/^1 张赌桌/);
  expect([numberText(649_740), dateText(Date.UTC(2026, 10, 15))]).toEqual(["649,740", "2026年11月15日"]);
  expect([refusalText(refused), gameTitle(game)]).toEqual(["下注已截止，请在下一局下注。", "Megalink 新加坡梭哈扑克"]);
  expect(refusalText({ reason: "Unheard", detail: "In English." })).toBe("In English.");
});
