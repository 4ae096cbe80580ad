import { describe, expect, it } from "vitest";
import { add, due, empty, keep, load, weakClauses, weakest } from "../../src/pages/drill/progress";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const question = (right: boolean, ...clauses: string[]) => ({ right, clauses: clauses.map((clause) => ({ clause })) });

describe("a learner's record", () => {
  it("counts an exercise right only if every question is, and a clause by its own questions", () => {
    const questions = [question(true, "MTHB9 5.7", "MTHB9 6.2"), question(false, "MTHB9 5.7")];
    const record = add(empty(), { kind: "something-is-wrong", milliseconds: 4000, questions }, 10);
    expect(record.kinds["something-is-wrong"]).toEqual({ seen: 1, right: 0, milliseconds: 4000, last: 10 });
    expect(record.clauses["MTHB9 5.7"]).toMatchObject({ seen: 1, right: 0, box: 0 });
    expect(record.clauses["MTHB9 6.2"]).toMatchObject({ seen: 1, right: 1, box: 1 });
  });

  it("keeps the streak and the best one", () => {
    const one = (record: ReturnType<typeof empty>, right: boolean) =>
      add(record, { kind: "limits", milliseconds: 1, questions: [question(right, "MTHB9 5.14")] }, 0);
    const record = one(one(one(empty(), true), true), false);
    expect([record.streak, record.bestStreak]).toEqual([0, 2]);
  });

  it("asks for a wrong clause again after minutes, for a known one after days, and only of this book", () => {
    const wrong = { kind: "limits", milliseconds: 1, questions: [question(false, "MTHB9 5.13")] } as const;
    const right = { kind: "jackpot", milliseconds: 1, questions: [question(true, "MTHB9 4.2")] } as const;
    let record = add(empty(), wrong, 0);
    for (let time = 0; time < 3; time += 1) record = add(record, right, 0);
    expect(due(record, "MTHB9", MINUTE)).toBeUndefined();
    expect(due(record, "MTHB9", 3 * MINUTE)).toEqual({ clause: "MTHB9 5.13", kind: "limits" });
    record = add(record, { ...wrong, questions: [question(true, "MTHB9 5.13")] }, 4 * MINUTE);
    expect(due(record, "MTHB9", 5 * MINUTE)).toBeUndefined();
    expect(due(record, "MTHB6", 30 * DAY)).toBeUndefined();
    expect(due(record, "MTHB9", 4 * DAY)?.clause).toBe("MTHB9 5.13");
  });

  it("starts with what was never tried, then with what goes worst", () => {
    let record = add(empty(), { kind: "limits", milliseconds: 1, questions: [question(false, "X 1")] }, 0);
    expect(weakest(record, ["limits", "jackpot"])).toBe("jackpot");
    record = add(record, { kind: "jackpot", milliseconds: 1, questions: [question(true, "X 2")] }, 0);
    expect(weakest(record, ["jackpot", "limits"])).toBe("limits");
    expect(weakClauses(record, "X", 5).map(({ clause }) => clause)).toEqual(["X 1"]);
  });

  it("is kept, and a broken one is forgotten", () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as unknown as Storage;
    const record = add(empty(), { kind: "limits", milliseconds: 1, questions: [question(true, "X 1")] }, 5);
    keep(record, storage);
    expect(load(storage)).toEqual(record);
    kept.set("drill", "{");
    expect(load(storage)).toEqual(empty());
  });
});
