// The Dealer's procedure: what each choice is called, which command it gives, and the outline of a round.
import type { Schemas, TableCommand, TableView } from "../../lib/api";
import { money } from "../../lib/money";
import { isStud } from "./places";

export type Choice = Schemas["Choice"];
type StageName = Schemas["StageName"];

interface Wording {
  title: string;
  /** Whether it cannot be taken back and is not the plain next step. */
  confirm?: boolean;
}

const WORDINGS: Record<string, Wording> = {
  open_bets: { title: "Open the bets" },
  close_bets: { title: "Close the bets" },
  deal_all: { title: "Deal" },
  deal_card: { title: "Deal the next card" },
  expose: { title: "Turn the cards" },
  settle: { title: "Settle the round" },
  begin_next_round: { title: "Begin the next round" },
  close: { title: "Close the table", confirm: true },
  resume_play: { title: "Resume play" },
  reconstruct: { title: "Move the hands" },
  give_up_reconstruction: { title: "The hands cannot be moved: void the round", confirm: true },
  show_hand: { title: "Show the hand" },
  decline_comparison: { title: "Declines comparison", confirm: true },
  report_absent: { title: "Not there to decide", confirm: true },
  view_declined_hand: { title: "View the declined hand", confirm: true },
  permit_withdrawals: { title: "Permit withdrawals", confirm: true },
  inform_player: { title: "Tell: one hand only may be viewed" },
  withdraw: { title: "Takes all wagers back", confirm: true },
  restrict_player: { title: "Restrict to one position", confirm: true },
  lift_restriction: { title: "Lift the restriction", confirm: true },
  prohibit_player: { title: "Prohibit from play", confirm: true },
  stop_action: { title: "Stop the Player's action", confirm: true },
};

const TURNED: Partial<Record<StageName, string>> = {
  exposing_up_card: "Turn the Dealer's last card",
  exposing_flop_cards: "Turn the flop",
  exposing_turn_card: "Turn the turn card",
  exposing_river_card: "Turn the river card",
  exposing_dealer_hand: "Turn the Dealer's hand",
};

/** Whether a second key confirms a choice: what cannot be taken back, and closing the bets while none lies. */
export function needsConfirmation(choice: Choice, view?: TableView): boolean {
  if (choice.does === "close_bets") return view?.seats.every((seat) => seat.areas.length === 0) ?? false;
  return choice.does === "decide" || WORDINGS[choice.does]?.confirm === true;
}

/** What a choice is called, in the Dealer's words. */
export function title(choice: Choice, stage?: StageName): string {
  if (choice.does === "decide") return decisionTitle(choice);
  if (choice.does === "expose" && stage !== undefined) return TURNED[stage] ?? "Turn the cards";
  const words = WORDINGS[choice.does]?.title ?? choice.does.replace(/_/g, " ");
  if (choice.position != null) return `${words} · position ${choice.position}`;
  return choice.player == null ? words : `${words} · ${choice.player}`;
}

export function decisionTitle(choice: Choice): string {
  if (choice.decision === "fold") return "Fold";
  if (choice.decision === "check") return "Check";
  const amounts = choice.amounts;
  const amount = amounts != null && "exactly" in amounts ? ` ${money(amounts.exactly)}` : "";
  return `${choice.area ?? "Wager"}${amount}`;
}

/** The command of a choice. `undefined` where it needs more than the choice says: those have a place of their own. */
export function commandOf(choice: Choice): TableCommand | undefined {
  const { does, position, player, decision } = choice;
  switch (does) {
    case "decide":
      return position == null || decision == null
        ? undefined
        : { do: "decide", position, decision: decision as Schemas["DecisionForm"] };
    case "show_hand":
    case "decline_comparison":
    case "report_absent":
    case "view_declined_hand":
      return position == null ? undefined : { do: does, position };
    case "inform_player":
    case "withdraw":
    case "restrict_player":
    case "lift_restriction":
    case "prohibit_player":
    case "stop_action":
      return player == null ? undefined : { do: does, player };
    case "open_bets":
    case "close_bets":
    case "deal_all":
    case "deal_card":
    case "expose":
    case "settle":
    case "begin_next_round":
    case "close":
    case "resume_play":
    case "reconstruct":
    case "give_up_reconstruction":
    case "permit_withdrawals":
      return { do: does };
    default:
      return undefined;
  }
}

/** What may be done besides the procedure; what is wrong has its guide. */
export const besides = (view: TableView): Choice[] =>
  view.choices.filter(
    (choice) =>
      !choice.next &&
      !["decide", "show_hand", "decline_comparison", "report_absent", "give_up_reconstruction"].includes(choice.does) &&
      commandOf(choice) !== undefined,
  );

export interface OutlineStep {
  name: string;
  says?: string;
  stages: StageName[];
}

const BEGIN: OutlineStep[] = [
  { name: "Open the bets", says: "Place your bets, please.", stages: ["before_bets"] },
  { name: "Close the bets", says: "No more bets.", stages: ["bets_open"] },
  { name: "Deal", stages: ["dealing"] },
];
const END: OutlineStep[] = [
  { name: "Turn the Dealer's hand", stages: ["exposing_dealer_hand"] },
  { name: "Hands shown", stages: ["showing"] },
  { name: "Take and pay", stages: ["settling"] },
  { name: "Begin the next round", stages: ["concluded", "void", "closed"] },
];
const HOLDEM: OutlineStep[] = [
  ...BEGIN,
  { name: "Decisions on the Flop", says: "Fold or Flop, please.", stages: ["deciding_flop"] },
  { name: "Turn the flop", stages: ["exposing_flop_cards"] },
  { name: "Decisions on the Turn", says: "Turn or check, please.", stages: ["deciding_turn"] },
  { name: "Turn the turn card", stages: ["exposing_turn_card"] },
  { name: "Decisions on the River", says: "River or check, please.", stages: ["deciding_river"] },
  { name: "Turn the river card", stages: ["exposing_river_card"] },
  ...END,
];
const STUD: OutlineStep[] = [
  ...BEGIN,
  { name: "Turn the Dealer's last card", stages: ["exposing_up_card"] },
  { name: "Decisions", says: "Fold or Bet, please.", stages: ["deciding_bet"] },
  ...END,
];

export interface OutlineRow extends OutlineStep {
  state: "done" | "now" | "later";
}

/** The whole procedure of a round with what is done, due and to come. */
export function outline(view: TableView): OutlineRow[] {
  const steps = isStud(view) ? STUD : HOLDEM;
  const now = steps.findIndex((step) => step.stages.includes(view.stage.name));
  // Dealing comes a second time where the Dealer's cards wait for the decisions: that is just before they are turned.
  const decided = view.stage.name === "dealing" && view.seats.some((seat) => seat.decisions.length > 0);
  const at = decided ? steps.findIndex((step) => step.stages.includes("exposing_dealer_hand")) : now;
  return steps.map((step, index) => ({ ...step, state: index < at ? "done" : index === at ? "now" : "later" }));
}
