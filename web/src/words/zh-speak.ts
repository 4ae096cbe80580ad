// What the server says in English, made anew in Simplified Chinese from the kinds and figures that it sends beside it.
import type { Schemas } from "../lib/api";
import { eventChinese } from "./zh-events";
import type { Speak, Why } from "../lib/spoken";

const ORDERS: Record<Schemas["HandOrder"], string> = {
  "royal-flush": "皇家同花顺",
  "straight-flush": "同花顺",
  "four-of-a-kind": "四条",
  "full-house": "葫芦",
  flush: "同花",
  straight: "顺子",
  "three-of-a-kind": "三条",
  "two-pairs": "两对",
  "one-pair": "一对",
  "five-odd-cards": "散牌",
};

export const WAGERS: Record<Schemas["PlayingArea"], string> = {
  ante: "底注",
  bonus: "红利注",
  flop: "翻牌注",
  turn: "转牌注",
  river: "河牌注",
  bet: "跟注",
  jackpot: "奖池注",
};

export const TURNED: Record<Schemas["Exposure"], string> = {
  "up-card": "自己的最后一张牌",
  "flop-cards": "翻牌",
  "turn-card": "转牌",
  "river-card": "河牌",
  "dealer-hand": "庄家的牌",
};

const rankText = (rank: string): string => (rank === "T" ? "10" : rank);

/** The kickers that are said. */
const kicked = (ranks: readonly string[]): string => (ranks.length === 0 ? "" : `，边牌 ${ranks.join("、")}`);

export function hand(order: Schemas["HandOrder"], all: readonly string[], told: number): string {
  const ranks = all.slice(0, told).map(rankText);
  const [first = "", second = ""] = ranks;
  const name = ORDERS[order];
  switch (order) {
    case "royal-flush":
      return name;
    case "straight-flush":
    case "straight":
    case "flush":
    case "five-odd-cards":
      return `${name}，${ranks.join("、")} 最大`;
    case "full-house":
      return `${name}，${first} 带 ${second}`;
    case "two-pairs":
      return `${name} ${first} 和 ${second}${kicked(ranks.slice(2))}`;
    case "one-pair":
    case "three-of-a-kind":
    case "four-of-a-kind":
      return `${name} ${first}${kicked(ranks.slice(1))}`;
  }
}

/** The cards that a Jackpot line counts. */
const COUNTED: Record<Schemas["JackpotCards"], string> = {
  hand: "五张牌",
  "hole-and-flop": "底牌加翻牌",
  "hole-to-turn": "底牌加翻牌和转牌",
  "hole-to-river": "底牌加公共牌",
  "hole-to-river-with-hole-card": "底牌加公共牌",
  community: "公共牌",
};

const FAULTS: Record<Schemas["FaultKind"], string> = {
  "contribution-implausible": "的奖池注超过一局可能的总额",
  "counts-differ": "与控制器记录的奖池注不一致",
  "books-differ": "此奖池的账目不符",
  "clock-went-back": "时钟倒退",
  "display-differs": "有显示牌的金额与奖池不符",
  "log-wrong": "日志中有条目与写入的不同",
};

const LOCKS: Record<Schemas["Locked"], string> = {
  table: "该桌不接受奖池注",
  link: "所有赌桌不接受奖池注，也不派发奖金",
  payments: "暂不签署或派发奖金，所有赌桌照常游戏",
  nothing: "一切照常",
};

const CAUSES: Record<string, string> = {
  "a malfunction had left it too low": "故障使金额偏低",
  "a malfunction had left it too high": "故障使金额偏高",
  "it stood above its cap": "金额超过上限",
  "overflow was added to it": "加入了超出上限的部分",
  "reserve was added to it": "加入了储备金",
  "the house took back a reset that it had paid": "赌场收回垫付的起始金额",
};

const OFFICES: Record<string, string> = {
  Dealer: "荷官",
  "Pit Supervisor": "赌区主管",
  "Pit Manager": "赌区经理",
  "Gaming Shift Manager": "值班经理",
  system: "系统",
};

/** How a wager ended, before the reason. */
function ended({ area, staked, outcome, paid, won }: Why): string {
  const wager = `${WAGERS[area]} ${staked}`;
  if (typeof outcome === "object") return `${wager} 按 ${outcome.paid} 派彩 ${paid}`;
  switch (outcome) {
    case "won": {
      const shares = won.map(({ pays, award, amount }) =>
        award === undefined ? pays : `${pays}，即第 ${award} 号奖金 ${amount}`,
      );
      return `${wager} 赢得${shares.length > 0 ? `${shares.join("和")}` : ` ${paid}`}`;
    }
    case "collected":
      return `${wager} 被收走`;
    case "stand-off":
      return `${wager} 和局，退还`;
    case "returned":
      return `${wager} 退还`;
  }
}

