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
import {
  byText,
  choiceText,
  comparedText,
  eventText,
  faultText,
  handName,
  handTitle,
  lineText,
  noticeText,
  paysText,
} from "../../src/lib/spoken";
import { dateText } from "../../src/lib/time";
import { say as meWords } from "../../src/pages/me/words";
import { say as replayWords } from "../../src/pages/replay/words";
import { learn } from "../../src/pages/table/demowords";
import { say as tableWords } from "../../src/pages/table/words";
import { en } from "../../src/words/en";
import { CHINESE } from "../../src/words/zh";
import { EVENT_KINDS } from "../../src/words/zh-events";

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
const sources = (folder = ""): string =>
  readdirSync(join(WEB, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(svelte|ts)$/.test(file) && !file.endsWith(".d.ts") && !file.startsWith("words/"))
    .map((file) => readFileSync(join(WEB, "src", folder, file), "utf8"))
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
  ["me", meWords],
  ["replay", replayWords],
] as const)("the texts of the %s are all there in Chinese, and fill in the same", (name, english) => {
  const known = new Map(leaves(CHINESE.objects[name]));
  for (const [path, text] of leaves({ ...english })) {
    const other = filled(known.get(path));
    if (!/^keyList|ace-king$/.test(path)) expect(other, path).toMatch(/[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]|❶/);
    const marks = (one: string) => FILLED.filter((mark) => one.includes(mark));
    expect(marks(other), path).toEqual(marks(filled(text)));
  }
});

test.each([
  ["table", { ...tableWords, ...learn }],
  ["me", { ...meWords }],
  ["replay", { ...replayWords }],
])("no text of the page %s is unused", (page, texts) => {
  const all = sources(join("pages", page));
  // A replay says "wins", "loses" or "level" by the outcome's name.
  const unused = Object.keys(texts).filter((name) => !new RegExp(`\\b(say|learn)\\.${name}\\b|"${name}"`).test(all));
  expect(unused).toEqual([]);
});

/** What Players see, apart from the replay's part for auditors and what only people with an account do. */
const PLAYERS_PAGES = ["lobby", "table", "me", "sign", "sheet", "signin", "replay"];
const NOT_FOR_PLAYERS =
  /(replay.(Audit|Entries)|signin.(AcceptInvitation|ChangePassword|NewPassword|SecondFactor))\.svelte$/;
const PLAYERS_COMPONENTS = [
  "Shell",
  "Told",
  "Connection",
  "Notices",
  "Dialog",
  "AmountField",
  "Card",
  "Chip",
  "ChipStack",
];

/** Texts of a component that stand in the page itself: between its tags, or in an attribute that is read out. */
function literals(source: string): string[] {
  let markup = source.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, "");
  for (let before = ""; before !== markup; ) {
    before = markup;
    markup = markup.replace(/\{[^{}]*\}/g, "");
  }
  const attributes = markup.matchAll(/ (?:aria-label|title|placeholder|alt|label)="([^"]*)"/g);
  const texts = markup.replace(/&nbsp;|<[^>]*>/g, "\n").split("\n");
  return [...texts, ...[...attributes].map(([, text]) => text ?? "")].filter((text) => /[A-Za-z]{2}/.test(text));
}

test("no page of the Players has a text of its own beside the catalogue", () => {
  expect(literals('<p title="Some words">{say("x")} more</p>')).toEqual([" more", "Some words"]);
  const pages = PLAYERS_PAGES.flatMap((page) => {
    const folder = join(WEB, "src/pages", page);
    return readdirSync(folder).map((file) => join(folder, file));
  }).filter((file) => file.endsWith(".svelte") && !NOT_FOR_PLAYERS.test(file));
  const components = PLAYERS_COMPONENTS.map((name) => join(WEB, "src/components", `${name}.svelte`));
  const found = [...pages, ...components].flatMap((file) =>
    literals(readFileSync(file, "utf8")).map((text) => `${file.slice(WEB.length)}: ${text.trim()}`),
  );
  expect(found.filter((text) => !/: ((· )?Megalink|Enter)$/i.test(text))).toEqual([]);
});

