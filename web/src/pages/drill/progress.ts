// A learner's record, of the server or of this browser: how often and how fast each kind and each clause was answered, and what to train next.
import type { Kind } from "./given";

/** How a kind has gone. */
export interface KindRecord {
  seen: number;
  right: number;
  /** The time of all exercises together. */
  milliseconds: number;
  last: number;
}

/** How a clause has gone. The box rises with a right answer and falls to zero with a wrong one. */
export interface ClauseRecord {
  seen: number;
  right: number;
  last: number;
  /** The time of its questions together. */
  milliseconds?: number;
  box: number;
  /** The kind of exercise in which it was met last. */
  kind: Kind;
}

export interface LearnerRecord {
  version: number;
  kinds: Partial<Record<Kind, KindRecord>>;
  /** By the clause as it is cited, such as "MTHB9 5.7". */
  clauses: Record<string, ClauseRecord>;
  streak: number;
  bestStreak: number;
}

const KEY = "drill";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How long a clause rests in each box. */
const RESTS = [2 * MINUTE, 10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY] as const;

export const empty = (): LearnerRecord => ({ version: 1, kinds: {}, clauses: {}, streak: 0, bestStreak: 0 });

/** The record that this browser keeps, or an empty one. */
export function load(storage: Storage = localStorage): LearnerRecord {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? "null") as LearnerRecord | null;
    return kept?.version === 1 ? kept : empty();
  } catch {
    return empty();
  }
}

export function keep(record: LearnerRecord, storage: Storage = localStorage): void {
  storage.setItem(KEY, JSON.stringify(record));
}

export interface Answered {
  kind: Kind;
  milliseconds: number;
  questions: readonly { right: boolean; clauses: readonly { clause: string }[] }[];
}

/** The record with one more exercise. A clause is right if every question that rests on it is. */
export function add(record: LearnerRecord, answered: Answered, now: number): LearnerRecord {
  const right = answered.questions.every((question) => question.right);
  const before = record.kinds[answered.kind] ?? { seen: 0, right: 0, milliseconds: 0, last: 0 };
  const kind = {
    seen: before.seen + 1,
    right: before.right + Number(right),
    milliseconds: before.milliseconds + answered.milliseconds,
    last: now,
  };
  const each = Math.floor(answered.milliseconds / Math.max(answered.questions.length, 1));
  const met = new Map<string, { known: boolean; time: number }>();
  for (const question of answered.questions) {
    for (const { clause } of question.clauses) {
      const before = met.get(clause) ?? { known: true, time: 0 };
      met.set(clause, { known: before.known && question.right, time: before.time + each });
    }
  }
  const clauses = { ...record.clauses };
  for (const [clause, { known, time }] of met) {
    const one = clauses[clause] ?? { seen: 0, right: 0, last: 0, box: 0, kind: answered.kind };
    clauses[clause] = {
      seen: one.seen + 1,
      right: one.right + Number(known),
      last: now,
      milliseconds: (one.milliseconds ?? 0) + time,
      box: known ? Math.min(one.box + 1, RESTS.length - 1) : 0,
      kind: answered.kind,
    };
  }
  const streak = right ? record.streak + 1 : 0;
  return {
    version: 1,
    kinds: { ...record.kinds, [answered.kind]: kind },
    clauses,
    streak,
    bestStreak: Math.max(streak, record.bestStreak),
  };
}

export interface Due {
  clause: string;
  kind: Kind;
}

/** The clause of a book that needs training most: the one that is due for the longest time in proportion to its rest. */
export function due(record: LearnerRecord, citation: string, now: number): Due | undefined {
  let most: (Due & { late: number }) | undefined;
  for (const [clause, one] of Object.entries(record.clauses)) {
    if (!clause.startsWith(`${citation} `)) continue;
    const late = (now - one.last) / (RESTS[one.box] ?? DAY);
    if (late >= 1 && (most === undefined || late > most.late)) most = { clause, kind: one.kind, late };
  }
  return most === undefined ? undefined : { clause: most.clause, kind: most.kind };
}

/** The kind to train where no clause is due: one that was never tried, then the one that goes worst. */
export function weakest(record: LearnerRecord, kinds: readonly Kind[]): Kind | undefined {
  const share = (kind: Kind): number => {
    const one = record.kinds[kind];
    return one === undefined ? -1 : one.right / one.seen;
  };
  return [...kinds].sort((one, other) => share(one) - share(other))[0];
}

/** The clauses that were answered wrong most often, worst first. */
export function weakClauses(
  record: LearnerRecord,
  citation: string,
  most: number,
): (ClauseRecord & { clause: string })[] {
  return Object.entries(record.clauses)
    .filter(([clause, one]) => clause.startsWith(`${citation} `) && one.right < one.seen)
    .map(([clause, one]) => ({ clause, ...one }))
    .sort((one, other) => one.right / one.seen - other.right / other.seen || other.last - one.last)
    .slice(0, most);
}
