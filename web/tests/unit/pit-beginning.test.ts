import { expect, it } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { beginning } from "../../src/pages/pit/beginning";

const manager = { person: "Ann", office: "gaming-shift-manager", department: "table-games", acting: null, choices: [] };
const accountant = { ...manager, person: "Abe", office: "dealer", department: "accounting" };
const house = (staff: object[], players: number) =>
  ({ staff, players_count: players, money: "real" }) as unknown as Schemas["HouseView"];
const lobby = (links: number, tables: number) =>
  ({ links: Array(links).fill({}), tables: Array(tables).fill({}) }) as unknown as Schemas["Lobby"];
const states = (...about: Parameters<typeof beginning>) => beginning(...about).map(({ part, state }) => [part, state]);

it("a new house has everything before it: its first four people deal nowhere", () => {
  expect(states(house([manager, accountant], 0), lobby(0, 0), [])).toEqual([
    ["staff", "none yet"],
    ["links", "none yet"],
    ["tables", "none yet"],
    ["players", "none yet"],
  ]);
});

it("what one person has signed waits for another, unless it has expired", () => {
  const proposal = { kind: "open-link" } as Schemas["Proposal"];
  const at = (expired: boolean) => states(house([manager], 0), lobby(0, 0), [{ proposal, expired }])[1];
  expect(at(false)).toEqual(["links", "waits for a second signature"]);
  expect(at(true)).toEqual(["links", "none yet"]);
});

it("what is there is counted", () => {
  const dealer = { ...manager, person: "Dan", office: "dealer" };
  const steps = beginning(house([manager, dealer, accountant], 3), lobby(1, 2), []);
  expect(steps.map(({ state }) => state)).toEqual(["1", "1", "2", "3"]);
  expect(steps.every(({ done }) => done)).toBe(true);
});