test("every entry of a table is said in Chinese", () => {
  const described = ["table.rs", "round.rs"].map((file) =>
    readFileSync(join(WEB, "../crates/floor/src/view/describe", file), "utf8"),
  );
  const kinds = new Set([...described.join("\n").matchAll(/EventKind::([A-Z]\w+)/g)].map(([, kind]) => kind ?? ""));
  const kebab = (kind: string) => kind.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
  expect(kinds.size).toBeGreaterThan(50);
  expect([...kinds].map(kebab).filter((kind) => !EVENT_KINDS.includes(kind as never))).toEqual([]);
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
  expect(comparedText(compared, true)).toMatch(/^Two pairs/);
  inChinese();
  expect(handName(hand("two-pairs", ["Q", "6", "K"]))).toBe("两对 Q 和 6，边牌 K");
  expect(handName(hand("royal-flush", []))).toBe("皇家同花顺");
  expect(handName(hand("full-house", ["T", "2"]))).toBe("葫芦，10 带 2");
  expect(comparedText(compared, true)).toBe("您的两对 Q 和 6 胜过庄家的一对 10。");
  expect(comparedText(compared, false)).toBe("玩家的两对 Q 和 6 胜过庄家的一对 10。");
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

test("lines of pay tables and hands of an advice are said in Chinese", () => {
  const printed = [
    "a better hand",
    "a better hand, Straight or higher",
    "a better hand, or the Dealer has none",
    "AA against AA",
    "Three of a kind, 7-7-7-A-Q",
    "T4o",
  ];
  expect(printed.slice(0, 5).map(handTitle)).toEqual(printed.slice(0, 5));
  expect(handTitle("T4o")).toBe("Ten and Four of two suits");
  inChinese();
  expect(printed.map(handTitle)).toEqual([
    "牌大于庄家",
    "牌大于庄家，且为顺子或以上",
    "牌大于庄家，或庄家不成牌",
    "AA 对 AA",
    "三条，7-7-7-A-Q",
    "不同花色的 10 和 4",
  ]);
});

test("entries, measures, faults and notices of the server are said in Chinese", () => {
  const event = (kind: string, data: object, over: object = {}) =>
    ({ stream: "table/7", version: 1, at: 0, kind, sentence: "in English", data, by: null, ...over }) as never;
  const folds = { position: 3, decision: "fold" };
  expect(eventText(event("decided", folds))).toBe("in English");
  inChinese();
  expect(eventText(event("decided", folds))).toBe("3 号座位弃牌。");
  expect(eventText(event("decided", folds, { by: "system" }))).toBe("3 号座位未及时决定：弃牌。");
  expect(eventText(event("wager-placed", { position: 2, player: "Ann", area: "ante", amount: 5_000 }))).toBe(
    "Ann 在 2 号座位下底注 $50.00。",
  );
  const prohibited = { sentence: "Ann is prohibited from play. The reason: late bets." };
  expect(eventText(event("player-prohibited", { player: "Ann" }, prohibited))).toBe(
    "Ann 被禁止游戏。原因：late bets。",
  );
  const turned = [{ place: { community: 0 }, card: "Ts" }];
  expect(eventText(event("exposed", { exposed: "turn-card", cards: turned }))).toBe("转牌：10♠。");
  expect(eventText(event("something-new", {}))).toBe("in English");
  expect([byText("Pit Supervisor"), byText("acting Pit Manager"), byText("Guest 7")]).toEqual([
    "赌区主管",
    "代理赌区经理",
    "Guest 7",
  ]);
  const fault = { number: 2, kind: "counts-differ", locks: "table", table: "MTHB9-1", sentence: "in English" } as never;
  expect(faultText(fault)).toBe("第 2 号故障：MTHB9-1 与控制器记录的奖池注不一致；该桌不接受奖池注，待两人解除。");
  const sentence = "The meter was adjusted from 10.00 to 12.00: reserve was added to it. Slip 4.";
  expect(noticeText({ at: "", sentence })).toBe("奖池金额由 10.00 调整为 12.00：加入了储备金。Slip 4.");
});

test("why a wager ended is said as completely as in English", () => {
  const line = (over: object) =>
    ({
      position: 2,
      area: "ante",
      owner: "Ann",
      staked: 5_000,
      paid: 0,
      returned: 5_000,
      collected: 0,
      outcome: "stand-off",
      clause: "MTHB9 3.10.2",
      why: "Ante 50.00 stands off: 2 won because …; the Ante pays from a Straight up (MTHB9 3.10.2)",
      because: { reason: "higher", ante_pays_from: "straight" },
      ...over,
    }) as never;
  const hand = (order: string, ranks: string[]) => ({ order, ranks, name: "in English", cards: [] });
  const compared = [
    {
      position: 2,
      comparison: "higher",
      player: hand("two-pairs", ["Q", "6", "K"]),
      dealer: hand("one-pair", ["T", "A", "9", "4"]),
      player_ranks_told: 2,
      dealer_ranks_told: 1,
      words: "Two pairs, Queens and Sixes, beat a pair of Tens.",
    },
  ] as never;
  expect(lineText(line({}), compared)).toMatch(/^Ante \$50\.00 stands off.* up\.$/);
  inChinese();
  expect(lineText(line({}), compared)).toBe(
    "底注 $50.00 和局，退还：2 号座位赢了：玩家的两对 Q 和 6 胜过庄家的一对 10；底注在顺子或以上才派彩。",
  );
  const bonus = {
    area: "bonus",
    outcome: "collected",
    because: { reason: "not-on-bonus-table", hole_cards: ["As", "Kd"] },
  };
  expect(lineText(line(bonus), [])).toBe(
    "红利注 $50.00 被收走：2 号座位的底牌（不同花色的 A 和 K）不在红利注赔率表上。",
  );
  const judged = { of: "hole-and-flop", hand: hand("one-pair", ["T", "A", "9", "4"]) };
  const jackpot = {
    area: "jackpot",
    outcome: "collected",
    because: { reason: "not-on-jackpot-table", folded: true, jackpot_hand: judged },
  };
  expect(lineText(line(jackpot), [])).toBe(
    "奖池注 $50.00 被收走：2 号座位已弃牌，2 号座位的底牌加翻牌为一对 10，边牌 A、9、4，不在奖池赔率表上。",
  );
  const won = {
    area: "jackpot",
    outcome: "won",
    because: {
      reason: "on-jackpot-table",
      won_with: [{ hand: "straight-flush", pays: "10% of the meter", award: 3, amount: 2_684_100 }],
    },
  };
  expect(lineText(line(won), [])).toBe("奖池注 $50.00 赢得奖池的 10%，即第 3 号奖金 $26,841.00：同花顺。");
  const over = {
    outcome: { paid: "1 to 1" },
    paid: 4_000,
    because: { reason: "higher", limit: "part-counts", counted: 4_000 },
  };
  expect(lineText(line(over), [])).toBe(
    "底注 $50.00 按 1 比 1 派彩 $40.00：2 号座位赢了；在最高限额之内，其中 $40.00 有效。",
  );
});

/** Reasons that only people of the staff meet, who have their pages in English. */
const STAFF_REASONS = [
  "SettledAsRead",
  "PlayerIsNotProhibited",
  "PlayerIsNotRestricted",
  "PlayerIsTold",
  "NotDealing",
  "NoSuchCard",
  "CardIsRead",
  "CardNotRead",
  "NothingToExpose",
  "NotDecidedYet",
  "EnteredByPlayer",
  "SameAsEntered",
  "HandNotDeclined",
  "CardsHandled",
  "HandIsHandled",
  "CountDecides",
  "NoMisdeal",
  "NoCardCounted",
  "HandsNotNamed",
  "WithdrawalsPermitted",
  "HandWasWrong",
  "WordsAreMissing",
];

test("every reason of the rules that a Player can meet is said in Chinese", () => {
  const rust = readFileSync(join(WEB, "../crates/round/src/refusal.rs"), "utf8");
  const reasons = [...rust.matchAll(/^ {4}([A-Z]\w+) "/gm)].map(([, reason]) => reason ?? "");
  expect(reasons.length).toBeGreaterThan(70);
  const missing = reasons.filter((reason) => !(reason in CHINESE.refusals) && !STAFF_REASONS.includes(reason));
  expect(missing).toEqual([]);
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

/** Words that Players and staff stumbled over, and what a page with a finger does not say. */
const STUMBLED = [
  /wagers lie\b/i,
  /known as a house/i,
  /come to nought/i,
  /"Not now"/,
  /Sign in with your office/,
  /Mix it in/,
  /As lies on the table/,
  />\s*Four colours/,
];

test("no page says what people stumbled over, and the table does not ask for a click", () => {
  const all = sources();
  expect(STUMBLED.filter((words) => words.test(all))).toEqual([]);
  const texts = [...leaves({ ...tableWords }), ...leaves({ ...learn }), ...Object.entries(english)];
  expect(texts.filter(([, text]) => /\bclick/i.test(filled(text)))).toEqual([]);
});
