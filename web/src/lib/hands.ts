// The orders of hand as the API writes them, in the rulebooks' words.
const WORDS: Record<string, string> = {
  "five-odd-cards": "Five odd cards",
  "one-pair": "One pair",
  "two-pairs": "Two pairs",
  "three-of-a-kind": "Three of a kind",
  straight: "Straight",
  flush: "Flush",
  "full-house": "Full house",
  "four-of-a-kind": "Four of a kind",
  "straight-flush": "Straight flush",
  "royal-flush": "Royal flush",
};

export function handWords(order: string): string {
  const known = WORDS[order.replaceAll("_", "-")];
  return known ?? order;
}
