import { describe, expect, it } from "vitest";
import type { Office } from "../../src/lib/offices";
import { may, mayConfirm, maySign, mayWithdraw } from "../../src/pages/pit/offices";

const LADDER = ["dealer", "pit_supervisor", "pit_manager", "gaming_shift_manager"] as const;
const from = (allowed: (who: { office: Office }) => boolean): string[] =>
  LADDER.filter((office) => allowed({ office }));

describe("what is offered to whom", () => {
  it.each([
    ["readmit", ["gaming_shift_manager"]],
    ["lift_restriction", ["pit_manager", "gaming_shift_manager"]],
    ["change_limits", ["pit_manager", "gaming_shift_manager"]],
    ["reopen", ["pit_manager", "gaming_shift_manager"]],
    ["announce_last_round", ["pit_supervisor", "pit_manager", "gaming_shift_manager"]],
    ["close", ["pit_supervisor", "pit_manager", "gaming_shift_manager"]],
    ["restore_table", ["pit_supervisor", "pit_manager", "gaming_shift_manager"]],
    ["cash_out", ["pit_supervisor", "pit_manager", "gaming_shift_manager"]],
    ["grant_credits", ["pit_manager", "gaming_shift_manager"]],
    ["buy_in", [...LADDER]],
  ] as const)("%s", (act, offices) => expect(from((who) => may(who, act))).toEqual(offices));

  it("nothing to whoever holds no office", () => expect(may(undefined, "buy_in")).toBe(false));
});

describe("a proposal", () => {
  it("to reject is signed by a Pit Supervisor and a Pit Manager, whoever is first", () => {
    expect(maySign({ office: "dealer" }, "reject_award")).toBe(false);
    expect(maySign({ office: "pit_supervisor" }, "reject_award")).toBe(true);
    const second = (office: string) => from((who) => mayConfirm(who, { kind: "reject_award", office }));
    expect(second("Pit Supervisor")).toEqual(["pit_manager", "gaming_shift_manager"]);
    expect(second("Pit Manager")).toEqual(["pit_supervisor", "pit_manager", "gaming_shift_manager"]);
  });

  it.each(["rule_on_award", "adjust_meter", "reconfigure"])("of %s takes a Gaming Shift Manager among two", (kind) => {
    expect(maySign({ office: "pit_supervisor" }, kind)).toBe(false);
    const second = (office: string) => from((who) => mayConfirm(who, { kind, office }));
    expect(second("Pit Manager")).toEqual(["gaming_shift_manager"]);
    expect(second("Gaming Shift Manager")).toEqual(["pit_manager", "gaming_shift_manager"]);
    expect(second("Pit Supervisor")).toEqual([]);
  });

  it("is withdrawn by who proposed it, and turned down by a Pit Manager", () => {
    expect(mayWithdraw({ office: "pit_supervisor" }, { yours: true })).toBe(true);
    expect(from((who) => mayWithdraw(who, { yours: false }))).toEqual(["pit_manager", "gaming_shift_manager"]);
  });
});
