import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TableView, EventView } from "../../src/lib/api";
import { DealerDesk } from "../../src/pages/dealer/desk.svelte";
import { choice, table } from "./dealer-view";

/** What the floor answers a command with: the table afterwards, or why not. */
let answer: { status: number; body: object };
let sent: unknown[] = [];

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    const type = answer.status < 400 ? "application/json" : "application/problem+json";
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": type } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const flop = (at: number) => ({ community: at });
const becomes = (view: TableView): void => {
  answer = { status: 200, body: { events: [], version: view.version, table: view } };
};

/** A desk from which the Nine of Hearts was dealt, face down, as the first of the flop cards. */
async function misread(): Promise<DealerDesk> {
  const stage: TableView["stage"] = { at: "dealing", awaited: "", positions: [], call: "" };
  const choices = [choice({ do: "deal-card" }, { next: true, fill_in: ["card"] })];
  const dealing = table({ stage, choices, to_deal: [0, 1, 2].map(flop) });
  const desk = new DealerDesk("T");
  desk.update(dealing);
  becomes({ ...dealing, version: 2, to_deal: [1, 2].map(flop), to_correct: [flop(0)] });
  desk.cards.add(["9h"]);
  await desk.cards.send();
  expect(desk.cards.used).toEqual(new Set(["9h"]));
  sent = [];
  return desk;
}

const read = (version: number, at: number): EventView => ({
  stream: "table/T",
  version,
  at: 0,
  by: "Pit Supervisor",
  kind: "card-read",
  sentence: "",
  data: { cards: [{ place: { community: at }, card: null }] },
});

test("a corrected card leaves the pad, and the misread one returns", async () => {
  const desk = await misread();
  becomes(table({ version: 3 }));
  expect(await desk.cards.correct(flop(0), "9c")).toBe(true);
  expect(sent).toEqual([{ do: "read-card", place: flop(0), card: "9c" }]);
  expect(desk.cards.used).toEqual(new Set(["9c"]));
});

test("a correction that is refused changes nothing, and says why", async () => {
  const desk = await misread();
  answer = { status: 403, body: { status: 403, reason: "OfficeIsTooLow", detail: "A Pit Supervisor decides this." } };
  expect(await desk.cards.correct(flop(0), "9c")).toBe(false);
  expect(desk.refused?.reason).toBe("OfficeIsTooLow");
  expect(desk.cards.used).toEqual(new Set(["9h"]));
});

test("a card corrected on another console replaces what was sent from here", async () => {
  const desk = await misread();
  // The feed also reports what was sent from here.
  desk.receive([read(2, 0), read(3, 1)]);
  expect(desk.cards.used).toEqual(new Set(["9h"]));
  desk.receive([read(4, 0)]);
  expect(desk.cards.used).toEqual(new Set());
});

test("a list half paid starts again when a misread card changes it", () => {
  const step = {
    position: 1,
    area: "ante" as const,
    owner: "Ann",
    amount: 5000,
    means: "chips" as const,
    chips: [],
    clause: "MTHB9 3.10.3",
  };
  const settling = (version: number, does: "take" | "return"): TableView =>
    table({
      version,
      stage: { at: "settling", awaited: "", positions: [], call: "" },
      paying: [
        { ...step, does },
        { ...step, does, position: 3 },
      ],
    });
  const desk = new DealerDesk("T");
  desk.update(settling(1, "take"));
  desk.paying.advance();
  desk.update(settling(2, "take"));
  expect(desk.paying.done).toBe(1);
  desk.update(settling(3, "return"));
  expect(desk.paying.done).toBe(0);
});
