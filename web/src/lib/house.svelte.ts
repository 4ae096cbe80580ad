// What every page knows about its house: what kind of money it plays for, how that is written, what time it keeps and when
// its gaming days begin. A house has one currency and one kind of gaming day from its opening on; the rest are its settings.
import { received } from "./api";
import type { components } from "./openapi";

type Running = components["schemas"]["Running"];
export type Currency = components["schemas"]["Currency"];
export type DayRule = components["schemas"]["DayRule"];

/** The settings that pages keep from one visit to the next. */
type Kept = Pick<Running, "currency" | "currency_on_paper" | "time_zone" | "gaming_day"> & { money: Currency };

const KEPT = "house";
const MONIES: Currency[] = ["play", "practice", "real"];

class House {
  /** `undefined` in a browser that has never reached this house. */
  money = $state<Currency | undefined>(undefined);
  /** What is written before an amount of real money, and on paper that leaves the house. */
  currency = $state("$");
  currencyOnPaper = $state("S$");
  timeZone = $state("Asia/Singapore");
  gamingDay = $state<DayRule>({ begins: "06:00", utc_offset: "+08:00" });

  /** Resolves as soon as the settings are known, from an earlier visit or from the server, or cannot be known now. */
  async load(): Promise<void> {
    const kept = readKept();
    if (kept !== undefined) this.#take(kept);
    const asked = this.#ask().catch(() => undefined);
    if (kept === undefined) await asked;
  }

  #take({ money, currency, currency_on_paper, time_zone, gaming_day }: Kept): void {
    this.money = money;
    this.currency = currency;
    this.currencyOnPaper = currency_on_paper;
    this.timeZone = isTimeZone(time_zone) ? time_zone : "UTC";
    this.gamingDay = gaming_day;
  }

  async #ask(): Promise<void> {
    const read = async (signal: AbortSignal) => (await fetch("/version", { signal })).json() as Promise<Running>;
    const { money, currency, currency_on_paper, time_zone, gaming_day } = await received(read);
    if (money == null) return;
    const kept: Kept = { money, currency, currency_on_paper, time_zone, gaming_day };
    this.#take(kept);
    localStorage.setItem(KEPT, JSON.stringify(kept));
  }
}

/** Whether this browser knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** What an earlier visit kept, unless another version of the pages wrote it. */
function readKept(): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    const texts = [
      kept.currency,
      kept.currency_on_paper,
      kept.time_zone,
      kept.gaming_day.begins,
      kept.gaming_day.utc_offset,
    ];
    const isWhole = MONIES.includes(kept.money) && texts.every((text) => typeof text === "string");
    return isWhole ? kept : undefined;
  } catch {
    return undefined;
  }
}

export const house = new House();
