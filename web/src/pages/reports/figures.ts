// The figures of a report in words. They come as whole numbers; the head of their column says how to read them.
import type { Schemas } from "../../lib/api";
import { money, partsText } from "../../lib/money";
import { dateAndTimeText } from "../../lib/time";

export type Section = Schemas["ReportSection"];
export type Kind = Schemas["ReportFigureKind"];
export type Figure = string | number | null;

/** Hundredths of a per cent. */
export function percent(points: number): string {
  const size = Math.abs(points).toString().padStart(3, "0");
  return `${points < 0 ? "−" : ""}${size.slice(0, -2)}.${size.slice(-2)} %`;
}

export function shown(kind: Kind, figure: Figure): string {
  if (figure === null) return "";
  if (typeof figure === "string") return figure;
  switch (kind) {
    case "cents":
      return money(figure);
    case "ten-thousandths":
      return partsText(BigInt(figure));
    case "basis-points":
      return percent(figure);
    case "time":
      return dateAndTimeText(figure);
    case "count":
      return figure.toLocaleString("en");
    case "text":
      return String(figure);
  }
}

export const isNumber = (kind: Kind): boolean => kind !== "text" && kind !== "time";

/** Whether a value says that something is to be investigated. */
export const isFlag = (column: string, figure: Figure): boolean => column.endsWith("outside") && figure !== null;

/** How many results of a section are outside their interval on these days. */
export function flagged(section: Section): number {
  const place = section.columns.findIndex(({ id }) => id === "outside");
  return (section.rows as Figure[][]).filter((row) => isFlag("outside", row[place] ?? null)).length;
}

/** The day before a day. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** The number of a gaming day, counted from 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / (24 * 60 * 60 * 1000);

/** Who signed for the only day of a report, and for which head of the log. */
export function signatures(sections: readonly Section[]) {
  const [row] = (sections.find(({ id }) => id === "signed")?.rows ?? []) as Figure[][];
  if (row === undefined) return undefined;
  const [, by, other, at, log] = row;
  return { by: String(by), with: String(other), at: Number(at), log: String(log) };
}

/** The check list before a day is signed for. */
export function checks(sections: readonly Section[]): Schemas["DayChecks"] {
  const rows = (sections.find(({ id }) => id === "checks")?.rows ?? []) as Figure[][];
  const is = (check: string) => Number(rows.find(([name]) => name === check)?.[2] ?? 0);
  return {
    open_awards: is("open_awards"),
    disputed_rounds: is("disputed_rounds"),
    tables_in_play: is("tables_in_play"),
    difference: is("difference"),
  };
}
