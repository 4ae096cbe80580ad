import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { commandHouse, forgetUnanswered, Refused, type Schemas, Unanswered } from "../../src/lib/api";

const BUY_IN: Schemas["HouseCommand"] = { do: "buy-in", player: "Ann", amount: 10_000, means: "credits" };

/** What the floor answers; nothing where it cannot be reached. */
let answer: { status: number; reason?: string } | undefined;
let keys: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  forgetUnanswered();
  keys = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers["Idempotency-Key"] ?? "");
    if (answer === undefined) throw new TypeError("no way there");
    const type = answer.status < 400 ? "application/json" : "application/problem+json";
    return new Response(JSON.stringify({ ...answer, detail: "" }), {
      status: answer.status,
      headers: { "Content-Type": type },
    });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Gives a command, and says how it ended. */
async function give(form: Schemas["HouseCommand"]): Promise<unknown> {
  const given = commandHouse(form).then(
    () => "done",
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return given;
}

const different = () => new Set(keys).size;

it("a command that is never answered is given up, and nobody says it is tried on", async () => {
  answer = undefined;
  const error = await give(BUY_IN);
  expect(error).toBeInstanceOf(Unanswered);
  expect(String(error)).toContain("it is not known whether this was done");
  expect([keys.length, different()]).toEqual([7, 1]);
});

it("the same command goes out under the same key until it is answered, and then under another", async () => {
  answer = undefined;
  await give(BUY_IN);
  answer = { status: 200 };
  expect(await give(BUY_IN)).toBe("done");
  expect(different()).toBe(1);
  await give(BUY_IN);
  expect(different()).toBe(2);
});

it("another command has a key of its own", async () => {
  answer = undefined;
  await give(BUY_IN);
  await give({ ...BUY_IN, amount: 20_000 });
  expect(different()).toBe(2);
});

it.each([
  [401, "SignedOut"],
  [403, "StepUpNeeded"],
  [429, "TooManyRequests"],
  [503, "Unavailable"],
])("%i %s is no word on the command: its key stays", async (status, reason) => {
  answer = undefined;
  await give(BUY_IN);
  answer = { status, reason };
  expect(await give(BUY_IN)).toBeInstanceOf(Refused);
  answer = { status: 200 };
  await give(BUY_IN);
  expect(different()).toBe(1);
});

it("a refusal by the floor is its answer", async () => {
  answer = { status: 409, reason: "NotAPlayer" };
  await give(BUY_IN);
  await give(BUY_IN);
  expect(different()).toBe(2);
});

it("what is done at a table that was seen since is no repetition", async () => {
  answer = undefined;
  await give(BUY_IN);
  forgetUnanswered("table/A");
  await give(BUY_IN);
  expect(different(), "the house was not seen").toBe(1);
  forgetUnanswered("house");
  await give(BUY_IN);
  expect(different()).toBe(2);
});

it("much later, or from somebody else, the same command is a new one", async () => {
  answer = undefined;
  await give(BUY_IN);
  vi.setSystemTime(Date.now() + 11 * 60 * 1000);
  await give(BUY_IN);
  expect(different()).toBe(2);
  forgetUnanswered();
  await give(BUY_IN);
  expect(different()).toBe(3);
});
