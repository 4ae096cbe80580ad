import { afterEach, expect, test } from "vitest";
import { house, isTimeZone } from "../../src/lib/house.svelte";
import { actingName } from "../../src/lib/offices";
import {
  dateAndMinuteText,
  dateAndTimeText,
  dateText,
  fieldTime,
  gamingDay,
  gamingDayOf,
  gamingDayStart,
  gamingDayText,
  minuteText,
  momentOfField,
  timeText,
  timeZoneText,
} from "../../src/lib/time";

// Half past four in the afternoon of the 15th in London is half past midnight of the 16th in Singapore.
const MOMENT = Date.UTC(2026, 10, 15, 16, 28, 18);

test("every time is Singapore's, wherever the browser stands", () => {
  expect(timeText(MOMENT)).toBe("00:28:18");
  expect(dateText(MOMENT)).toBe("16 Nov 2026");
  expect(dateAndMinuteText(MOMENT)).toBe("16 Nov 2026, 00:28");
  expect(dateAndTimeText(MOMENT)).toBe("16 Nov 2026, 00:28:18");
  const office = { office: "pit-manager", from: 0, until: MOMENT } as const;
  expect(actingName(office, MOMENT - 1)).toBe("acting Pit Manager until 16 Nov 2026, 00:28");
});

test("a field of date and time is in Singapore's time both ways", () => {
  expect(fieldTime(MOMENT)).toBe("2026-11-16T00:28");
  expect(momentOfField("2026-11-16T00:28")).toBe(Date.UTC(2026, 10, 15, 16, 28));
  expect(momentOfField("")).toBeNaN();
});

afterEach(() => {
  house.timeZone = "Asia/Singapore";
  house.gamingDay = { begins: "06:00", utc_offset: "+08:00" };
});

test("another house has another time zone, also where the clocks change", () => {
  house.timeZone = "America/New_York";
  expect(timeZoneText()).toBe("New York");
  expect(dateAndMinuteText(MOMENT)).toBe("15 Nov 2026, 11:28");
  for (const moment of [MOMENT, Date.UTC(2026, 6, 1, 12, 0), Date.UTC(2026, 10, 1, 5, 30), Date.UTC(2026, 2, 8, 7, 0)])
    expect(momentOfField(fieldTime(moment)), fieldTime(moment)).toBe(Math.floor(moment / 60_000) * 60_000);
  house.timeZone = "Asia/Kolkata";
  expect(fieldTime(MOMENT)).toBe("2026-11-15T21:58");
  expect([isTimeZone("Asia/Singapore"), isTimeZone("Middle/Earth")]).toEqual([true, false]);
});

test("a gaming day begins at 06:00 in Singapore, shown in the house's time", () => {
  expect(dateAndMinuteText(gamingDayStart(MOMENT))).toBe("15 Nov 2026, 06:00");
  expect(gamingDayStart(gamingDayStart(MOMENT))).toBe(gamingDayStart(MOMENT));
  expect(gamingDayStart(gamingDayStart(MOMENT) - 1)).toBe(gamingDayStart(MOMENT) - 24 * 60 * 60 * 1000);
  house.timeZone = "Europe/London";
  expect(minuteText(gamingDayStart(MOMENT))).toBe("22:00");
  expect(gamingDay(Date.parse("2026-11-15T21:59:59Z"))).toBe("2026-11-15");
  expect(gamingDay(Date.parse("2026-11-15T22:00:00Z"))).toBe("2026-11-16");
  // What is searched by a day is that of the house, wherever the browser stands.
  expect(gamingDayOf("2026-11-16")).toEqual({
    from: Date.parse("2026-11-15T22:00:00Z"),
    until: Date.parse("2026-11-16T21:59:59.999Z"),
  });
  expect(gamingDayText()).toBe("from 06:00 to 06:00 in Singapore");
});

test("another house has gaming days of its own", () => {
  house.gamingDay = { begins: "04:30", utc_offset: "+09:00" };
  expect(gamingDay(Date.parse("2026-11-15T19:29:59Z"))).toBe("2026-11-15");
  expect(gamingDay(Date.parse("2026-11-15T19:30:00Z"))).toBe("2026-11-16");
  expect(gamingDayStart(Date.parse("2026-11-15T19:29:59Z"))).toBe(Date.parse("2026-11-14T19:30:00Z"));
  expect(gamingDayText()).toBe("from 04:30 to 04:30, UTC+09:00");
  house.gamingDay = { begins: "06:00", utc_offset: "-03:30" };
  expect(gamingDay(Date.parse("2026-11-16T09:29:59Z"))).toBe("2026-11-15");
  expect(gamingDay(Date.parse("2026-11-16T09:30:00Z"))).toBe("2026-11-16");
});
