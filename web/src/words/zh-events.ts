// What happened at a table, in Simplified Chinese: made from the kind and the particulars of each entry. What stands here
// for no kind is shown in English, as the server sends it.
import type { EventView, Schemas } from "../lib/api";
import { face } from "../lib/cards";
import { money } from "../lib/money";
import { hand, TURNED, WAGERS } from "./zh-speak";

type Facts = EventView["data"];
type Kind = EventView["kind"];

const seat = ({ position }: Facts): string => (position == null ? "该座位" : `${position} 号座位`);
const wager = ({ area }: Facts): string => (area == null ? "注码" : WAGERS[area]);
const amount = ({ amount }: Facts): string => (amount == null ? "" : ` ${money(amount)}`);
const player = ({ player }: Facts): string => player ?? "玩家";
const players = ({ players }: Facts): string => (players ?? []).join("、");

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" } as const;

/** A card in a sentence: "K♠". */
const cardSign = (card: string): string => {
  const { rank, suit } = face(card);
  return `${rank === "T" ? "10" : rank}${SIGNS[suit]}`;
};

const cards = ({ cards }: Facts): string =>
  (cards ?? []).map(({ card }) => (card == null ? "一张牌" : cardSign(card))).join(" ");

function to(place: Schemas["Place"] | undefined): string {
  if (place === undefined) return "桌上";
  if ("player" in place) return `${place.player[0]} 号座位`;
  return "dealer" in place ? "庄家" : "公共牌";
}

/** A card that is dealt or read, with its face where it lies open. */
const dealt = (act: string, facts: Facts): string => {
  const [first] = facts.cards ?? [];
  return `${act}：${to(first?.place)}${first?.card == null ? "" : `，${cardSign(first.card)}`}。`;
};

const named = (of: Schemas["HandView"] | null | undefined): string =>
  of == null ? "" : `，${hand(of.order, of.ranks, of.ranks.length)}`;

function decided(facts: Facts, by: string | null | undefined): string {
  const who = by === "system" ? `${seat(facts)}未及时决定：` : seat(facts);
  if (facts.decision === "fold") return `${who}弃牌。`;
  if (facts.decision === "check") return `${who}过牌。`;
  return `${who}下${wager(facts)}${amount(facts)}。`;
}

/** The reason of a measure stands only in the sentence. */
function because(sentence: string): string {
  const [, reason] = /The reason: (.+?)\.?$/.exec(sentence) ?? [];
  return reason === undefined ? "" : `原因：${reason}。`;
}

function settled(facts: Facts, sentence: string): string {
  if (facts.clause != null) return "所有注码退还。";
  if (sentence.startsWith("The round is settled again")) return "本局重新结算。";
  const [dealer] = facts.compared ?? [];
  if (dealer?.comparison === "no-hand") return "“No hand.” 庄家不成牌。注码已结算。";
  if (dealer === undefined) return "注码已结算。";
  return `庄家：${hand(dealer.dealer.order, dealer.dealer.ranks, dealer.dealer_ranks_told)}。注码已结算。`;
}

type Told = (facts: Facts, event: EventView) => string;

