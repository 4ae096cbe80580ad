// The Dealer's procedure: the steps of a round, and the choices listed beside them.
import type { TableView } from "../../lib/api";
import type { Choice, CommandName } from "../../lib/choices";
import { gameOf, type OutlineStep, procedure, stageKey } from "../../lib/game";

/** Commands that have a place of their own on the console. */
const ELSEWHERE: readonly CommandName[] = [
  "decide",
  "show-hand",
  "decline-comparison",
  "report-absent",
  "give-up-reconstruction",
  "take-back-wager",
  "leave-position",
  "withdraw",
  "stay-in",
  "report-no-answer",
];

/** The choices beside the procedure. Those with fields to fill in have a form elsewhere. */
export const otherChoices = (view: TableView): Choice[] =>
  view.choices.filter(
    ({ next, fill_in, command }) => !next && (fill_in ?? []).length === 0 && !ELSEWHERE.includes(command.do),
  );

export interface OutlineRow extends OutlineStep {
  state: "done" | "now" | "later";
}

/** The steps of the round: done, current and to come. */
export function outline(view: TableView): OutlineRow[] {
  const steps = procedure(gameOf(view));
  const indexOf = (stage: string): number => steps.findIndex((step) => step.stages.includes(stage));
  // A second stage "dealing" after decisions deals the Dealer's cards, which are turned next.
  const decided = view.stage.at === "dealing" && view.seats.some((seat) => seat.decisions.length > 0);
  const at = indexOf(decided ? "exposing dealer-hand" : stageKey(view.stage));
  return steps.map((step, index) => ({ ...step, state: index < at ? "done" : index === at ? "now" : "later" }));
}
