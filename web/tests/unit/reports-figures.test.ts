import { describe, expect, it } from "vitest";
import {
  checks,
  dayBefore,
  dayNumber,
  flagged,
  percent,
  type Section,
  shown,
  signatures,
} from "../../src/pages/reports/figures";

describe("figures of a report", () => {
  it("are read as the head of their column says", () => {
    expect(shown("cents", -123456)).toBe("−$1,234.56");
    expect(shown("ten-thousandths", 12_345_678)).toBe("$12.345678");
    expect(shown("basis-points", -305)).toBe("−3.05 %");
    expect(shown("count", 12345)).toBe("12,345");
    expect(shown("text", "T1")).toBe("T1");
    expect(shown("cents", null)).toBe("");
    expect(shown("time", Date.parse("2026-11-15T22:00:00Z"))).toContain("06:00:00");
    expect(percent(7)).toBe("0.07 %");
  });

  it("belong to gaming days that are counted", () => {
    expect(dayBefore("2026-03-01")).toBe("2026-02-28");
    expect(dayNumber("1970-01-02")).toBe(1);
  });

  it("give the check list before a day is signed for", () => {
    const rows = [
      ["open_awards", "Awards", 2],
      ["difference", "Books", -3],
    ];
    const sections = [{ id: "checks", title: "", notes: [], columns: [], rows }] as unknown as Section[];
    expect(checks(sections)).toEqual({ open_awards: 2, disputed_rounds: 0, tables_in_play: 0, difference: -3 });
  });

  it("say who signed for a day", () => {
    const section = (rows: unknown[][]) =>
      [{ id: "signed", title: "", notes: [], columns: [], rows }] as unknown as Section[];
    expect(signatures(section([]))).toBeUndefined();
    const row = ["2026-11-16", "Gia", "Mia", 1_700_000_000_000, "ab12"];
    expect(signatures(section([row]))).toEqual({ by: "Gia", with: "Mia", at: 1_700_000_000_000, log: "ab12" });
  });

  it("are flagged where something is to be investigated", () => {
    const columns = [
      { id: "name", name: "Tables", kind: "text" as const },
      { id: "outside", name: "to investigate", kind: "text" as const },
      { id: "month_outside", name: "month", kind: "text" as const },
    ];
    const rows = [
      ["T1", null, null],
      ["T2", "outside 95 %", null],
      ["T3", null, "over 3 points"],
    ];
    expect(flagged({ id: "tables", title: "Tables", notes: [], columns, rows } as unknown as Section)).toBe(1);
  });
});
