// What the server says in English, made anew in Simplified Chinese from the kinds and figures that it sends beside it.
import type { Schemas } from "../lib/api";
import type { Speak } from "../lib/spoken";

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

const WAGERS: Record<Schemas["PlayingArea"], string> = {
  ante: "底注",
  bonus: "红利注",
  flop: "翻牌注",
  turn: "转牌注",
  river: "河牌注",
  bet: "跟注",
  jackpot: "奖池注",
};

const TURNED: Record<Schemas["Exposure"], string> = {
  "up-card": "自己的最后一张牌",
  "flop-cards": "翻牌",
  "turn-card": "转牌",
  "river-card": "河牌",
  "dealer-hand": "庄家的牌",
};

const rankText = (rank: string): string => (rank === "T" ? "10" : rank);

/** The kickers that are said. */
const kicked = (ranks: readonly string[]): string => (ranks.length === 0 ? "" : `，边牌 ${ranks.join("、")}`);

function hand(order: Schemas["HandOrder"], all: readonly string[], told: number): string {
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

const positionsText = (positions: readonly number[]): string => `${positions.join("、")} 号座位`;

export const speakChinese: Speak = {
  hand,
  compared: (comparison, player, dealer) => {
    switch (comparison) {
      case "higher":
        return `您的 ${player} 胜过庄家的 ${dealer}。`;
      case "lower":
        return `庄家的 ${dealer} 胜过您的 ${player}。`;
      case "equal":
        return `双方都是 ${player}。`;
      case "no-hand":
        return `庄家不成牌。您的牌：${player}。`;
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
    const after = later ? ";转牌注和河牌注则过牌" : "";
    return `每次决定有 ${seconds} 秒。如果没有及时决定，${happens}${after}。断线也不例外。`;
  },
  leave: (position) => `离开 ${position} 号座位`,
  ending: (area, staked, outcome, paid) => {
    const wager = `${WAGERS[area]} ${staked}`;
    if (typeof outcome === "object") return `${wager}：按 ${outcome.paid} 派彩 ${paid}。`;
    switch (outcome) {
      case "won":
        return `${wager}：赢得奖池奖金。`;
      case "collected":
        return `${wager}：被收走。`;
      case "stand-off":
        return `${wager}：和局，退还。`;
      case "returned":
        return `${wager}：退还。`;
    }
  },
};
