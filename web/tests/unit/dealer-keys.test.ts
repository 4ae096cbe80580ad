import { beforeEach, expect, test, vi } from "vitest";
import type { TableView } from "../../src/lib/api";
import { DealerDesk } from "../../src/pages/dealer/desk.svelte";
import type { Stage } from "../../src/lib/game";
import { isElsewhere, isPressedOn, pressed } from "../../src/pages/dealer/keys";
import { choice, seat, table } from "./dealer-view";

// Whatever is sent is written down here and never answered, so that only keys are tested.
let sent: unknown[] = [];
const kept = new Map<string, string>();

beforeEach(() => {
  sent = [];
  kept.clear();
  globalThis.fetch = (_, options) => {
    sent.push(JSON.parse(String(options?.body)));
    return new Promise(() => {});
  };
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    value: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
  });
});

function deskWith(more: Parameters<typeof table>[0]): DealerDesk {
  const desk = new DealerDesk("T");
  desk.update(table(more));
  return desk;
}

function press(desk: DealerDesk, ...keys: string[]): boolean[] {
  return keys.map((key) => pressed(desk, key, false, false));
}

const at = (stage: Stage, positions: number[] = []): TableView["stage"] => ({
  ...stage,
  awaited: "",
  positions,
  call: "",
});
const deciding = {
  stage: at({ at: "deciding", what: "flop" }, [1, 3]),
  choices: [
    choice({ do: "decide", position: 1, decision: "fold" }, { label: "Fold", confirm: true, next: true }),
    choice({ do: "decide", position: 1, decision: "wager" }, { label: "Flop 100.00", confirm: true }),
    choice({ do: "decide", position: 3, decision: "fold" }, { label: "Fold", confirm: true }),
    choice({ do: "report-absent", position: 1 }, { confirm: true }),
  ],
};

test("a letter only marks a decision, however often", () => {
  const desk = deskWith(deciding);
  expect(press(desk, "f", "f", "f")).toEqual([true, true, true]);
  expect(desk.confirmation.title).toBe("Fold · position 1");
  expect(sent).toEqual([]);
});

test("Enter alone decides nothing; after a letter it sends", () => {
  const desk = deskWith(deciding);
  expect(press(desk, "Enter")).toEqual([false]);
  expect(sent).toEqual([]);
  press(desk, "w", "Enter");
  expect(sent).toEqual([{ do: "decide", position: 1, decision: "wager" }]);
});

test("Escape takes the mark off; a figure moves it to another position", () => {
  const desk = deskWith(deciding);
  press(desk, "f", "Escape", "Enter");
  expect(sent).toEqual([]);
  press(desk, "f", "3");
  expect(desk.confirmation.armed).toBeUndefined();
  press(desk, "f", "Enter");
  expect(sent).toEqual([{ do: "decide", position: 3, decision: "fold" }]);
});

test("a key held down counts once", () => {
  const desk = deskWith({ stage: at({ at: "before-bets" }), choices: [choice({ do: "open-bets" }, { next: true })] });
  expect(pressed(desk, "Enter", false, true)).toBe(true);
  expect(sent).toEqual([]);
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "open-bets" }]);
});

test("a next step that needs a confirmation takes Enter twice", () => {
  const close = choice({ do: "close-bets" }, { confirm: true, next: true });
  const desk = deskWith({ stage: at({ at: "bets-open" }), choices: [close] });
  press(desk, "Enter");
  expect(sent).toEqual([]);
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "close-bets" }]);
});

const community = (at: number) => ({ community: at });
const held = (position: number, at: number) => ({ player: [position, at] as [number, number] });

test("cards wait in a row until Enter, and Backspace takes them out", () => {
  const desk = deskWith({ to_read: [0, 1, 2].map(community) });
  expect(desk.work).toBe("read");
  press(desk, "a", "s", "k", "d", "Backspace", "q", "h");
  expect(desk.cards.queue).toEqual(["As", "Qh"]);
  expect(sent).toEqual([]);
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "read-card", place: { community: 0 }, card: "As" }]);
});

