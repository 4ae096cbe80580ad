// The Dealer's procedure: the steps of a round, and the choices listed beside them.
import type { TableView } from "../../lib/api";
import type { Choice, CommandName } from "../../lib/choices";
import { type Area, gameOf, type OutlineStep, procedure, stageKey } from "../../lib/game";

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
  "clear-reader",
];

/** The choices beside the procedure. Those with fields to fill in have a form elsewhere. */
export const otherChoices = (view: TableView): Choice[] =>
  view.choices.filter(
    ({ next, fill_in, command }) => !next && (fill_in ?? []).length === 0 && !ELSEWHERE.includes(command.do),
  );

export interface OutlineRow extends OutlineStep {
  state: "done" | "now" | "later" | "skipped";
}

/** The steps of the round: done, current and to come. */
export function outline(view: TableView): OutlineRow[] {
  const steps = procedure(gameOf(view));
  const indexOf = (stage: string): number => steps.findIndex((step) => step.stages.includes(stage));
  // A second stage "dealing" after decisions deals the Dealer's cards, which are turned next.
  const decided = view.stage.at === "dealing" && view.seats.some((seat) => seat.decisions.length > 0);
  const at = indexOf(decided ? "exposing dealer-hand" : stageKey(view.stage));
  return steps.map((step, index) => ({ ...step, state: stateOf(step, Math.sign(index - at), view) }));
}

/** A round that was made void, or in which all folded, ends without some of its steps: these were not done. */
function stateOf(step: OutlineStep, place: number, view: TableView): OutlineRow["state"] {
  if (place >= 0) return place === 0 ? "now" : "later";
  const over = view.stage.at === "void" || view.stage.at === "concluded";
  return over && !step.stages.some((stage) => wasAt(stage, view)) ? "skipped" : "done";
}

/** Whether a round that is over went through a stage, by what lies on the table. */
function wasAt(stage: string, view: TableView): boolean {
  const [at, what] = stage.split(" ");
  const game = gameOf(view);
  const open = (cards: readonly unknown[], count: number): boolean =>
    cards.filter((card) => card != null).length >= count;
  const turned: Record<string, boolean> = {
    "up-card": view.dealer.at(-1) != null,
    "flop-cards": open(view.community, 3),
    "turn-card": open(view.community, 4),
    "river-card": open(view.community, 5),
    "dealer-hand": view.dealer.length > 0 && open(view.dealer, game.handCards),
  };
  switch (at) {
    case "before-bets":
      return true;
    case "bets-open":
    case "dealing":
      return view.seats.some((seat) => seat.cards.length > 0);
    case "deciding":
      return view.seats.some((seat) => seat.decisions.length > game.following.indexOf(what as Area));
    case "exposing":
      return turned[what ?? ""] ?? false;
    case "showing":
      return view.seats.some((seat) => seat.state === "shown" || seat.state === "declined");
    default:
      return view.stage.at === "concluded";
  }
}
