// The two ways a hand may go now, as buttons: the cautious one first, the one that costs last.
import type { Schemas, TableCommand } from "../../lib/api";
import { money } from "../../lib/money";

export interface Way {
  label: string;
  amount: string | undefined;
  key: string;
  /** The name the lab has for it. */
  action: "bet" | "check" | "fold" | undefined;
  command: TableCommand;
  primary: boolean;
}

type Choice = Schemas["Choice"];

function exactly(choice: Choice): string | undefined {
  return choice.amounts != null && "exactly" in choice.amounts ? money(choice.amounts.exactly) : undefined;
}

export function ways(choices: readonly Choice[], position: number): Way[] {
  return choices.filter((choice) => choice.position === position).flatMap((choice) => way(choice, position) ?? []);
}

function way(choice: Choice, position: number): Way | undefined {
  const decide = (decision: "fold" | "check" | "wager"): TableCommand => ({ do: "decide", position, decision });
  if (choice.does === "show_hand") {
    return {
      label: "Show",
      amount: undefined,
      key: "Enter",
      action: undefined,
      primary: true,
      command: { do: "show_hand", position },
    };
  }
  if (choice.does === "decline_comparison") {
    const command: TableCommand = { do: "decline_comparison", position };
    return { label: "Decline", amount: undefined, key: "D", action: undefined, primary: false, command };
  }
  if (choice.does !== "decide") return undefined;
  switch (choice.decision) {
    case "fold":
      return { label: "Fold", amount: undefined, key: "F", action: "fold", primary: false, command: decide("fold") };
    case "check":
      return { label: "Check", amount: undefined, key: "C", action: "check", primary: false, command: decide("check") };
    case "wager":
      return {
        label: choice.area ?? "Wager",
        amount: exactly(choice),
        key: "Enter",
        action: "bet",
        primary: true,
        command: decide("wager"),
      };
    default:
      return undefined;
  }
}

/** The cautious way first, so that the thumb finds the wager at the same place every time. */
export const inOrder = (all: readonly Way[]): Way[] =>
  all.toSorted((one, other) => Number(one.primary) - Number(other.primary));
