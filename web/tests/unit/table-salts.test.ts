import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EventView, TableView } from "../../src/lib/api";
import { notices } from "../../src/lib/notices.svelte";
import { session } from "../../src/lib/session.svelte";
import { link } from "../../src/pages/table/shuffle";
import { Sitting } from "../../src/pages/table/sitting.svelte";

const ANN = {
  name: "Ann",
  kind: "player",
  office: null,
  guest: false,
  stepped_up: false,
  second_factor: "none" as const,
};
type Sent = { do: string; anchor?: string; salt?: string };

let sent: Sent[] = [];
let stored: Map<string, string>;

beforeEach(() => {
  sent = [];
  stored = new Map();
  notices.list = [];
  session.known = true;
  session.who = ANN as unknown as typeof session.who;
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string | null }) => {
    sent.push(JSON.parse(body ?? "{}"));
    return Response.json({ table: null });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A table at which Ann may commit to salts, and opens one where it is awaited. */
function table(own_anchor: string | null, own_next_anchor: string | null, awaited: boolean): TableView {
  const choices = [{ command: { do: "commit-salts", player: "Ann", anchor: "00" } }];
  if (awaited) choices.unshift({ command: { do: "open-salt", player: "Ann", anchor: "" } });
  return { version: 1, seats: [], choices, shuffle: { own_anchor, own_next_anchor } } as unknown as TableView;
}

async function attend(sitting: Sitting, view: TableView): Promise<void> {
  sitting.view = view;
  await sitting.salts.attend();
}

/** The anchor that was committed to last. */
const committed = (): string => sent.findLast((one) => one.do === "commit-salts")?.anchor ?? "";

it("commits to a chain once and opens its salts one after the other", async () => {
  const sitting = new Sitting("H2");
  await attend(sitting, table(null, null, false));
  const anchor = committed();
  expect(anchor).toMatch(/^[0-9a-f]{64}$/);
  await attend(sitting, table(null, anchor, false));
  expect(sent.length).toBe(1);
  await attend(sitting, table(anchor, null, true));
  const salt = sent[1]?.salt ?? "";
  expect(await link("H2", "Ann", salt)).toBe(anchor);
  // A page that was loaded again knows the rest of the chain.
  const again = new Sitting("H2");
  await attend(again, table(salt, null, true));
  expect(await link("H2", "Ann", sent[2]?.salt ?? "")).toBe(salt);
  expect(sent.length).toBe(3);
});

it("commits anew where the chain was lost or is nearly used up, and not in turns with another tab", async () => {
  const sitting = new Sitting("H2");
  const foreign = "ab".repeat(32);
  await attend(sitting, table(foreign, null, true));
  expect(sent.map((one) => one.do)).toEqual(["commit-salts"]);
  await attend(sitting, table(foreign, foreign, false));
  expect(sent.length).toBe(1);
  // Dropped, it begins again.
  await attend(sitting, table(null, null, false));
  expect(sent.length).toBe(2);
  const [secret] = JSON.parse([...stored.values()].at(-1) ?? "[]").slice(-1);
  let nearly = secret as string;
  for (let left = 0; left < 5; left += 1) nearly = await link("H2", "Ann", nearly);
  await attend(sitting, table(nearly, null, false));
  expect(sent.length).toBe(3);
});

it("opens a salt that is awaited while it is busy", async () => {
  const sitting = new Sitting("H2");
  await attend(sitting, table(null, null, false));
  const anchor = committed();
  const again = new Sitting("H2");
  const loading = attend(again, table(null, anchor, false));
  await attend(again, table(anchor, null, true));
  await loading;
  expect(sent.map((one) => one.do)).toEqual(["commit-salts", "open-salt"]);
});

it("commits to nothing where it is switched off, and opens what was committed to", async () => {
  const sitting = new Sitting("H2");
  await attend(sitting, table(null, null, false));
  const anchor = committed();
  sitting.salts.turn(false);
  await attend(sitting, table(null, null, false));
  expect(sent.length).toBe(1);
  await attend(sitting, table(anchor, null, true));
  expect(sent.map((one) => one.do)).toEqual(["commit-salts", "open-salt"]);
});

it("says so where a salt came too late", () => {
  const sitting = new Sitting("H2");
  const event = (players: string[]): EventView =>
    ({ kind: "salts-withheld", data: { players } }) as unknown as EventView;
  sitting.salts.tell([event(["Bob"])]);
  expect(notices.list.length).toBe(0);
  sitting.salts.tell([event(["Ann", "Bob"])]);
  expect(notices.list.length).toBe(1);
});
