// A rulebook for readers: clauses by section, search, and a comparison of two books.
import type { Schemas } from "../../lib/api";

export type Book = Schemas["BookView"];
export type ClauseView = Schemas["ClauseView"];
export type Kind = "decided" | "discretion" | "physical" | "definition";

export const KINDS: readonly { kind: Kind; title: string; says: string }[] = [
  { kind: "decided", title: "Decided", says: "the program decides it, and tests prove it" },
  { kind: "discretion", title: "Discretion", says: "left to an office; the program accepts its ruling" },
  { kind: "physical", title: "Physical", says: "done by hands at the table" },
  { kind: "definition", title: "Definition", says: "says what a word means" },
];

const SECTIONS: Record<string, string> = {
  "1": "Words",
  "2": "Table and cards",
  "3": "A round of play",
  "4": "What is paid",
  "5": "Irregularities",
  "6": "Rulings",
  Appendix: "Layouts",
};

export interface Section {
  id: string;
  title: string;
  clauses: ClauseView[];
}

/** The clauses by the first part of their numbers, in the book's order. */
export function sections(clauses: readonly ClauseView[]): Section[] {
  const found = new Map<string, Section>();
  for (const clause of clauses) {
    const id = clause.number.split(/[.\s]/)[0] ?? "";
    const section = found.get(id) ?? { id, title: SECTIONS[id] ?? `Section ${id}`, clauses: [] };
    section.clauses.push(clause);
    found.set(id, section);
  }
  return [...found.values()];
}

/** The depth of a number: 3.10.2 is one deeper than 3.10. */
export const depth = (number: string): number => (number.match(/\./g) ?? []).length;

/** Whether a clause contains all words, in its number, summary, reason or tests. */
export function matches(clause: ClauseView, words: string): boolean {
  const text =
    `${clause.clause} ${clause.gist} ${clause.why ?? ""} ${clause.tests.join(" ")} ${clause.readings.join(" ")}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface Counted {
  clauses: number;
  /** Those that need a proof, and those that have one. */
  toProve: number;
  proven: number;
  tests: number;
}

export function counted(clauses: readonly ClauseView[]): Counted {
  const toProve = clauses.filter(({ kind }) => kind === "decided" || kind === "discretion");
  const tests = new Set(clauses.flatMap((clause) => clause.tests));
  return {
    clauses: clauses.length,
    toProve: toProve.length,
    proven: toProve.filter((clause) => clause.tests.length > 0).length,
    tests: tests.size,
  };
}

export interface Pair {
  number: string;
  left: string | undefined;
  right: string | undefined;
  /** `alike`, `differs`, or only in one of them. */
  state: "alike" | "differs" | "left" | "right";
}

/** Two books by the numbers of their clauses, in the order of the second; a clause only in the first keeps its place. */
export function differences(left: readonly ClauseView[], right: readonly ClauseView[]): Pair[] {
  return paired(
    left.map(({ number, gist }) => [number, gist]),
    right.map(({ number, gist }) => [number, gist]),
  );
}

/** Two pay tables by their lines. */
export function paysApart(left: Book, right: Book): Pair[] {
  const lines = (book: Book): [string, string][] =>
    book.pays.map(({ area, what, cards, pays }) => [
      `${area}: ${what}${cards && cards !== "hand" ? ` (${cards.replaceAll("-", " ")})` : ""}`,
      pays,
    ]);
  return paired(lines(left), lines(right));
}

/** Two books by the values of their readings. */
export function readingsApart(left: Book, right: Book): Pair[] {
  const values = (book: Book): [string, string][] => book.readings.map(({ name, value }) => [name, value]);
  return paired(values(left), values(right));
}

function paired(left: [string, string][], right: [string, string][]): Pair[] {
  const [first, second] = [new Map(left), new Map(right)];
  const pairs: Pair[] = [];
  let next = 0;
  const only = (until: string): void => {
    const end = left.findIndex(([number], at) => at >= next && number === until);
    if (end < 0) return;
    for (const [number, says] of left.slice(next, end)) {
      if (!second.has(number)) pairs.push({ number, left: says, right: undefined, state: "left" });
    }
    next = end + 1;
  };
  for (const [number, says] of right) {
    only(number);
    const before = first.get(number);
    const state = before === undefined ? "right" : before === says ? "alike" : "differs";
    pairs.push({ number, left: before, right: says, state });
  }
  for (const [number, says] of left.slice(next)) {
    if (!second.has(number)) pairs.push({ number, left: says, right: undefined, state: "left" });
  }
  return pairs;
}

/** The book to compare with first: the same game in another version where there is one. */
export function sister(books: readonly Schemas["BookRow"][], id: string): string | undefined {
  const book = books.find((one) => one.id === id);
  const others = books.filter((one) => one.id !== id);
  return (others.find(({ title }) => title === book?.title) ?? others[0])?.id;
}
