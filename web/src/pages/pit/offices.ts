// The offices, highest first, in the rulebooks' words.
import type { Schemas } from "../../lib/api";
import { holds, type Office, OFFICES_HIGHEST_FIRST, officeName } from "../../lib/offices";

type Holder = Pick<Schemas["Holder"], "office">;

/** The least office for what the pit and the desk offer: what the floor refuses to a lower one is not shown to it. */
export const LEAST = {
  readmit: "gaming_shift_manager",
  lift_restriction: "pit_manager",
  change_limits: "pit_manager",
  reopen: "pit_manager",
  announce_last_round: "pit_supervisor",
  close: "pit_supervisor",
  restore_table: "pit_supervisor",
  buy_in: "dealer",
  repay_debt: "dealer",
  cash_out: "pit_supervisor",
  grant_credits: "pit_manager",
} as const satisfies Record<string, Office>;

export const may = (who: Holder | undefined, act: keyof typeof LEAST): boolean => holds(who, LEAST[act]);

/** The least offices of the two who sign a proposal, the lower first. */
const PAIRS: Record<string, readonly [Office, Office]> = {
  reject_award: ["pit_supervisor", "pit_manager"],
  rule_on_award: ["pit_manager", "gaming_shift_manager"],
  adjust_meter: ["pit_manager", "gaming_shift_manager"],
  reconfigure: ["pit_manager", "gaming_shift_manager"],
};
const pairOf = (kind: string): readonly [Office, Office] => PAIRS[kind] ?? ["pit_supervisor", "pit_supervisor"];

/** Whether somebody may be one of the two who sign a proposal of a kind. */
export const maySign = (who: Holder | undefined, kind: string): boolean => holds(who, pairOf(kind)[0]);

/** Whether somebody may sign a proposal second: their office and the first one's must do together. */
export function mayConfirm(
  who: Holder | undefined,
  proposal: Pick<Schemas["ProposalView"], "kind" | "office">,
): boolean {
  const first = { office: OFFICES_HIGHEST_FIRST.find((one) => officeName(one) === proposal.office) ?? null };
  const [lower, higher] = pairOf(proposal.kind);
  return holds(who, lower) && holds(first, lower) && (holds(who, higher) || holds(first, higher));
}

/** Whether somebody may take a proposal back, or turn down another's. */
export const mayWithdraw = (who: Holder | undefined, { yours }: Pick<Schemas["ProposalView"], "yours">): boolean =>
  yours || holds(who, "pit_manager");

export interface Ladder {
  words: string;
  office: Schemas["OfficeForm"];
  people: string[];
}

/** The staff by office, highest first. */
export function ladder(staff: readonly Schemas["StaffMember"][]): Ladder[] {
  return OFFICES_HIGHEST_FIRST.map((office) => ({
    office,
    words: officeName(office),
    people: staff.filter((member) => member.office === officeName(office)).map((member) => member.person),
  }));
}
