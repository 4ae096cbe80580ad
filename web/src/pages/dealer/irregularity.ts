// What can go wrong, in plain words, with what must be known of each; and the guide's choices put into words.
import type { Schemas, TableCommand } from "../../lib/api";
import { officeName } from "../../lib/offices";
import { rulingWords } from "./ruling";

export type Irregularity = Schemas["TroubleForm"];
export type Ask = "fault" | "count" | "piles" | "cards" | "position" | "player" | "area" | "words";

export interface IrregularityKind {
  what: Irregularity["what"];
  name: string;
  hint: string;
  asks: Ask[];
}

export const IRREGULARITIES: { group: string; kinds: IrregularityKind[] }[] = [
  {
    group: "The cards",
    kinds: [
      {
        what: "misdeal",
        name: "Hands lie at wrong positions",
        hint: "A misdeal: nobody has touched a card yet.",
        asks: ["piles"],
      },
      {
        what: "hand_count",
        name: "A hand has too many or too few cards",
        hint: "Noticed before the next round begins.",
        asks: ["position"],
      },
      {
        what: "table_count",
        name: "Board or Dealer has too many or too few cards",
        hint: "Noticed before the next round begins.",
        asks: [],
      },
      { what: "exposed_cards", name: "Cards were exposed by mistake", hint: "How many, this time.", asks: ["cards"] },
      {
        what: "bad_cards",
        name: "The cards themselves are wrong",
        hint: "Extra, missing, foreign or not shuffled.",
        asks: ["fault"],
      },
      { what: "cards_counted", name: "The deck was counted by hand", hint: "A whole deck has 52.", asks: ["count"] },
    ],
  },
  {
    group: "A wager",
    kinds: [
      {
        what: "late_wager",
        name: "A wager came after “No more bets”",
        hint: "Whose, and on which area.",
        asks: ["position", "area", "player"],
      },
      {
        what: "wager_taken_off",
        name: "A wager was taken off after “No more bets”",
        hint: "Whose, and from which area.",
        asks: ["position", "area", "player"],
      },
      {
        what: "lone_jackpot_wager",
        name: "A Jackpot wager lies without an Ante",
        hint: "At which position.",
        asks: ["position"],
      },
    ],
  },
  {
    group: "A Player",
    kinds: [
      { what: "absent", name: "A Player is not there to decide", hint: "At which position.", asks: ["position"] },
      { what: "declined", name: "A hand declines comparison", hint: "A supervisor may view it.", asks: ["position"] },
      {
        what: "not_confidential",
        name: "A hand was not kept to its Player",
        hint: "Shown or told to others.",
        asks: ["player"],
      },
      {
        what: "several_hands",
        name: "A Player controls several hands in error",
        hint: "Whose hands they are.",
        asks: ["player"],
      },
      { what: "too_many_positions", name: "A Player takes too many positions", hint: "Who it is.", asks: ["player"] },
    ],
  },
  {
    group: "Anything else",
    kinds: [
      { what: "power_failure", name: "The power failed", hint: "Or the devices stopped.", asks: [] },
      {
        what: "uncovered",
        name: "No rule covers it",
        hint: "Say it in a sentence; the Gaming Shift Manager decides.",
        asks: ["words"],
      },
    ],
  },
];

export interface Answers {
  fault: Schemas["FaultForm"];
  count: number;
  cards: number;
  position: number;
  player: string;
  area: Schemas["AreaForm"];
  words: string;
  piles: Schemas["PileForm"][];
}

/** What happened, as the guide is asked. */
export function irregularityOf(what: Irregularity["what"], answers: Answers): Irregularity {
  const { position, player, area } = answers;
  switch (what) {
    case "bad_cards":
      return { what, fault: answers.fault };
    case "cards_counted":
      return { what, counted: answers.count };
    case "misdeal":
      return { what, piles: answers.piles };
    case "exposed_cards":
      return { what, cards: answers.cards };
    case "hand_count":
    case "absent":
    case "lone_jackpot_wager":
    case "declined":
      return { what, position };
    case "not_confidential":
    case "several_hands":
    case "too_many_positions":
      return { what, player };
    case "late_wager":
    case "wager_taken_off":
      return { what, position, area, player };
    case "uncovered":
      return { what, words: answers.words };
    default:
      return { what };
  }
}

