import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TableView } from "../../src/lib/api";
import { notices } from "../../src/lib/notices.svelte";
import { session } from "../../src/lib/session.svelte";
import { Sitting } from "../../src/pages/table/sitting.svelte";

const ANN = {
  name: "Ann",
  kind: "player",
  office: null,
  guest: false,
  stepped_up: false,
  second_factor: "none" as const,
};
type Sent = { do: string; area?: string; amount?: number };

/** A table whose only seat is Ann's, with these wagers. */
function table(version: number, laid: Record<string, number>): TableView {
  const areas = Object.entries(laid).map(([area, amount]) => ({
    area,
    total: amount,
    wagers: [{ owner: "Ann", amount, means: "credits" }],
  }));
  return {
    version,
    open: true,
    stage: { at: "bets-open", positions: [], awaited: "", call: "" },
    seats: [{ position: 3, holder: "Ann", yours: true, areas, cards: [] }],
    choices: [],
    areas: ["ante", "bonus", "flop", "turn", "river", "jackpot"],
    limits: { ante: [1000, 50_000] },
  } as unknown as TableView;
}

/** What the floor refuses. It does the rest. */
let refuses: (sent: Sent) => boolean;
let sent: Sent[] = [];
let asked: string[] = [];

beforeEach(() => {
  sent = [];
  asked = [];
  refuses = () => false;
  notices.list = [];
  session.known = true;
  session.who = undefined;
  const laid: Record<string, number> = { ante: 2500 };
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string | null }) => {
    asked.push(address);
    const form: Sent = JSON.parse(body ?? "{}");
    sent.push(form);
    if (refuses(form)) {
      const problem = { status: 409, reason: "No", detail: "It is refused." };
      return new Response(JSON.stringify(problem), {
        status: 409,
        headers: { "Content-Type": "application/problem+json" },
      });
    }
    if (form.do === "take-back-wager") delete laid.ante;
    if (form.do === "place-wager") laid.ante = form.amount ?? 0;
    return Response.json({ table: table(sent.length + 1, laid), who: ANN, guests: true });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function annSits(balance: number): Sitting {
  session.who = ANN as typeof session.who;
  const sitting = new Sitting("A");
  sitting.view = table(1, { ante: 2500 });
  sitting.balance.me = { balance } as typeof sitting.balance.me;
  return sitting;
}
const said = () => notices.list.map(({ text }) => text);

it("a wager that cannot be raised stays as it was, and the Player sees why", async () => {
  refuses = (form) => form.do === "place-wager" && form.amount === 10_000;
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.place();
  expect(sent.map((form) => [form.do, form.amount])).toEqual([
    ["take-back-wager", undefined],
    ["place-wager", 10_000],
    ["place-wager", 2500],
  ]);
  expect(sitting.wagering.total).toBe(2500);
  expect(said()).toEqual(["It is refused.", "Your earlier wagers are in place again."]);
});

it("a wager that cannot be restored is reported", async () => {
  refuses = (form) => form.do === "place-wager";
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.place();
  expect(said().at(-1)).toContain("could not be restored");
});

it("what the balance does not cover is not sent", async () => {
  const sitting = annSits(7499);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.place();
  expect(sitting.wagering.objections).toEqual(["Your balance of $74.99 is too low."]);
  expect(sent).toEqual([]);
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