/** What the end of a wager rests on. */
function reason({ because, own, position, compared, won, hole }: Why): string {
  const who = own ? "您" : `${position} 号座位`;
  const onTable = (is: string) => `${who}的底牌${hole === "" ? "" : `（${hole}）`}${is}红利注赔率表上`;
  switch (because.reason) {
    case "round-void":
      return "本局作废";
    case "higher": {
      const from = because.ante_pays_from == null ? "" : `；底注在${ORDERS[because.ante_pays_from]}或以上才派彩`;
      return `${who}赢了${compared === undefined ? "" : `：${compared}`}${from}`;
    }
    case "lower":
      return `庄家赢了${compared === undefined ? "" : `：${compared}`}`;
    case "equal":
      return compared ?? `${who}与庄家的牌相同`;
    case "on-bonus-table":
      return onTable("在");
    case "not-on-bonus-table":
      return onTable("不在");
    case "on-jackpot-table":
      return won.length === 0 ? "符合奖池赔率表" : won.map(({ hand }) => ORDERS[hand]).join("和");
    case "not-on-jackpot-table": {
      const folded = because.folded ? `${who}已弃牌，` : "";
      const of = because.jackpot_hand;
      if (of == null) return `${folded}没有符合奖池赔率表的牌型`;
      const whose = of.of === "community" ? COUNTED.community : `${who}的${COUNTED[of.of]}`;
      return `${folded}${whose}为${hand(of.hand.order, of.hand.ranks, of.hand.ranks.length)}，不在奖池赔率表上`;
    }
    case "folded":
      return `${who}弃牌`;
    case "declined":
      return `${who}拒绝亮牌`;
    case "no-dealer-hand":
      return "庄家不成牌";
    case "withdrew":
      return `${who}撤注`;
    case "absent":
      return `${who}未作决定`;
    case "no-ante":
      return "没有底注";
    case "under-minimum":
      return `低于最低限额，且${who}曾被警告`;
    case "ruled":
      return "按裁决处理";
    case "hand-out":
      return "这手牌退出本局";
  }
}

/** How limits changed what was settled. */
function limited({ because, counted }: Why): string {
  switch (because.limit) {
    case "part-counts":
      return `；在最高限额之内，其中 ${counted} 有效`;
    case "over-maximum":
      return "；超过最高限额";
    case "settled-once":
      return "；低于最低限额，此次照常结算";
    default:
      return "";
  }
}

const positionsText = (positions: readonly number[]): string => `${positions.join("、")} 号座位`;

export const speakChinese: Speak = {
  hand,
  compared: (comparison, player, dealer, own) => {
    const whose = own ? "您" : "玩家";
    switch (comparison) {
      case "higher":
        return `${whose}的${player} 胜过庄家的${dealer}。`;
      case "lower":
        return `庄家的${dealer} 胜过${whose}的${player}。`;
      case "equal":
        return `双方都是${player}。`;
      case "no-hand":
        return `庄家不成牌，只有${dealer}。${whose}的牌：${player}。`;
    }
  },
  awaited: (stage, positions) => {
    switch (stage.at) {
      case "before-bets":
        return "荷官即将开始新的一局。";
      case "bets-open":
        return "玩家下注，荷官宣布截止。";
      case "dealing":
        return "荷官发牌。";
      case "deciding": {
        const other = stage.what === "turn" || stage.what === "river" ? "过牌" : "弃牌";
        return `请下${WAGERS[stage.what]}或${other}：${positionsText(positions)}。`;
      }
      case "exposing":
        return `荷官翻开${TURNED[stage.what]}。`;
      case "showing":
        return `请亮牌或拒绝：${positionsText(positions)}。`;
      case "settling":
        return "荷官结算注码。";
      case "concluded":
        return "本局已结算，下一局即将开始。";
      case "void":
        return "本局作废，下一局即将开始。";
      case "closed":
        return "本局已结束。";
    }
  },
  wager: (area, amount) => `${WAGERS[area]} ${amount}`,
  acts: {
    fold: "弃牌",
    check: "过牌",
    "show-hand": "亮牌",
    "decline-comparison": "拒绝亮牌",
    withdraw: "撤回注码",
    "stay-in": "继续游戏",
  },
  dealerHas: (hand) => `庄家：${hand}`,
  silence: (value, seconds, later) => {
    const happens = value === "fold" ? "您的牌弃掉并失去底注" : "您的牌退出本局，注码退还";
    const after = later ? "；转牌注和河牌注则过牌" : "";
    return `每次决定有 ${seconds} 秒。如果没有及时决定，${happens}${after}。断线也不例外。`;
  },
  leave: (position) => `离开 ${position} 号座位`,
  why: (why) => `${ended(why)}：${reason(why)}${limited(why)}。`,
  event: eventChinese,
  by: (by) => OFFICES[by] ?? by.replace(/^acting (.+)$/, (_, office: string) => `代理${OFFICES[office] ?? office}`),
  fault: ({ kind, locks, table, number }) => {
    const where = kind === "contribution-implausible" || kind === "counts-differ" ? (table ?? "某桌") : "";
    return `第 ${number} 号故障：${where} ${FAULTS[kind]}；${LOCKS[locks]}，待两人解除。`.replace("： ", "：");
  },
  power: "停电：每位玩家可撤回所有注码，或继续游戏。",
  adjusted: (from, to, cause, words) => `奖池金额由 ${from} 调整为 ${to}：${CAUSES[cause] ?? cause}。${words}`,
};