const EVENTS: Partial<Record<Kind, Told>> = {
  opened: ({ table }) => `${table ?? "赌桌"} 开放。`,
  "limits-changed": ({ limits }) =>
    `自下一局起，底注为 ${money(limits?.ante?.[0] ?? 0)} 至 ${money(limits?.ante?.[1] ?? 0)}。`,
  "limits-planned": ({ limits }) =>
    `已签署新的限额，自约定时刻起，底注为 ${money(limits?.ante?.[0] ?? 0)} 至 ${money(limits?.ante?.[1] ?? 0)}。`,
  "limits-taken": ({ limits }) =>
    `自本局起，底注为 ${money(limits?.ante?.[0] ?? 0)} 至 ${money(limits?.ante?.[1] ?? 0)}。`,
  "last-round-announced": (_, { sentence }) => (sentence.startsWith("This") ? "这是最后一局。" : "下一局是最后一局。"),
  closed: () => "赌桌已关闭。",
  "round-began": ({ round }) => `第 ${round ?? ""} 局即将开始。`,
  "rules-taken": () => "自本局起，本桌采用另一版规则书。",
  "reader-stopped": () => "读牌器停止工作。",
  "reader-cleared": () => "读牌器的故障已处理。",
  "deck-brought": () => "一副经检查的牌已送到桌上。",
  "supervisor-called": () => "已请主管到桌。",
  "call-answered": () => "主管已到桌。",
  "players-asked": () => "逐一询问有注码的玩家是否撤注。",
  "meter-shown": ({ meter }) => `奖池金额为 ${money(meter ?? 0)}。`,
  "prize-signed": (facts) => `已签署奖池固定奖金${amount(facts)}，${seat(facts)}。`,

  "shuffle-committed": (_, { sentence }) =>
    sentence.startsWith("Another") ? "重新抽取洗牌并公布承诺值。" : "洗牌的承诺值已公布。",
  "salts-committed": (facts) => `${player(facts)} 自下一局起为洗牌加入自己的随机值。`,
  "salts-awaited": (facts) => `洗牌等待 ${players(facts)} 的随机值。`,
  "salt-opened": (facts) => `${player(facts)} 公开一个随机值。`,
  "salts-withheld": (facts) => `${players(facts)} 的随机值未及时公开，不再使用。`,
  "seed-discarded": () => "这次洗牌已公开，不予使用。",
  "shuffle-salted": () => "牌序已确定。",
  "shuffle-opened": () => "洗牌已公开，人人可以核对。",
  "shuffle-lost": () => "洗牌的种子已丢失，无法核对。",

  "position-taken": (facts) => `${player(facts)} 入座 ${seat(facts)}。`,
  "position-left": (facts) => `${seat(facts)}空出。`,
  "bets-opened": () => "“Place your bets, please.” 请下注。",
  "wager-placed": (facts) => `${player(facts)} 在 ${seat(facts)}下${wager(facts)}${amount(facts)}。`,
  "wager-taken-back": (facts) =>
    facts.clause == null
      ? `${player(facts)} 收回 ${seat(facts)}的${wager(facts)}。`
      : `${player(facts)} 在 ${seat(facts)}的${wager(facts)}退还。`,
  "bets-closed": () => "“No more bets.” 停止下注。",
  "jackpot-wager-invalid": (facts) => `${seat(facts)}的奖池注没有底注，退还。`,
  "card-dealt": (facts) => dealt("发牌", facts),
  "card-read": (facts) => dealt("读牌", facts),
  "hand-viewed": (facts) => `${seat(facts)}看牌。`,
  "hand-handled": (facts) => `${seat(facts)}的玩家接触了牌。`,
  "comparison-declined": (facts) => `${seat(facts)}拒绝亮牌。`,
  "declined-hand-viewed": (facts) => `主管查看 ${seat(facts)}拒绝亮出的牌。`,
  "round-closed": () => "本局按结算结果定案。",
  exposed: (facts) =>
    `${facts.exposed == null ? "翻牌" : TURNED[facts.exposed]}：${cards(facts)}${named(facts.hand)}。`,
  decided: (facts, { by }) => decided(facts, by),
  "decision-corrected": (facts) => `更正录入错误的决定：${decided(facts, undefined)}`,
  "wager-corrected": (facts) => `${player(facts)} 在 ${seat(facts)}的${wager(facts)}录入有误，更正为${amount(facts)}。`,
  "hand-shown": (facts) => `${seat(facts)}亮牌：${cards(facts)}${named(facts.hand)}。`,
  settled: (facts, { sentence }) => settled(facts, sentence),
  "player-informed": (facts) => `已告知 ${player(facts)}：只能看一手牌。`,
  "player-restricted": (facts) => `${player(facts)} 只能在一个座位下注。`,
  "restriction-lifted": (facts) => `${player(facts)} 可再次在多个座位下注。`,
  "player-prohibited": (facts, { sentence }) => `${player(facts)} 被禁止游戏。${because(sentence)}`,
  "player-readmitted": (facts) => `${player(facts)} 可再次游戏。`,
  "action-stopped": (facts, { sentence }) => `${player(facts)} 不能再作决定。${because(sentence)}`,
  "player-warned": (facts) => `${player(facts)} 被警告：今后低于最低限额的注码一律退还。`,
  "player-withdrew": (facts) => `${player(facts)} 撤回所有注码。`,
  "player-stayed": (facts) => `停电后 ${player(facts)} 的注码保留。`,
  "late-removal-ignored": (facts) => `${seat(facts)}的${wager(facts)}在截止后被拿走，仍然有效。`,
  "bad-cards-declared": () => "这副牌有问题。",
  "cards-counted": () => "已点算牌数。",
  "misdeal-found": (_, { sentence }) =>
    sentence.includes("cannot") ? "发牌有误，移动手牌无法更正。" : "发牌有误，移动手牌即可更正。",
  "hands-moved": () => "手牌已移到应在的位置。",
  "table-count-corrected": () => "桌上的牌数已更正。",
  "hand-count-corrected": (facts) => `${seat(facts)}的牌数已更正。`,
  "cards-exposed": () => "有牌被误翻。",
  "hand-out": (facts, { by }) =>
    by === "system" ? `${seat(facts)}未及时决定，注码退还。` : `${seat(facts)}的牌退出本局，注码退还。`,
  "bonus-forfeited": (facts) => `${seat(facts)}的红利注被收走。`,
  "share-out": (facts) => `${player(facts)} 在 ${seat(facts)}的部分注码退还。`,
  "withdrawals-permitted": () => "本局玩家可以撤注。",
  "power-failed": (_, { sentence }) =>
    sentence.includes("after an outcome") ? "停电，但已分出胜负，游戏继续。" : "停电：玩家可撤回所有注码。",
  "play-resumed": () => "游戏继续。",
  "ruling-made": ({ words }) => `裁决：${words ?? ""}`,
  "round-voided": () => "本局作废，所有注码退还。",
  "not-for-you": () => "此条目不对您公开。",
};

/** What happened, where this language says it. */
export const eventChinese = (event: EventView): string | undefined => EVENTS[event.kind]?.(event.data, event);

/** The kinds that this language says, for a test that none is missing. */
export const EVENT_KINDS = Object.keys(EVENTS) as Kind[];
