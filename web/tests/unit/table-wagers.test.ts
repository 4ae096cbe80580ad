import { expect, test } from "vitest";
import type { SeatView, TableView } from "../../src/lib/api";
import type { Area } from "../../src/lib/game";
import {
  again,
  doubled,
  isChange,
  objections,
  ownWagers,
  rack,
  standing,
  total,
  withChip,
} from "../../src/pages/table/wagers";
import { choice } from "./dealer-view";

type Laid = Partial<Record<Area, number>>;

function seat(position: number, yours: boolean, laid: Laid = {}): SeatView {
  const owner = yours ? "Ann" : "Ben";
  const areas = Object.entries(laid) as [Area, number][];
  return {
    position,
    holder: owner,
    yours,
    areas: areas.map(([area, amount]) => ({
      area,
      total: amount,
      wagers: [{ owner, amount, means: "credits", out: null }],
    })),
    cards: [],
    state: "in",
    viewed: false,
    decisions: [],
    out: null,
    warned: false,
    restricted: false,
  };
}

const table = (...seats: SeatView[]): TableView =>
  ({
    seats,
    choices: [],
    areas: ["ante", "bonus", "flop", "turn", "river", "jackpot"],
    limits: { ante: [1000, 50_000], bonus: [500, 10_000] },
    jackpot: {
      minimum: 500,
      multiples_least: 1,
      multiples_most: 5,
      reachable: true,
      displayed: 1,
      link: "M",
      pending: [],
    },
  }) as unknown as TableView;

const own = (position: number, area: Area, amount: number) => ({ position, area, amount });

test("laid chips are the wagers that are wanted", () => {
  const view = table(seat(3, true));
  const wanted = { "3 bonus": 500, "3 ante": 2500, "3 jackpot": 1000 };
  expect(ownWagers(view, "Ann", wanted)).toEqual([own(3, "ante", 2500), own(3, "bonus", 500), own(3, "jackpot", 1000)]);
  expect(ownWagers(view, "Ann")).toEqual([]);
  expect(total(view, "Ann", wanted)).toBe(4000);
});

test("wagers that lie stay where nothing else is wanted", () => {
  const view = table(seat(3, true, { ante: 2500, bonus: 500, jackpot: 500 }));
  expect(ownWagers(view, "Ann", { "3 ante": 5000, "3 jackpot": 0 })).toEqual([
    own(3, "ante", 5000),
    own(3, "bonus", 500),
  ]);
  expect(isChange(view, "Ann", { "3 ante": 2500 })).toBe(false);
});

test("a wager in chips is the staff's to move", () => {
  const view = table(seat(3, true, { ante: 2500, bonus: 500 }));
  const [ante] = view.seats[0]?.areas ?? [];
  if (ante?.wagers[0]) ante.wagers[0].means = "chips";
  expect(ownWagers(view, "Ann")).toEqual([own(3, "bonus", 500)]);
  expect(doubled(view, "Ann", {})).toEqual({ "3 bonus": 1000 });
});

test("amounts outside the limits are shown before they are sent", () => {
  const view = table(seat(3, true));
  expect(objections(view, "Ann", { "3 ante": 500 })).toEqual(["Ante $5.00 is under the minimum of $10.00."]);
  expect(objections(view, "Ann", { "3 ante": 60_000 })).toEqual(["Ante $600.00 is over the maximum of $500.00."]);
  expect(objections(view, "Ann", { "3 ante": 1000, "3 jackpot": 700 })).toEqual([
    "The Jackpot wager must be a multiple of $5.00.",
  ]);
  expect(objections(view, "Ann", { "3 ante": 1000, "3 jackpot": 2500 })).toEqual([]);
});

test("the balance covers what is added, and what is taken back is in it", () => {
  const view = table(seat(3, true, { ante: 2500, bonus: 500 }));
  const refused = (balance: string) => [`Your balance of ${balance} is too low.`];
  expect(objections(view, "Ann", { "3 ante": 10_000 }, 7500)).toEqual([]);
  expect(objections(view, "Ann", { "3 ante": 10_000 }, 7499)).toEqual(refused("$74.99"));
  expect(objections(view, "Ann", {}, 0)).toEqual([]);
  expect(objections(view, "Ann", { "3 ante": 1000 }, 0), "less is always covered").toEqual([]);
  expect(objections(view, "Ann", { "3 ante": 10_000 }, null), "unknown, the server says").toEqual([]);
  const [ante] = view.seats[0]?.areas ?? [];
  if (ante?.wagers[0]) ante.wagers[0].means = "chips";
  expect(objections(view, "Ann", { "3 ante": 10_000 }, 7500), "chips stay chips").toEqual(refused("$75.00"));
});

test("the jackpot goes through its multiples and back to nothing", () => {
  const view = table(seat(3, true));
  const amounts = [0, 500, 1000, 1500, 2000, 2500].map((before) => withChip(view, "jackpot", before, 10_000));
  expect(amounts).toEqual([500, 1000, 1500, 2000, 2500, 0]);
  expect(withChip(view, "ante", 2500, 500)).toBe(3000);
});

test("a share of another's wager is laid as the server offers it", () => {
  const command = { do: "place-wager", position: 4, area: "ante", amount: 1, owner: "Ann", means: "credits" } as const;
  const offered = choice(command, { amounts: { between: { least: 1, most: 45_000 } } });
  const view = { ...table(seat(3, true), seat(4, false, { ante: 5000 })), choices: [offered] };
  expect(ownWagers(view, "Ann", { "4 ante": 2500 })).toEqual([own(4, "ante", 2500)]);
  expect(total(view, "Ann", { "3 ante": 1000, "4 ante": 2500 })).toBe(3500);
  expect(objections(view, "Ann", { "4 ante": 2500 })).toEqual([]);
  expect(objections(view, "Ann", { "4 ante": 50_000 })).toEqual([
    "The Ante of position 4 accepts at most $450.00 from you.",
  ]);
  expect(objections(view, "Ann", { "4 bonus": 500 })).toEqual(["The Bonus of position 4 accepts no more."]);
  expect(standing(view, "Ann"), "another's position is not repeated").toEqual({});
});

test("last wagers are repeated where they can be", () => {
  const view = table(seat(3, true, { ante: 2500, jackpot: 500 }));
  const last = standing(view, "Ann");
  expect(last).toEqual({ "3 ante": 2500, "3 jackpot": 500 });
  expect(again(table(seat(3, true)), last)).toEqual(last);
  expect(again(table(seat(5, true)), last)).toEqual({});
  const lost = table(seat(3, true));
  if (lost.jackpot) lost.jackpot.reachable = false;
  expect(again(lost, last)).toEqual({ "3 ante": 2500 });
});

test("the rack has the chips this table uses", () => {
  expect(rack(table())).toEqual([100, 500, 2500, 10_000, 50_000]);
});
