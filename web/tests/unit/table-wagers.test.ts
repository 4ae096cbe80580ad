import { expect, test } from "vitest";
import type { SeatView, TableView } from "../../src/lib/api";
import { again, objections, earlierWagers, rack, standing, steps, total, withChip } from "../../src/pages/table/wagers";

function seat(position: number, yours: boolean, areas: Record<string, number> = {}): SeatView {
  const owner = yours ? "Ann" : "Ben";
  return {
    position,
    holder: owner,
    yours,
    areas: Object.entries(areas).map(([area, amount]) => ({
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
    limits: { ante_least: 1000, ante_most: 50_000, bonus_least: 500, bonus_most: 10_000 },
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

test("chips on bare felt become wagers in the order the rules want", () => {
  const view = table(seat(3, true), seat(4, false, { Ante: 5000 }));
  const wanted = { "3 Bonus": 500, "3 Ante": 2500, "3 Jackpot": 1000 };
  expect(steps(view, "Ann", wanted)).toEqual([
    { do: "place_wager", position: 3, area: "ante", amount: 2500 },
    { do: "place_wager", position: 3, area: "bonus", amount: 500 },
    { do: "place_wager", position: 3, area: "jackpot", amount: 1000 },
  ]);
  expect(total(view, "Ann", wanted)).toBe(4000);
});

test("another Ante takes the first back, and its Bonus goes and comes with it", () => {
  const view = table(seat(3, true, { Ante: 2500, Bonus: 500, Jackpot: 500 }));
  expect(steps(view, "Ann", { "3 Ante": 5000 })).toEqual([
    { do: "take_back_wager", position: 3, area: "ante" },
    { do: "place_wager", position: 3, area: "ante", amount: 5000 },
    { do: "place_wager", position: 3, area: "bonus", amount: 500 },
  ]);
  expect(steps(view, "Ann", {})).toEqual([]);
});

test("clearing takes everything back once", () => {
  const view = table(seat(3, true, { Ante: 2500, Bonus: 500 }));
  expect(steps(view, "Ann", { "3 Ante": 0, "3 Bonus": 0, "3 Jackpot": 0 })).toEqual([
    { do: "take_back_wager", position: 3, area: "ante" },
  ]);
});

test("what the table would not take is said before it is sent", () => {
  const view = table(seat(3, true));
  expect(objections(view, "Ann", { "3 Ante": 500 })).toEqual(["Ante 5.00 is under the minimum of 10.00."]);
  expect(objections(view, "Ann", { "3 Ante": 60_000 })).toEqual(["Ante 600.00 is over the maximum of 500.00."]);
  expect(objections(view, "Ann", { "3 Bonus": 500 })).toEqual(["The Bonus needs an Ante beside it."]);
  expect(objections(view, "Ann", { "3 Ante": 1000, "3 Jackpot": 700 })).toEqual([
    "The Jackpot wager is a multiple of 5.00.",
  ]);
  expect(objections(view, "Ann", { "3 Ante": 1000, "3 Jackpot": 2500 })).toEqual([]);
});

test("the balance covers what is added, and what is taken back is in it", () => {
  const view = table(seat(3, true, { Ante: 2500, Bonus: 500 }));
  const cents = (amount: number) => String(amount * 10_000);
  const refused = (balance: string) => [`Your balance of ${balance} does not cover it.`];
  expect(objections(view, "Ann", { "3 Ante": 10_000 }, cents(7500))).toEqual([]);
  expect(objections(view, "Ann", { "3 Ante": 10_000 }, cents(7499))).toEqual(refused("74.99"));
  expect(objections(view, "Ann", { "3 Ante": 10_000 }, "74999999")).toEqual(refused("74.999999"));
  expect(objections(view, "Ann", {}, "0")).toEqual([]);
  expect(objections(view, "Ann", { "3 Ante": 1000 }, "0"), "less is always covered").toEqual([]);
  expect(objections(view, "Ann", { "3 Ante": 10_000 }, null), "unknown, the server says").toEqual([]);
  const [ante] = view.seats[0]?.areas ?? [];
  if (ante?.wagers[0]) ante.wagers[0].means = "chips";
  expect(objections(view, "Ann", { "3 Ante": 10_000 }, cents(7500)), "chips go to the felt").toEqual(refused("75.00"));
});

test("what a refusal halfway took away is put back as it lay", () => {
  const before = table(seat(3, true, { Ante: 2500, Bonus: 500 }), seat(5, true));
  const wanted = { "3 Ante": 10_000, "5 Ante": 1000 };
  const back = (...seats: SeatView[]) => earlierWagers(before, table(...seats), "Ann", wanted);
  const lay = { "3 Ante": 2500, "3 Bonus": 500, "3 Jackpot": 0 };
  expect(back(seat(3, true), seat(5, true)), "the Ante was refused").toEqual(lay);
  expect(back(seat(3, true, { Ante: 10_000 }), seat(5, true)), "the Bonus was refused").toEqual(lay);
  expect(back(seat(3, true, { Ante: 10_000, Bonus: 500 }), seat(5, true)), "the other position was").toEqual({});
  expect(earlierWagers(before, table(seat(3, true)), "Ann", { "3 Ante": 0, "3 Bonus": 0 }), "it was wanted").toEqual(
    {},
  );
  expect(steps(table(seat(3, true)), "Ann", lay)).toEqual([
    { do: "place_wager", position: 3, area: "ante", amount: 2500 },
    { do: "place_wager", position: 3, area: "bonus", amount: 500 },
  ]);
});

test("the jackpot light counts its multiples and goes out after the last", () => {
  const view = table(seat(3, true));
  const lights = [0, 500, 1000, 1500, 2000, 2500].map((before) => withChip(view, "Jackpot", before, 10_000));
  expect(lights).toEqual([500, 1000, 1500, 2000, 2500, 0]);
  expect(withChip(view, "Ante", 2500, 500)).toBe(3000);
});

test("a share of another's wager is laid as the server offers it", () => {
  const offered = { does: "place_wager", position: 4, area: "Ante", amounts: { between: { least: 1, most: 45_000 } } };
  const view = { ...table(seat(3, true), seat(4, false, { Ante: 5000 })), choices: [{ ...offered, next: false }] };
  expect(steps(view, "Ann", { "4 Ante": 2500 })).toEqual([
    { do: "place_wager", position: 4, area: "ante", amount: 2500 },
  ]);
  expect(total(view, "Ann", { "3 Ante": 1000, "4 Ante": 2500 })).toBe(3500);
  expect(objections(view, "Ann", { "4 Ante": 2500 })).toEqual([]);
  expect(objections(view, "Ann", { "4 Ante": 50_000 })).toEqual([
    "The Ante of position 4 takes 450.00 of yours at most.",
  ]);
  expect(objections(view, "Ann", { "4 Bonus": 500 })).toEqual(["The Bonus of position 4 takes no more."]);
  expect(standing(view, "Ann"), "another's position is not repeated").toEqual({});
});

test("last wagers are repeated where they can be", () => {
  const view = table(seat(3, true, { Ante: 2500, Jackpot: 500 }));
  const last = standing(view, "Ann");
  expect(last).toEqual({ "3 Ante": 2500, "3 Jackpot": 500 });
  expect(again(table(seat(3, true)), last)).toEqual(last);
  expect(again(table(seat(5, true)), last)).toEqual({});
  const lost = table(seat(3, true));
  if (lost.jackpot) lost.jackpot.reachable = false;
  expect(again(lost, last)).toEqual({ "3 Ante": 2500 });
});

test("the rack has the chips this table takes", () => {
  expect(rack(table())).toEqual([100, 500, 2500, 10_000, 50_000]);
});
