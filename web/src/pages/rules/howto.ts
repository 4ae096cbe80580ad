// How to play, in a few steps: what a newcomer must know before the clauses. The figures are the book's own.
import type { Book } from "./book";

export interface HowTo {
  title: string;
  text: string;
}

/** What a following wager costs: "twice the Ante", "as much as the Ante". */
function costs({ following }: Pick<Book, "following">, area: string): string {
  const times = following.find((one) => one.area.toLowerCase() === area)?.times_ante ?? 1;
  if (times === 1) return "as much as the Ante";
  return times === 2 ? "twice the Ante" : `${times} times the Ante`;
}

export function howToPlay(book: Pick<Book, "game" | "following" | "pays">): HowTo[] {
  const ante = book.pays.find(({ area }) => area === "Ante");
  const jackpot = {
    title: "Jackpot",
    text: "The Jackpot wager is extra: it wins with a high hand, whoever wins the round.",
  };
  if (book.game === "stud")
    return [
      {
        title: "Ante",
        text: "Place an Ante. You and the Dealer get five cards each; the Dealer's last card lies open.",
      },
      { title: "Fold or Bet", text: `Fold and lose the Ante, or wager ${costs(book, "bet")} on Bet.` },
      {
        title: "Compare",
        text: "The Dealer shows. Without an Ace and a King, or better, the Dealer has no hand: the Ante is paid and the Bet returned.",
      },
      {
        title: "Win",
        text: `A higher hand wins: the Ante is paid ${ante?.pays ?? "1 to 1"}, the Bet by your hand. A lower one loses both.`,
      },
      jackpot,
    ];
  return [
    {
      title: "Ante",
      text: "Place an Ante, and a Bonus if you like. You and the Dealer get two cards each; five community cards belong to everybody.",
    },
    {
      title: "Fold or Flop",
      text: `Look at your cards. Fold and lose the Ante, or wager ${costs(book, "flop")} on Flop to see three community cards.`,
    },
    { title: "Turn and River", text: `Before each of the last two cards, check or wager ${costs(book, "turn")}.` },
    {
      title: "Win",
      text: `The best five of seven cards count. A higher hand wins Flop, Turn and River. The Ante wins with ${ante?.what ?? "a better hand"}; with less it is returned.`,
    },
    jackpot,
  ];
}