test("a card read elsewhere is not asked for again", () => {
  const desk = deskWith({ to_read: [community(2)] });
  press(desk, "a", "s", "k", "d", "Enter");
  expect(desk.cards.queue).toEqual([]);
  expect(sent).toEqual([{ do: "read-card", place: community(2), card: "As" }]);
});

test("no more cards are taken than are due", () => {
  const choices = [choice({ do: "deal-card" }, { next: true, fill_in: ["card"] })];
  const desk = deskWith({ stage: at({ at: "dealing" }), choices, to_deal: [held(1, 0), held(1, 1)] });
  expect(desk.work).toBe("deal");
  press(desk, "a", "s", "k", "d", "q", "h");
  expect(desk.cards.queue).toEqual(["As", "Kd"]);
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "deal-card", card: "As" }]);
});

test("at the showdown the hand whose turn it is is read, the first or the one chosen", () => {
  const to_read = [held(1, 0), held(1, 1), held(3, 0), held(3, 1)];
  const desk = deskWith({ stage: at({ at: "showing" }, [1, 3]), to_read });
  expect(desk.cards.places).toEqual([held(1, 0), held(1, 1)]);
  desk.selected = 3;
  expect(desk.cards.places).toEqual([held(3, 0), held(3, 1)]);
});

test("an open card cannot be entered again", () => {
  const desk = deskWith({ community: ["As", null, null, null, null], to_read: [1, 2].map(community) });
  press(desk, "a", "s");
  expect(desk.cards.queue).toEqual([]);
});

test("an automatic table takes no Enter", () => {
  const choices = [choice({ do: "close-bets" }, { next: true })];
  const desk = deskWith({ staffing: "automatic", choices });
  expect(press(desk, "Enter")).toEqual([false]);
  expect(sent).toEqual([]);
});

test("chips are paid step by step before the round is settled", () => {
  const step = {
    position: 1,
    area: "ante" as const,
    owner: "Ann",
    does: "take" as const,
    amount: 5000,
    chips: [],
    clause: "MTHB9 3.10.3",
  };
  const desk = deskWith({
    stage: at({ at: "settling" }),
    seats: [seat(1, { holder: "Ann", state: "shown" })],
    paying: [
      { ...step, means: "chips" },
      { ...step, means: "credits" },
      { ...step, means: "chips" },
    ],
    choices: [choice({ do: "settle" }, { next: true })],
  });
  expect(desk.work).toBe("pay");
  press(desk, "Enter", "Backspace", "Enter", "Enter");
  expect(sent).toEqual([]);
  expect(desk.work).toBe("step");
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "settle" }]);
});

test("the hands of a misdeal are given up only by two keys", () => {
  const desk = deskWith({
    misdeal: { clause: "MTHB9 5.2", moves: [{ from: 2, to: 1 }] },
    choices: [
      choice({ do: "reconstruct" }, { next: true }),
      choice({ do: "give-up-reconstruction" }, { confirm: true }),
    ],
  });
  press(desk, "g", "g");
  expect(sent).toEqual([]);
  press(desk, "Enter");
  expect(sent).toEqual([{ do: "give-up-reconstruction" }]);
});

test("keys under a dialog, in a field or with a modifier belong there", () => {
  class FakeElement {
    constructor(readonly tag: string) {}
    matches(selector: string): boolean {
      return selector.split(", ").includes(this.tag);
    }
  }
  let open: object | null = null;
  vi.stubGlobal("Element", FakeElement);
  vi.stubGlobal("document", { querySelector: () => open });
  const press = (tag: string, more: object = {}) =>
    ({ key: "Enter", target: new FakeElement(tag), ...more }) as unknown as KeyboardEvent;
  expect(["input", "select", "textarea", "body", "button"].map((tag) => isElsewhere(press(tag)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(isElsewhere(press("body", { ctrlKey: true }))).toBe(true);
  expect(["button", "a", "summary", "body"].map((tag) => isPressedOn(press(tag)))).toEqual([true, true, true, false]);
  expect(isPressedOn(press("button", { key: "5" }))).toBe(false);
  open = {};
  expect(isElsewhere(press("body"))).toBe(true);
  vi.unstubAllGlobals();
});
