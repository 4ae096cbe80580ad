// A ruling on one wager or one hand, where no rule covers what happened: put together here, decided by the server.
import type { Schemas, TableCommand } from "../../lib/api";

type GuideChoice = Schemas["GuideChoice"];
type Effect = Schemas["EffectForm"];

export type RuledOutcome = "returned" | "collected" | "stand_off" | "paid_to" | "paid_for" | "hand_out";

export const RULED: Record<RuledOutcome, string> = {
  returned: "goes back",
  collected: "is lost",
  stand_off: "stands off",
  paid_to: "is paid, so much to 1",
  paid_for: "is paid, so much for 1",
  hand_out: "its hand is out, all its wagers go back",
};

export interface Filled {
  /** The wager, as "3 Ante". */
  wager: string;
  outcome: RuledOutcome;
  odds: number;
}

export const wagerKey = ({ position, area }: { position: number; area: string }): string => `${position} ${area}`;

const isDecree = (command: TableCommand): command is Extract<TableCommand, { do: "decree" }> => command.do === "decree";

/** The wagers that can be ruled on, each once however many share it; none where the guide offers no ruling on the round. */
export function ruledWagers(choices: readonly GuideChoice[]): { position: number; area: string }[] {
  const whole = choices.find(({ command }) => isDecree(command) && (command.effects ?? []).length > 0);
  const all = whole?.wagers ?? [];
  return all.filter((wager, at) => all.findIndex((other) => wagerKey(other) === wagerKey(wager)) === at);
}

function effectOf({ outcome, odds }: Filled, position: number, area: Schemas["AreaForm"]): Effect {
  if (outcome === "hand_out") return { effect: "hand_out", position };
  const ruled = outcome === "paid_to" ? { paid_to: odds } : outcome === "paid_for" ? { paid_for: odds } : outcome;
  return { effect: "wager", position, area, outcome: ruled };
}

/** The choice that a filled in ruling is, beside those of the guide; nothing where none can be made. */
export function rulingChoice(choices: readonly GuideChoice[], filled: Filled): GuideChoice | undefined {
  const like = choices.find(({ command }) => isDecree(command));
  const about = ruledWagers(choices).find((wager) => wagerKey(wager) === filled.wager);
  if (like === undefined || !isDecree(like.command) || about === undefined) return undefined;
  const { outcome } = filled;
  const ruled = (wager: Schemas["EffectView"]): boolean =>
    outcome === "hand_out" ? wager.position === about.position : wagerKey(wager) === filled.wager;
  const becomes = outcome === "hand_out" ? "returned" : outcome.startsWith("paid") ? "paid" : outcome;
  return {
    ...like,
    command: {
      ...like.command,
      effects: [effectOf(filled, about.position, about.area.toLowerCase() as Schemas["AreaForm"])],
    },
    wagers: like.wagers.map((wager) =>
      ruled(wager) ? { ...wager, becomes, clause: like.clause } : { ...wager, becomes: "stays", clause: null },
    ),
  };
}

/** What a ruling does, in a sentence. */
export function rulingWords(effects: readonly Effect[]): string {
  const [effect] = effects;
  if (effect === undefined) return "Rule that play goes on.";
  if (effect.effect === "void") return "Rule that the round is void.";
  if (effect.effect === "hand_out") return `Rule that the hand at position ${effect.position} is out.`;
  const { outcome } = effect;
  const end =
    typeof outcome === "string"
      ? RULED[outcome]
      : "paid_to" in outcome
        ? `is paid ${outcome.paid_to} to 1`
        : `is paid ${outcome.paid_for} for 1`;
  return `Rule that the ${effect.area.charAt(0).toUpperCase()}${effect.area.slice(1)} wager at position ${effect.position} ${end}.`;
}
