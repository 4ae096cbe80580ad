import { beforeEach, expect, test } from "vitest";
import { DealerDesk } from "../../src/pages/dealer/desk.svelte";
import { choice, table } from "./dealer-view";

// Each command waits until it is answered here.
let answers: ((table: unknown) => void)[] = [];

beforeEach(() => {
  answers = [];
  globalThis.fetch = () =>
    new Promise((answer) => {
      answers.push((table) => answer(Response.json({ table, version: 2, events: [] })));
    });
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    value: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
  });
});

const PLACES = [{ player: [3, "second"] }, { dealer: "first" }, { dealer: "second" }] as never[];
const dealing = (version: number, to_deal: never[]) =>
  table({
    version,
    stage: { at: "dealing", what: null, awaited: "", positions: [], call: "" },
    to_deal,
    choices: [choice({ do: "deal-card" }, { next: true })],
  } as never);

test("a scanner is not slowed by a card on its way: the feed may show it before its command is answered", async () => {
  const desk = new DealerDesk("T");
  desk.update(dealing(1, PLACES));
  expect(desk.work).toBe("deal");
  desk.cards.add(["8s"]);
  void desk.cards.send();
  expect(desk.cards.places).toHaveLength(2);
  desk.update(dealing(2, PLACES.slice(1)));
  desk.cards.add(["As", "3c", "8s"]);
  expect(desk.cards.queue).toEqual(["As", "3c"]);
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.(dealing(2, PLACES.slice(1)));
  await expect.poll(() => desk.busy).toBe(false);
  void desk.cards.send();
  await expect.poll(() => answers.length).toBe(2);
  expect(desk.cards.queue).toEqual(["3c"]);
});
