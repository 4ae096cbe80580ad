// Dates and times as people at the house read them. The log has moments in milliseconds; the rulebooks' dates, the gaming
// day and the slips are in Singapore's time, so every page is too, wherever its browser stands.
import { language } from "./language.svelte";

export const HOUSE_TIME_ZONE = "Asia/Singapore";

/** Singapore has no summer time: it is always so far ahead of UTC. */
const AHEAD_MILLISECONDS = 8 * 60 * 60 * 1000;

const STYLES = {
  /** "14:28:18" */
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  /** "15 Nov 2026" */
  date: { dateStyle: "medium" },
  /** "15 Nov 2026, 14:28" */
  dateAndMinute: { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" },
  /** "15 Nov 2026, 14:28:18" */
  dateAndTime: { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: keyof typeof STYLES, moment: number): string {
  const key = `${language.locale} ${style}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(language.locale, { ...STYLES[style], timeZone: HOUSE_TIME_ZONE });
    formats.set(key, found);
  }
  return found.format(moment);
}

export const timeText = (moment: number): string => format("time", moment);
export const dateText = (moment: number): string => format("date", moment);
export const dateAndMinuteText = (moment: number): string => format("dateAndMinute", moment);
export const dateAndTimeText = (moment: number): string => format("dateAndTime", moment);

/** A moment as a field of date and time has it: "2026-11-15T14:28". */
export const fieldTime = (moment: number): string => new Date(moment + AHEAD_MILLISECONDS).toISOString().slice(0, 16);

/** The moment that a field of date and time names; not a number where it is empty. */
export const momentOfField = (text: string): number => Date.parse(`${text}:00+08:00`);
