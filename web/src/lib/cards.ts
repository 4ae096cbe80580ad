// Cards as the API writes them: rank and suit, "As" or "Td".

import { say } from "./language.svelte";

export type Suit = "c" | "d" | "h" | "s";

export interface CardFace {
  rank: string;
  suit: Suit;
  name: string;
}

export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"] as const;
export type Rank = (typeof RANKS)[number];
export const SUITS: readonly Suit[] = ["s", "h", "d", "c"];

export function face(card: string): CardFace {
  const rank = card.charAt(0);
  const suit = card.charAt(1);
  if (card.length !== 2 || !isRank(rank) || !isSuit(suit)) {
    throw new Error(`${JSON.stringify(card)} is not a card`);
  }
  return { rank, suit, name: say("card.name", { rank: say(`rank.${rank}`), suit: say(`suit.${suit}`) }) };
}

/** The accessible name of a button that shows a card contains the printed index: "10 of Hearts", "Ace of Spades". */
export function cardLabel(card: string): string {
  const { rank, name } = face(card);
  return /[2-9T]/.test(rank) ? name.replace(say(`rank.${rank as Rank}`), rank === "T" ? "10" : rank) : name;
}

/** The name of a rank: "Ace", "Ten". */
export const rankText = (rank: string): string => (isRank(rank) ? say(`rank.${rank}`) : rank);

/** The name of a card's rank. */
export const rankName = (card: string): string => rankText(face(card).rank);

function isRank(text: string): text is Rank {
  return RANKS.some((rank) => rank === text);
}

function isSuit(text: string): text is Suit {
  return text === "c" || text === "d" || text === "h" || text === "s";
}

// The suits drawn in a box of 20 by 20.
export const SUIT_PATHS: Record<Suit, string> = {
  s: "M10 0.8C8 5.6 1.6 8.4 1.6 13a4 4 0 0 0 6.7 3C8.2 17.6 7.4 18.6 6 19.3h8c-1.4-.7-2.2-1.7-2.3-3.3a4 4 0 0 0 6.7-3C18.4 8.4 12 5.6 10 .8Z",
  h: "M10 19C7.5 15.2 1.2 11.6 1.2 6.3A4.6 4.6 0 0 1 5.9 1.6C7.8 1.6 9.3 2.6 10 4.3 10.7 2.6 12.2 1.6 14.1 1.6A4.6 4.6 0 0 1 18.8 6.3C18.8 11.6 12.5 15.2 10 19Z",
  d: "M10 0.8C11.8 4.6 14.6 7.8 17.6 10 14.6 12.2 11.8 15.4 10 19.2 8.2 15.4 5.4 12.2 2.4 10 5.4 7.8 8.2 4.6 10 .8Z",
  c: "M10 .9a4.2 4.2 0 0 0-3.5 6.5A4.3 4.3 0 1 0 8.7 14.4C8.6 16.7 7.7 18.4 6.1 19.3h7.8c-1.6-.9-2.5-2.6-2.6-4.9A4.3 4.3 0 1 0 13.5 7.4 4.2 4.2 0 0 0 10 .9Z",
};

// The pips of a number card in a field of 100 by 140. Those below the middle are upside down.
const LEFT = 32;
const MIDDLE = 50;
const RIGHT = 68;
export const PIPS: Record<string, readonly (readonly [number, number])[]> = {
  "2": [
    [MIDDLE, 40],
    [MIDDLE, 100],
  ],
  "3": [
    [MIDDLE, 40],
    [MIDDLE, 70],
    [MIDDLE, 100],
  ],
  "4": [
    [LEFT, 42],
    [RIGHT, 42],
    [LEFT, 98],
    [RIGHT, 98],
  ],
  "5": [
    [LEFT, 42],
    [RIGHT, 42],
    [MIDDLE, 70],
    [LEFT, 98],
    [RIGHT, 98],
  ],
  "6": [
    [LEFT, 42],
    [RIGHT, 42],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 98],
    [RIGHT, 98],
  ],
  "7": [
    [LEFT, 42],
    [RIGHT, 42],
    [MIDDLE, 56],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 98],
    [RIGHT, 98],
  ],
  "8": [
    [LEFT, 42],
    [RIGHT, 42],
    [MIDDLE, 56],
    [LEFT, 70],
    [RIGHT, 70],
    [MIDDLE, 84],
    [LEFT, 98],
    [RIGHT, 98],
  ],
  "9": [
    [LEFT, 38],
    [RIGHT, 38],
    [LEFT, 59],
    [RIGHT, 59],
    [MIDDLE, 70],
    [LEFT, 81],
    [RIGHT, 81],
    [LEFT, 102],
    [RIGHT, 102],
  ],
  T: [
    [LEFT, 38],
    [RIGHT, 38],
    [MIDDLE, 48],
    [LEFT, 59],
    [RIGHT, 59],
    [LEFT, 81],
    [RIGHT, 81],
    [MIDDLE, 92],
    [LEFT, 102],
    [RIGHT, 102],
  ],
};

/** An ellipse as a part of a path, turned around its middle. */
function ellipse(x: number, y: number, long: number, short: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const [right, down] = [long * Math.cos(angle), long * Math.sin(angle)].map((way) => Math.round(way * 100) / 100) as [
    number,
    number,
  ];
  const arc = `A${long} ${short} ${degrees} 0 1`;
  return `M${x + right} ${y + down}${arc} ${x - right} ${y - down}${arc} ${x + right} ${y + down}Z`;
}

const turns = (count: number, degrees: number): number[] => Array.from({ length: count }, (_, turn) => turn * degrees);

/** The fine lines on the back of a card: one path, because a deal draws a dozen cards at once. */
export const GUILLOCHE = [
  ...turns(18, 10).map((degrees) => ellipse(50, 70, 40, 17, degrees)),
  ...[21, 119].flatMap((y) => [21, 79].flatMap((x) => turns(8, 22.5).map((degrees) => ellipse(x, y, 12, 5, degrees)))),
].join("");
