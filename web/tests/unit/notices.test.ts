import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refused } from "../../src/lib/api";
import { notices } from "../../src/lib/notices.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  notices.list = [];
});
afterEach(() => void vi.useRealTimers());

const refusal = new Refused({ status: 409, reason: "Closed", title: "", type: "", detail: "No.", clause: "MTHB9 5.5" });

it("a refusal stays until it is read, and what was done does not", async () => {
  notices.show("Done.");
  notices.refuse(refusal);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(notices.list.map(({ text, clause }) => [text, clause])).toEqual([["No.", "MTHB9 5.5"]]);
  notices.dismiss(notices.list[0]?.id ?? 0);
  expect(notices.list).toEqual([]);
});

it("the same refusal is said once, and what it is about where that is out of sight", () => {
  notices.refuse(refusal);
  notices.refuse(refusal);
  notices.refuse(refusal, "Register a Player");
  expect(notices.list.map(({ text }) => text)).toEqual(["No.", "Register a Player: No."]);
});
