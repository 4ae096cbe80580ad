import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Rest } from "../../src/pages/table/rest.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("what gets another meaning in the same place rests, and then is pressed as ever", () => {
  const rest = new Rest();
  rest.means("look");
  expect(rest.waits, "nothing was there before").toBe(false);
  vi.advanceTimersByTime(5000);
  rest.means("flop");
  expect(rest.waits).toBe(true);
  vi.advanceTimersByTime(599);
  expect(rest.waits).toBe(true);
  vi.advanceTimersByTime(1);
  expect(rest.waits).toBe(false);
});

it("does not rest where nothing could be pressed for long enough, or where the meaning is the same", () => {
  const rest = new Rest();
  const end = rest.means("flop");
  end();
  vi.advanceTimersByTime(200);
  rest.means("flop")();
  expect(rest.waits).toBe(false);
  rest.means("turn")();
  vi.advanceTimersByTime(900);
  rest.means("river");
  expect(rest.waits).toBe(false);
});

it("goes by what could be pressed last, in whatever order places come and go", () => {
  const rest = new Rest();
  const end = rest.means("flop at 1");
  vi.advanceTimersByTime(5000);
  rest.means("flop at 3");
  end();
  expect(rest.waits, "the new one has begun before the earlier one ended").toBe(true);
  vi.advanceTimersByTime(300);
  rest.means("flop at 1");
  expect(rest.waits, "nobody could press the other").toBe(false);
});
