import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  callText,
  ENGLISH,
  gameTitle,
  language,
  numberText,
  preferred,
  refusalText,
  say,
  sayCount,
} from "../../src/lib/language.svelte";
import { choiceText, comparedText, handName, paysText } from "../../src/lib/spoken";
import { dateText } from "../../src/lib/time";
import { learn } from "../../src/pages/table/demowords";
import { say as tableWords } from "../../src/pages/table/words";
import { en } from "../../src/words/en";
import { CHINESE } from "../../src/words/zh";

const WEB = resolve(import.meta.dirname, "../..");
const english: Readonly<Record<string, string>> = en;
const chinese: Readonly<Record<string, string>> = CHINESE.texts;

function inChinese(): void {
  language.words = CHINESE;
  language.name = "zh";
}

afterEach(() => {
  language.words = ENGLISH;
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

test("what the Dealer announces stays in English, with its meaning beside it", () => {
  const rust = readFileSync(join(WEB, "../crates/floor/src/view/stage.rs"), "utf8");
  expect(Object.keys(CHINESE.calls).filter((call) => !rust.includes(`"${call}"`))).toEqual([]);
  expect(callText("No more bets.")).toBe("“No more bets.”");
  inChinese();
  expect(callText("No more bets.")).toBe("“No more bets.” 停止下注");
  expect(callText("Something new.")).toBe("“Something new.”");
});

/** Every text of an object and of those in it, with the names of what it is filled in with. */
function leaves(texts: object, path = ""): [string, unknown][] {
  return Object.entries(texts).flatMap(([name, text]): [string, unknown][] =>
    typeof text === "object" && text !== null ? leaves(text, `${path}${name}.`) : [[`${path}${name}`, text]],
  );
}

/** What a text says with values that nobody would write. */
const filled = (text: unknown): string =>
  typeof text === "function" ? String(text(...FILLED.slice(0, text.length))) : String(text);
const FILLED = ["❶", "❷", "❸", "❹"];

test.each([
  ["table", tableWords],
  ["learn", learn],
] as const)("the texts of the %s are all there in Chinese, and fill in the same", (name, english) => {
  const known = new Map(leaves(CHINESE.objects[name]));
  for (const [path, text] of leaves({ ...english })) {
    const other = filled(known.get(path));
    if (!path.startsWith("keyList")) expect(other, path).toMatch(/[\u4e00-\u9fff]|❶/);
    const marks = (one: string) => FILLED.filter((mark) => one.includes(mark));
    expect(marks(other), path).toEqual(marks(filled(text)));
  }
});

test("no text of the table is unused", () => {
  const all = sources();
  const unused = Object.keys({ ...tableWords, ...learn }).filter(
    (name) => !new RegExp(`\\b(say|learn)\\.${name}\\b`).test(all),
  );
  expect(unused).toEqual([]);
});

test("hands, comparisons and choices of the server are made anew in Chinese", () => {
  const hand = (order: string, ranks: string[]) => ({ order, ranks, name: "in English", cards: [] }) as never;
  const compared = {
    position: 2,
    comparison: "higher",
    player: hand("two-pairs", ["Q", "6", "K"]),
    dealer: hand("one-pair", ["T", "A", "9", "4"]),
    player_ranks_told: 2,
    dealer_ranks_told: 1,
    words: "Two pairs, Queens and Sixes, beat a pair of Tens.",
  } as never;
  const choice = (command: object, label: string) => ({ command, label }) as never;
  expect(handName(hand("two-pairs", ["Q", "6", "K"]))).toBe("in English");
  expect(comparedText(compared)).toMatch(/^Two pairs/);
  inChinese();
  expect(handName(hand("two-pairs", ["Q", "6", "K"]))).toBe("两对 Q 和 6，边牌 K");
  expect(handName(hand("royal-flush", []))).toBe("皇家同花顺");
  expect(handName(hand("full-house", ["T", "2"]))).toBe("葫芦，10 带 2");
  expect(comparedText(compared)).toBe("您的 两对 Q 和 6 胜过庄家的 一对 10。");
  expect(choiceText(choice({ do: "decide", decision: "wager" }, "Flop P$50.00"))).toBe("翻牌注 P$50.00");
  expect(choiceText(choice({ do: "decide", decision: "fold" }, "Fold"))).toBe("弃牌");
  expect(choiceText(choice({ do: "leave-position", position: 4 }, "Leave position 4"))).toBe("离开 4 号座位");
  expect(choiceText(choice({ do: "something-new" }, "In English"))).toBe("In English");
  expect([paysText("400 for 1"), paysText("3 to 1"), paysText("$10,000.00")]).toEqual([
    "400 兑 1（含本金）",
    "3 比 1",
    "$10,000.00",
  ]);
});

test("every translated refusal is one that the server has", () => {
  const rust = ["round/src/refusal.rs", "floor/src/refusal.rs", "server/src"].flatMap((path) => {
    const whole = join(WEB, "../crates", path);
    if (path.endsWith(".rs")) return [readFileSync(whole, "utf8")];
    const files = readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rs"));
    return files.map((file) => readFileSync(join(whole, file), "utf8"));
  });
  const known = new Set(rust.join("\n").match(/\b[A-Z][A-Za-z]+\b/g));
  expect(Object.keys(CHINESE.refusals).filter((reason) => !known.has(reason))).toEqual([]);
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
