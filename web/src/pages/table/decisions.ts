// The choices of a hand that must decide or show, as buttons.
import type { TableCommand } from "../../lib/api";
import { about, type Choice } from "../../lib/choices";

export interface Button {
  choice: Choice;
  key: string;
  /** The lab's name for it. */
  action: "bet" | "check" | "fold" | undefined;
  primary: boolean;
}

function look(command: TableCommand): Omit<Button, "choice"> | undefined {
  if (command.do === "show-hand") return { key: "Enter", action: undefined, primary: true };
  if (command.do === "decline-comparison") return { key: "D", action: undefined, primary: false };
  if (command.do !== "decide") return undefined;
  if (command.decision === "wager") return { key: "Enter", action: "bet", primary: true };
  return { key: command.decision === "fold" ? "F" : "C", action: command.decision, primary: false };
}

/** The buttons of a position. The primary one comes last, so that it is always at the same place. */
export function buttons(choices: readonly Choice[], position: number): Button[] {
  const all = choices.flatMap((choice) => {
    const found = about(choice.command).position === position ? look(choice.command) : undefined;
    return found === undefined ? [] : [{ choice, ...found }];
  });
  return all.toSorted((one, other) => Number(one.primary) - Number(other.primary));
}
