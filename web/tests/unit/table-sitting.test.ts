import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventView, TableView } from "../../src/lib/api";
import { notices } from "../../src/lib/notices.svelte";
import { session } from "../../src/lib/session.svelte";
import { Sitting } from "../../src/pages/table/sitting.svelte";
import { say } from "../../src/pages/table/words";

const ANN = {
  name: "Ann",
  kind: "player",
  office: null,
  guest: false,
  stepped_up: false,
  second_factor: "none" as const,
};
type Sent = { do: string; wagers?: { area: string; amount: number }[] };

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
    staffing: "automatic",
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
    for (const { area, amount } of form.wagers ?? []) laid[area] = amount;
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

const ante = (amount: number) => [{ position: 3, area: "ante", amount }];

it("wagers are set by one command, which names those that were seen", async () => {
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.place();
  expect(sent).toEqual([{ do: "set-wagers", player: "Ann", wagers: ante(10_000), seen: ante(2500) }]);
  expect(sitting.wagering.total).toBe(10_000);
});

it("a wager that is refused stays as it was, the Player sees why, and nobody is ready", async () => {
  refuses = (form) => form.do === "set-wagers";
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.deal();
  expect(sent).toHaveLength(1);
  expect(sitting.wagering.total).toBe(2500);
  expect(sitting.isReady).toBe(false);
  expect(said()).toEqual(["It is refused."]);
});

it("to be ready names the wagers that are meant", async () => {
  const sitting = annSits(100_000);
  sitting.wagering.wanted = { "3 ante": 10_000 };
  await sitting.wagering.deal();
  expect(sent.at(-1)).toEqual({ ready: true, wagers: ante(10_000) });
  refuses = () => true;
  await sitting.wagering.deal();
  expect(sitting.isReady, "other wagers lie there").toBe(false);
  expect(said()).toEqual(["It is refused."]);
});

it("a share that goes back with the wager beside it is told to both", async () => {
  const back = (by: string, owner: string): EventView[] => [
    { kind: "wager-taken-back", by, data: { player: owner, area: "ante", position: 3, amount: 500 } } as EventView,
  ];
  const sitting = annSits(100_000);
  sitting.wagering.tell([...back("Ann", "Ann"), ...back("Ben", "Cat"), ...back("Ann", "Ben")]);
  expect(said()).toEqual(["Ben's Ante of $5.00 at position 3 went back with yours."]);
  sitting.wagering.tell(back("Ben", "Ann"));
  expect(said().at(-1)).toBe("Your Ante of $5.00 at position 3 went back.");
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

describe("a guest whose seat is given up", () => {
  const free = (version: number): TableView => {
    const given = table(version, {});
    return { ...given, seats: given.seats.map((seat) => ({ ...seat, holder: null, yours: false })) };
  };
  beforeEach(() => {
    vi.useFakeTimers();
    session.who = { ...ANN, guest: true } as typeof session.who;
  });
  afterEach(() => void vi.useRealTimers());

  it("reads why, and may sit down again", () => {
    const { arrival } = new Sitting("A");
    arrival.seatsChanged(undefined, table(1, {}));
    vi.setSystemTime(Date.now() + 10 * 60_000);
    arrival.seatsChanged(table(1, {}), free(2));
    expect(say.seatGivenUp(arrival.away ?? 0)).toBe("You were away for 10 minutes, so your seat was given up.");
    arrival.sitAgain();
    expect(arrival.wanted).toBe(true);
    arrival.seatsChanged(free(2), table(3, {}));
    expect(arrival.away).toBeUndefined();
  });
  it("reads nothing of it who stood up", () => {
    const { arrival } = new Sitting("A");
    arrival.sends("leave-position");
    arrival.seatsChanged(table(3, {}), free(4));
    expect(arrival.away).toBeUndefined();
  });
});
