import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused, Unreachable } from "../../src/lib/api";
import { retryUntilReached, Question } from "../../src/lib/question.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An answer that the test sends. */
function later<T>() {
  let give: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    give = done;
  });
  return { promise, give };
}
const refusal = (status: number) =>
  new Refused({ status, detail: "The lab is busy.", reason: "Busy", title: "Busy", type: "about:blank" });

describe("a question", () => {
  it("keeps the answer before it until the next one comes", async () => {
    const question = new Question<number>();
    question.ask("a", async () => 1);
    await vi.runAllTimersAsync();
    const next = later<number>();
    question.ask("b", () => next.promise);
    await vi.runAllTimersAsync();
    expect([question.answer, question.waiting]).toEqual([1, true]);
    next.give(2);
    await vi.runAllTimersAsync();
    expect([question.answer, question.waiting]).toEqual([2, false]);
  });

  it("is answered by the last that was asked, whatever comes late", async () => {
    const question = new Question<number>();
    const slow = later<number>();
    let first: AbortSignal | undefined;
    question.ask("slow", (signal) => {
      first = signal;
      return slow.promise;
    });
    await vi.runAllTimersAsync();
    question.ask("quick", async () => 2);
    await vi.runAllTimersAsync();
    slow.give(1);
    await vi.runAllTimersAsync();
    expect(question.answer).toBe(2);
    expect(first?.aborted).toBe(true);
  });

  it("is asked once, however often the same is asked", async () => {
    const question = new Question<number>();
    const work = vi.fn(async () => 1);
    question.ask("a", work);
    await vi.runAllTimersAsync();
    question.ask("a", work);
    await vi.runAllTimersAsync();
    expect(work).toHaveBeenCalledTimes(1);
  });

  it("says why it is refused, and keeps what it knew", async () => {
    const question = new Question<number>();
    question.ask("a", async () => 1);
    await vi.runAllTimersAsync();
    question.ask("b", () => Promise.reject(refusal(422)));
    await vi.runAllTimersAsync();
    expect([question.answer, question.problem, question.waiting]).toEqual([1, "The lab is busy.", false]);
  });

  it("is asked again where the lab is busy or cannot be reached", async () => {
    const question = new Question<number>();
    const work = vi
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(refusal(503))
      .mockRejectedValueOnce(new Unreachable())
      .mockResolvedValue(3);
    question.ask("a", work);
    await vi.runAllTimersAsync();
    expect([question.answer, question.problem, work.mock.calls.length]).toEqual([3, undefined, 3]);
  });

  it("is asked again by a person, with a pause for the floor after that", async () => {
    const question = new Question<number>();
    const work = vi.fn<() => Promise<number>>().mockRejectedValueOnce(refusal(404)).mockResolvedValue(5);
    question.ask("a", work);
    await vi.runAllTimersAsync();
    expect([question.waiting, work.mock.calls.length]).toEqual([false, 1]);
    question.again();
    question.again();
    await vi.runAllTimersAsync();
    expect([question.answer, question.problem]).toEqual([5, undefined]);
  });

  it("looked at again and again is answered by the last look, whatever comes late", async () => {
    const question = new Question<number>();
    const slow = later<number>();
    const first = question.look(() => slow.promise);
    const second = question.look(async () => 2);
    slow.give(1);
    expect([await first, await second, question.answer]).toEqual([undefined, 2, 2]);
  });

  it("takes what came with a command, and not what was asked before", async () => {
    const question = new Question<number>();
    const slow = later<number>();
    const look = question.look(() => slow.promise);
    question.put(2);
    slow.give(1);
    await look;
    expect([question.answer, question.waiting]).toEqual([2, false]);
  });
});

it("persists until the floor is reached, and not when it refuses", async () => {
  const work = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Unreachable()).mockResolvedValue(1);
  const reached = retryUntilReached(work);
  await vi.runAllTimersAsync();
  expect(await reached).toBe(1);
  await expect(retryUntilReached(() => Promise.reject(refusal(404)))).rejects.toBeInstanceOf(Refused);
});