/** The list with the one at a place and the next in each other's place. */
export const swapped = <T>(all: readonly T[], at: number): T[] => [
  ...all.slice(0, at),
  ...all.slice(at, at + 2).toReversed(),
  ...all.slice(at + 2),
];

const plural = (positions: number[]): string => (positions.length === 1 ? "position" : "positions");

/** What a choice of the guide does, in a sentence of its own. */
export function remedy({ command, wagers }: Pick<Schemas["GuideChoice"], "command" | "wagers">): string {
  // What the guide says of the wagers tells whether the round lives on.
  const voids = wagers.length > 0 && wagers.every((wager) => wager.becomes === "returned");
  return remedyOf(command, voids);
}

function remedyOf(command: TableCommand, voids: boolean): string {
  switch (command.do) {
    case "declare_bad_cards":
      return "Declare the cards bad. The round is void.";
    case "count_cards":
      return command.counted === 52
        ? "Record the count: the deck is whole."
        : `Record the count of ${command.counted}. The round is void.`;
    case "report_misdeal":
      return voids
        ? "Report the misdeal. Moving hands cannot put it right: the round is void."
        : "Report the misdeal. Moving whole hands puts it right.";
    case "reconstruct":
      return "Move the hands to where they belong, and play on.";
    case "give_up_reconstruction":
      return "The hands cannot be moved. The round is void.";
    case "report_table_count":
      return command.reconstructed
        ? "The cards can be put right. Put them right, and play on."
        : "They cannot be put right. The round is void.";
    case "report_hand_count":
      return command.reconstructed
        ? "The hand can be put right. Put it right, and play on."
        : "It cannot be put right. The hand is out, its wagers go back.";
    case "report_exposed_cards":
      return voids ? "Record the cards exposed. The round is void." : "Record the card exposed, and play on.";
    case "permit_withdrawals":
      return "Let the other Players withdraw from the round.";
    case "withdraw":
      return `${command.player ?? "The Player"} takes all wagers back.`;
    case "prohibit_player":
      return `Prohibit ${command.player} from further play.`;
    case "invalidate_hands":
      return `Make the hand invalid at ${plural(command.positions)} ${command.positions.join(", ")}.`;
    case "stop_action":
      return `Stop ${command.player}'s action.`;
    case "report_absent":
      return `Record that the Player at position ${command.position} is not there.`;
    case "place_wager":
      return `${command.owner ?? "The Player"} places ${command.area === "ante" ? "the least Ante" : "a wager"} at position ${command.position}.`;
    case "take_back_wager":
      return `${command.owner ?? "The Player"} takes the ${command.area} wager off at position ${command.position}.`;
    case "decline_comparison":
      return `Record that position ${command.position} declines comparison.`;
    case "view_declined_hand":
      return `View the declined hand at position ${command.position}.`;
    case "restrict_player":
      return `Restrict ${command.player} to one position.`;
    case "report_power_failure":
      return "Report the power failure.";
    case "resume_play":
      return "Play goes on.";
    case "decree":
      return rulingWords(command.effects ?? []);
    default:
      return command.do.replace(/_/g, " ");
  }
}

/** Who decides, in a few words. */
export function whoDecides(choice: Schemas["GuideChoice"]): string {
  if (choice.office != null)
    return choice.office === "dealer" ? "The Dealer decides" : `A ${officeName(choice.office)} decides`;
  return `${choice.by ?? "The Player"} decides; the staff enter it`;
}

/** What becomes of the wagers together, in a sentence. */
export function effects(wagers: Schemas["EffectView"][]): string {
  if (wagers.length === 0) return "No wager lies on the table.";
  const back = wagers.filter((wager) => wager.becomes === "returned").length;
  const lost = wagers.filter((wager) => wager.becomes === "collected").length;
  const paid = wagers.filter((wager) => wager.becomes === "paid").length;
  const even = wagers.filter((wager) => wager.becomes === "stand_off").length;
  const parts = [
    back === 0 ? "" : back === 1 ? "one wager goes back" : `${back} wagers go back`,
    lost === 0 ? "" : lost === 1 ? "one wager is lost" : `${lost} wagers are lost`,
    paid === 0 ? "" : paid === 1 ? "one wager is paid" : `${paid} wagers are paid`,
    even === 0 ? "" : even === 1 ? "one wager stands off" : `${even} wagers stand off`,
  ].filter((part) => part !== "");
  const words = parts.length === 0 ? "every wager stays" : parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
