import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { poll } from "../../src/lib/poll";

let page: EventTarget & { hidden: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (hidden: boolean): void => {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
};

it("waits for an answer before it asks again", async () => {
  let give: () => void = () => {};
  const work = vi.fn(
    () =>
      new Promise<void>((done) => {
        give = done;
      }),
  );
  const stop = poll(work, 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  give();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  stop();
});

it("pauses after a refusal as after an answer, and ends when it is stopped", async () => {
  const work = vi.fn(() => Promise.reject(new Error("no")));
  const stop = poll(work, 1000);
  await vi.advanceTimersByTimeAsync(3500);
  expect(work).toHaveBeenCalledTimes(4);
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(4);
});

it("asks nothing for a page that nobody looks at, and at once when somebody does", async () => {
  const work = vi.fn(async () => {});
  const stop = poll(work, 1000);
  await vi.advanceTimersByTimeAsync(0);
  show(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  show(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(2);
  stop();
});
