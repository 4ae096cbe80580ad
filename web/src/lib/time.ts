// Dates and times as people at the house read them. The log has moments in milliseconds; every page shows them in the
// house's time zone, a setting of the server, wherever its browser stands.
import { house } from "./house.svelte";
import { language } from "./language.svelte";

const STYLES = {
  /** "14:28:18" */
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  /** "06:00" */
  minute: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  /** "15 Nov 2026" */
  date: { dateStyle: "medium" },
  /** "15 Nov 2026, 14:28" */
  dateAndMinute: { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" },
  /** "15 Nov 2026, 14:28:18" */
  dateAndTime: { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: keyof typeof STYLES, moment: number): string {
  const key = `${language.locale} ${house.timeZone} ${style}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(language.locale, { ...STYLES[style], timeZone: house.timeZone });
    formats.set(key, found);
  }
  return found.format(moment);
}

export const timeText = (moment: number): string => format("time", moment);
export const minuteText = (moment: number): string => format("minute", moment);
export const dateText = (moment: number): string => format("date", moment);
export const dateAndMinuteText = (moment: number): string => format("dateAndMinute", moment);
export const dateAndTimeText = (moment: number): string => format("dateAndTime", moment);

/** The house's time zone as people say it: "Singapore", "New York". */
export const timeZoneText = (): string => house.timeZone.split("/").at(-1)?.replaceAll("_", " ") ?? house.timeZone;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The milliseconds of "06:00", "+08:00" or "-03:30". */
function clockMilliseconds(text: string): number {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** How long before midnight (UTC) of its date a gaming day of the house begins. */
const beforeMidnight = (): number =>
  clockMilliseconds(house.gamingDay.utc_offset) - clockMilliseconds(house.gamingDay.begins);

/** When the gaming day of a moment began. */
export const gamingDayStart = (moment: number): number =>
  Math.floor((moment + beforeMidnight()) / DAY_MILLISECONDS) * DAY_MILLISECONDS - beforeMidnight();

/** The gaming day of a moment, by its date: "2026-11-16". */
export const gamingDay = (moment: number): string => new Date(moment + beforeMidnight()).toISOString().slice(0, 10);

/** From when to when the gaming day of a date is: "2026-11-16". */
export function gamingDayOf(date: string): { from: number; until: number } {
  const from = Date.parse(`${date}T00:00Z`) - beforeMidnight();
  return { from, until: from + DAY_MILLISECONDS - 1 };
}

/** From when to when a gaming day of the house is, as its reports write it. */
export function gamingDayText(): string {
  const { begins, utc_offset } = house.gamingDay;
  const where = utc_offset === "+08:00" ? " in Singapore" : `, UTC${utc_offset}`;
  return `from ${begins} to ${begins}${where}`;
}

/** How far the house's clocks are ahead of UTC at a moment, in milliseconds. */
function ahead(moment: number): number {
  const name = new Intl.DateTimeFormat("en", { timeZone: house.timeZone, timeZoneName: "longOffset" })
    .formatToParts(moment)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A moment as a field of date and time has it: "2026-11-15T14:28". */
export const fieldTime = (moment: number): string => new Date(moment + ahead(moment)).toISOString().slice(0, 16);

/** The moment that a field of date and time names; not a number where it is empty. */
export function momentOfField(text: string): number {
  const there = text === "" ? Number.NaN : Date.parse(`${text}:00Z`);
  if (Number.isNaN(there)) return there;
  // Near a change of the clocks the first guess may be on its other side.
  const guess = there - ahead(there);
  return there - ahead(guess);
}
