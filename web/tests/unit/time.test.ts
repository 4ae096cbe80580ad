import { expect, test } from "vitest";
import { actingName } from "../../src/lib/offices";
import { dateAndMinuteText, dateAndTimeText, dateText, fieldTime, momentOfField, timeText } from "../../src/lib/time";

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
