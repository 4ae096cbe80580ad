// What a settlement brought: per wager and together.
import type { Schemas, TableView } from "../../lib/api";
import { money } from "../../lib/money";

export type Line = Schemas["LineView"];
export type Award = Schemas["AwardView"];

/** What a wager brought its Player, the stake aside: above nought, below, or nought. */
export const net = (line: Line): number => line.paid - line.collected;

export const netOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + net(line), 0);

/** The wagers of one Player in a settlement. */
export function ownLines(view: TableView, player: string | undefined): Line[] {
  return (view.settlement?.lines ?? []).filter((line) => line.owner === player);
}

export function awardsOf(view: TableView): Award[] {
  const own = new Set(view.seats.filter((seat) => seat.yours).map((seat) => seat.position));
  return (view.settlement?.awards ?? []).filter((award) => own.has(award.position) && award.state !== "rejected");
}

/** A wager's end, in a word or two. */
export function ending(line: Line): string {
  switch (line.outcome) {
    case "paid":
      return `paid ${line.odds ?? ""}`.trim();
    case "won":
      return "wins";
    case "collected":
      return "collected";
    case "stand_off":
      return "stands off";
    case "returned":
      return "goes back";
  }
}

/** A wager's end as it stands on the felt. */
export function tag(line: Line): string {
  const brought = net(line);
  if (line.outcome === "won" && brought <= 0) return "award";
  if (brought > 0) return `+${money(brought)}`;
  if (brought < 0) return money(brought);
  return line.outcome === "stand_off" ? "stand-off" : "back";
}

/** The sentence without the clauses it ends in, which stand beside it as links. */
export function sentence(line: Line): string {
  return `${line.why.replace(/\s*\([^()]*\)$/, "")}.`;
}

export function clauses(line: Line): string[] {
  return [line.clause, line.odds_clause, line.limit_clause].filter(
    (clause): clause is string => typeof clause === "string",
  );
}

/** The same lines by area of one position. */
export function byArea(lines: readonly Line[], position: number): Map<string, Line[]> {
  const found = new Map<string, Line[]>();
  for (const line of lines.filter((one) => one.position === position)) {
    found.set(line.area, [...(found.get(line.area) ?? []), line]);
  }
  return found;
}

const AWARD_STATES: Record<string, string> = {
  entered: "PENDING · waits for verification",
  verified: "PENDING · verified, waits for approval",
  approved: "PENDING · approved, waits for payment",
  paid: "Paid",
  rejected: "Rejected",
};

export const awardState = (state: string): string => AWARD_STATES[state] ?? state;
