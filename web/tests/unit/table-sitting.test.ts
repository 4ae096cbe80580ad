import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TableView } from "../../src/lib/api";
import { notices } from "../../src/lib/notices.svelte";
import { session } from "../../src/lib/session.svelte";
import { Sitting } from "../../src/pages/table/sitting.svelte";

const ANN = { name: "Ann", kind: "player", office: null, guest: false, stepped_up: false };
type EventView = { do: string; area?: string; amount?: number };

/** A table whose only seat is Ann's, with what lies on its areas. */
function table(version: number, laid: Record<string, number>): TableView {
  const areas = Object.entries(laid).map(([area, amount]) => ({
    area,
    total: amount,
    wagers: [{ owner: "Ann", amount, means: "credits" }],
  }));
  return {
    version,
    open: true,
    stage: { name: "bets_open", positions: [], awaited: "", call: "" },
    seats: [{ position: 3, holder: "Ann", yours: true, areas, cards: [] }],
    choices: [],
    limits: { ante_least: 1000, ante_most: 50_000 },
  } as unknown as TableView;
}

/** What the floor refuses; the rest it does, and a wager lies or is gone. */
let refuses: (told: EventView) => boolean;
let told: EventView[] = [];
let asked: string[] = [];

beforeEach(() => {
  told = [];
  asked = [];
  refuses = () => false;
  notices.list = [];
  session.known = true;
  session.who = undefined;
  const laid: Record<string, number> = { Ante: 2500 };
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string | null }) => {
    asked.push(address);
    const form: EventView = JSON.parse(body ?? "{}");
    told.push(form);
    if (refuses(form)) {
      const problem = { status: 409, reason: "No", detail: "It is refused." };
      return new Response(JSON.stringify(problem), {
        status: 409,
        headers: { "Content-Type": "application/problem+json" },
      });
    }
    if (form.do === "take_back_wager") delete laid.Ante;
    if (form.do === "place_wager") laid.Ante = form.amount ?? 0;
    return Response.json({ table: table(told.length + 1, laid), who: ANN, guests: true });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function annSits(balance: number): Sitting {
  session.who = ANN as typeof session.who;
  const sitting = new Sitting("A");
  sitting.view = table(1, { Ante: 2500 });
  sitting.balance.me = { balance: String(balance * 10_000) } as typeof sitting.balance.me;
  return sitting;
}
const said = () => notices.list.map(({ text }) => text);

it("a wager that cannot be raised stays as it was, and the Player sees why", async () => {
  refuses = (form) => form.do === "place_wager" && form.amount === 10_000;
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 Ante": 10_000 };
  await sitting.wagering.place();
  expect(told.map((form) => [form.do, form.amount])).toEqual([
    ["take_back_wager", undefined],
    ["place_wager", 10_000],
    ["place_wager", 2500],
  ]);
  expect(sitting.wagering.total).toBe(2500);
  expect(said()).toEqual(["It is refused.", "Your earlier wagers are in place again."]);
});

it("a wager that cannot be restored is reported", async () => {
  refuses = (form) => form.do === "place_wager";
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 Ante": 10_000 };
  await sitting.wagering.place();
  expect(said().at(-1)).toContain("could not be restored");
});

it("what the balance does not cover is not sent", async () => {
  const sitting = annSits(7499);
  sitting.wagering.wanted = { "3 Ante": 10_000 };
  await sitting.wagering.place();
  expect(sitting.wagering.objections).toEqual(["Your balance of 74.99 does not cover it."]);
  expect(told).toEqual([]);
});

it("a person who is not admitted as a guest sees why once, and is not asked again", async () => {
  refuses = () => true;
  const sitting = new Sitting("A");
  sitting.arrival.wanted = true;
  await sitting.arrival.comeInAsGuest();
  expect([sitting.arrival.wanted, said()]).toEqual([false, ["It is refused."]]);
});

it("coming in and taking a position at once makes one guest", async () => {
  const sitting = new Sitting("A");
  sitting.arrival.wanted = true;
  await Promise.all([sitting.arrival.comeInAsGuest(), sitting.arrival.take(3)]);
  expect(asked.filter((address) => address.endsWith("/guest"))).toHaveLength(1);
  expect(sitting.arrival.wanted, "the position is taken, not two").toBe(false);
});

it("a guest's seat is offered only where the house admits guests, and to nobody whose session has ended", async () => {
  const sitting = new Sitting("A");
  sitting.view = table(1, {});
  expect(sitting.arrival.mayBeGuest).toBe(false);
  await sitting.arrival.askWhetherGuestsAreAdmitted();
  expect(sitting.arrival.mayBeGuest).toBe(true);
  session.ended = true;
  expect(sitting.arrival.mayBeGuest).toBe(false);
  session.ended = false;
});
