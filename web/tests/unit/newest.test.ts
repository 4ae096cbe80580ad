// Answers that come late: the newest one counts, on every page that asks more than once.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TableView } from "../../src/lib/api";
import { DealerDesk } from "../../src/pages/dealer/desk.svelte";
import { People } from "../../src/pages/dealer/people.svelte";
import { LobbyState } from "../../src/pages/lobby/lobby.svelte";
import { floor } from "../../src/pages/pit/floor.svelte";
import { MockTable } from "../../src/pages/practice/mock.svelte";

interface Asked {
  address: string;
  answer: (body: object) => Promise<void>;
}

/** What was asked and is not answered yet. */
let asked: Asked[] = [];

const answerTo = (words: string): Asked => {
  const at = asked.findIndex(({ address }) => address.includes(words));
  const [one] = asked.splice(at, at < 0 ? 0 : 1);
  if (one === undefined) throw new Error(`${words} was not asked: ${asked.map(({ address }) => address).join(", ")}`);
  return one;
};
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal(
    "fetch",
    (address: string, { signal }: RequestInit) =>
      new Promise<Response>((done, fail) => {
        signal?.addEventListener("abort", () => fail(signal.reason));
        asked.push({
          address,
          answer: async (body) => {
            done(new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } }));
            await settled();
          },
        });
      }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const players = (...names: string[]) => names.map((player) => ({ player, kind: "member", prohibited: false }));
const house = (names: string[], more_players = false) => ({ staff: [], players: players(...names), more_players });

it("the Dealer's table is never an older one", async () => {
  const desk = new DealerDesk("A");
  const at = (version: number) =>
    ({ version, round: 0, stage: { at: "bets-open" }, choices: [] }) as unknown as TableView;
  desk.update(at(3));
  const loading = desk.load();
  desk.update(at(5));
  await answerTo("/api/tables/A").answer(at(4));
  await loading;
  expect(desk.view?.version).toBe(5);
});

it("the Players that are offered are those of the last key", async () => {
  const people = new People();
  people.suggest("A");
  await vi.advanceTimersByTimeAsync(200);
  const first = answerTo("name=A");
  people.suggest("An");
  await vi.advanceTimersByTimeAsync(200);
  await answerTo("name=An").answer(house(["Ann"]));
  await first.answer(house(["Abe", "Ann"]));
  expect(people.players).toEqual(["Ann"]);
});

it("the pit shows the Players of the last name that was typed, and keeps those of further pages", async () => {
  const first = floor.findPlayers("A");
  const late = answerTo("/api/house");
  const second = floor.findPlayers("B");
  await answerTo("name=B").answer(house(["Bea", "Bob"], true));
  await late.answer(house(["Ann"]));
  await Promise.all([first, second]);
  expect(floor.house?.players.map(({ player }) => player)).toEqual(["Bea", "Bob"]);
  const more = floor.morePlayers();
  await answerTo("name=B").answer(house(["Bea", "Bob"], true));
  await answerTo("after=Bob").answer(house(["Bud"]));
  await more;
  // Something happened in the house.
  const reload = floor.loadHouse();
  await answerTo("name=B").answer(house(["Bea", "Bob"], true));
  await answerTo("after=Bob").answer(house(["Bud"]));
  await reload;
  expect(floor.house?.players.map(({ player }) => player)).toEqual(["Bea", "Bob", "Bud"]);
});

it("a mock table shows what its trainer did, not what was asked before", async () => {
  const mock = new MockTable("A");
  const looking = mock.load();
  const paying = mock.pay({} as never);
  const look = answerTo("/api/practice/tables/A");
  await answerTo("/paying").answer({ unpaid: 1 });
  await look.answer({ unpaid: 2 });
  await Promise.all([looking, paying]);
  expect(mock.view).toEqual({ unpaid: 1 });
});

it("a lobby, a pit and a mock table wait for an answer before they ask again", async () => {
  const stops = [new LobbyState().watch(), new MockTable("A").follow()];
  await vi.advanceTimersByTimeAsync(10_000);
  const counts = ["/api/lobby", "/api/practice/tables/A"].map(
    (path) => asked.filter(({ address }) => address === path).length,
  );
  for (const stop of stops) stop();
  expect(counts).toEqual([1, 1]);
});

it("a lobby that cannot be loaded says why", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no way there")));
  const lobby = new LobbyState();
  const stop = lobby.watch();
  await vi.advanceTimersByTimeAsync(100);
  expect([lobby.lobby, lobby.asked.problem]).toEqual([undefined, expect.stringContaining("cannot be reached")]);
  stop();
});
