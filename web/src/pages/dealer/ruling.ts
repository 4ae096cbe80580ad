// A ruling on one wager or one hand, where no rule covers what happened. The Gaming Shift Manager fills it in.
import type { Schemas, TableCommand } from "../../lib/api";
import type { Choice, Command } from "../../lib/choices";
import { type Area, areaName } from "../../lib/game";

type Effect = Schemas["Effect"];
type WagerChange = Schemas["WagerChange"];

/** What happens to a wager: as the server says, or as ruled. */
export type Becomes = WagerChange["becomes"] | "paid" | "stand-off";
export interface Change extends Omit<WagerChange, "becomes"> {
  becomes: Becomes;
}
export interface Remedy extends Omit<Choice, "wagers"> {
  wagers: Change[];
}

export type RuledOutcome = "returned" | "collected" | "stand-off" | "paid-to" | "paid-for" | "hand-out";

export const RULED: Record<RuledOutcome, string> = {
  returned: "is returned",
  collected: "is collected",
  "stand-off": "stands off",
  "paid-to": "is paid, odds to 1",
  "paid-for": "is paid, odds for 1",
  "hand-out": "its hand is out, all its wagers are returned",
};

export interface Filled {
  /** The wager, as "3 ante". */
  wager: string;
  outcome: RuledOutcome;
  odds: number;
}

export interface WagerAt {
  position: number;
  area: Area;
}

export const wagerKey = ({ position, area }: WagerAt): string => `${position} ${area}`;

const rulingOf = ({ command }: Pick<Choice, "command">): Command<"make-ruling"> | undefined =>
  command.do === "make-ruling" ? command : undefined;

/** The wagers that can be ruled on, each once; none where the guide offers no ruling on the round. */
export function ruledWagers(choices: readonly Remedy[]): WagerAt[] {
  const whole = choices.find((choice) => (rulingOf(choice)?.ruling.effects ?? []).length > 0);
  const all = whole?.wagers ?? [];
  return all.filter((wager, at) => all.findIndex((other) => wagerKey(other) === wagerKey(wager)) === at);
}

function effectOf({ outcome, odds }: Filled, { position, area }: WagerAt): Effect {
  if (outcome === "hand-out") return { "hand-out": { position } };
  if (outcome === "paid-to") return { wager: { position, area, outcome: { paid: `${odds} to 1` } } };
  if (outcome === "paid-for") return { wager: { position, area, outcome: { paid: `${odds} for 1` } } };
  return { wager: { position, area, outcome } };
}

/** The filled-in ruling as a choice beside those of the guide; `undefined` where none can be made. */
export function rulingChoice(choices: readonly Remedy[], filled: Filled): Remedy | undefined {
  const like = choices.find((choice) => rulingOf(choice) !== undefined);
  const command = like === undefined ? undefined : rulingOf(like);
  const wager = ruledWagers(choices).find((one) => wagerKey(one) === filled.wager);
  if (like === undefined || command === undefined || wager === undefined) return undefined;
  const { outcome } = filled;
  const effect = effectOf(filled, wager);
  const isRuled = (one: Change): boolean =>
    outcome === "hand-out" ? one.position === wager.position : wagerKey(one) === filled.wager;
  const becomes: Becomes = outcome === "hand-out" ? "returned" : isPaid(outcome) ? "paid" : outcome;
  return {
    ...like,
    command: { ...command, ruling: { ...command.ruling, effects: [effect] } },
    effect: rulingWords(effect),
    wagers: like.wagers.map((one) =>
      isRuled(one) ? { ...one, becomes, clause: like.clause } : { ...one, becomes: "stays", clause: null },
    ),
  };
}

const isPaid = (outcome: RuledOutcome): outcome is "paid-to" | "paid-for" => outcome.startsWith("paid");

/** What a ruling on one hand or wager does, in a sentence. */
export function rulingWords(effect: Effect): string {
  if (effect === "void") return "The round is void.";
  if ("hand-out" in effect) return `The hand at position ${effect["hand-out"].position} is out.`;
  const { position, area, outcome } = effect.wager;
  const end = typeof outcome === "object" ? `is paid ${outcome.paid}` : RULED[outcome];
  return `The ${areaName(area)} wager at position ${position} ${end}.`;
}

/** The proposal of a command that the server refused because it takes a second person; else `undefined`. */
export function proposalOf(
  command: TableCommand,
  reason: string | undefined,
  table: string,
  round: number | undefined,
): Schemas["Proposal"] | undefined {
  if (round === undefined || (reason !== "AboveLimit" && reason !== "NeedsSecondSignature")) return undefined;
  if (command.do === "make-ruling") return { kind: "rule", table, round, ruling: command.ruling };
  return { kind: "undo-round", table, round, command: command as Schemas["RoundCommand"] };
}
