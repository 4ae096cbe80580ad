// Reads typed or scanned cards: rank, then suit, in any case, with or without spaces; "10" is a Ten.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

export interface Typed {
  cards: string[];
  /** A rank that waits for its suit. */
  rest: string;
  /** The characters that are not part of a card. */
  wrong: string;
}

/** Reads a text such as "As Kd 10h" or "askdth" as cards. */
export function readCards(text: string): Typed {
  const found: Typed = { cards: [], rest: "", wrong: "" };
  const signs = text.replace(/10/g, "T").replace(/[\s,;]+/g, "");
  for (const sign of signs) {
    const [rank, suit] = [sign.toUpperCase(), sign.toLowerCase()];
    if (found.rest === "") {
      if (RANKS.includes(rank)) found.rest = rank;
      else found.wrong += sign;
    } else if (SUITS.includes(suit)) {
      found.cards.push(found.rest + suit);
      found.rest = "";
    } else {
      found.wrong += sign;
    }
  }
  return found;
}

/** Takes one key: the card it completes, and the rank that waits then. A key that does not fit changes nothing. */
export function typeKey(rest: string, key: string): { card?: string; rest: string; taken: boolean } {
  if (key.length !== 1) return { rest, taken: false };
  if (rest === "1" && key === "0") return { rest: "T", taken: true };
  if (rest !== "" && rest !== "1" && SUITS.includes(key.toLowerCase())) {
    return { card: rest + key.toLowerCase(), rest: "", taken: true };
  }
  const rank = key.toUpperCase();
  if (RANKS.includes(rank) || rank === "1") return { rest: rank, taken: true };
  return { rest, taken: false };
}

/** Why a card cannot be added, or `undefined`. */
export function whyNot(
  card: string,
  used: ReadonlySet<string>,
  queue: readonly string[],
  room: number,
): string | undefined {
  if (used.has(card))
    return `${card} is on the table already. If it was misread there, a Pit Supervisor can correct it.`;
  if (queue.includes(card)) return `${card} is in the row already.`;
  if (queue.length >= room) return "No more cards are due now.";
  return undefined;
}
