import { expect, test } from "vitest";
import type { SeatView, TableCommand, TableView } from "../../src/lib/api";
import type { Area } from "../../src/lib/game";
import {
  again,
  earlierWagers,
  isChange,
  nextStep,
  objections,
  rack,
  standing,
  targets,
  total,
  type Wanted,
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

/** The commands until the wagers at position 3 are the wanted ones. An Ante that is taken back takes the Bonus along, as
 * on the server. */
function steps(from: Laid, wanted: Wanted): TableCommand[] {
  const laid: Laid = { ...from };
  const sent: TableCommand[] = [];
  const view = (): TableView => table(seat(3, true, laid));
  const goal = targets(view(), "Ann", wanted);
  for (let step = nextStep(view(), "Ann", goal); step !== undefined; step = nextStep(view(), "Ann", goal)) {
    sent.push(step);
    if (step.do === "place-wager") laid[step.area] = step.amount;
    if (step.do === "take-back-wager") delete laid[step.area];
    if (step.do === "take-back-wager" && step.area === "ante") delete laid.bonus;
    if (sent.length > 10) throw new Error("it never ends");
  }
  return sent;
}

const place = (area: Area, amount: number) =>
  ({ do: "place-wager", position: 3, area, amount, owner: "Ann", means: "credits" }) as const;
const takeBack = (area: Area) => ({ do: "take-back-wager", position: 3, area, owner: "Ann" }) as const;

test("chips become wagers in the order of the areas", () => {
  const wanted = { "3 bonus": 500, "3 ante": 2500, "3 jackpot": 1000 };
  expect(steps({}, wanted)).toEqual([place("ante", 2500), place("bonus", 500), place("jackpot", 1000)]);
  expect(total(table(seat(3, true)), "Ann", wanted)).toBe(4000);
});

test("another Ante takes the first back, and a Bonus that went with it is placed again", () => {
  const laid = { ante: 2500, bonus: 500, jackpot: 500 };
  expect(steps(laid, { "3 ante": 5000 })).toEqual([takeBack("ante"), place("ante", 5000), place("bonus", 500)]);
  expect(steps(laid, {})).toEqual([]);
  expect(isChange(table(seat(3, true, laid)), "Ann", { "3 ante": 2500 })).toBe(false);
});

test("clearing takes everything back once", () => {
  expect(steps({ ante: 2500, bonus: 500 }, { "3 ante": 0, "3 bonus": 0, "3 jackpot": 0 })).toEqual([takeBack("ante")]);
});

test("a command of the server is sent back with the amount filled in", () => {
  const offered = choice({ ...place("ante", 1000) }, { fill_in: ["amount"] });
  const back = choice(takeBack("ante"));
  const wanted = { "3 ante": 2500 };
  const empty = { ...table(seat(3, true)), choices: [offered] };
  expect(nextStep(empty, "Ann", wanted)).toEqual({ ...offered.command, amount: 2500 });
  const laid = { ...table(seat(3, true, { ante: 1000 })), choices: [back] };
  expect(nextStep(laid, "Ann", wanted)).toBe(back.command);
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

test("after a refusal halfway the earlier wagers are wanted again", () => {
  const before = table(seat(3, true, { ante: 2500, bonus: 500 }), seat(5, true));
  const wanted = { "3 ante": 10_000, "5 ante": 1000 };
  const earlier = (...seats: SeatView[]) => earlierWagers(before, table(...seats), "Ann", wanted);
  const laid = { "3 ante": 2500, "3 bonus": 500, "3 jackpot": 0 };
  expect(earlier(seat(3, true), seat(5, true)), "the Ante was refused").toEqual(laid);
  expect(earlier(seat(3, true, { ante: 10_000 }), seat(5, true)), "the Bonus was refused").toEqual(laid);
  expect(earlier(seat(3, true, { ante: 10_000, bonus: 500 }), seat(5, true)), "the other position was").toEqual({});
  const cleared = earlierWagers(before, table(seat(3, true)), "Ann", { "3 ante": 0, "3 bonus": 0 });
  expect(cleared, "it was wanted").toEqual({});
  expect(steps({}, laid)).toEqual([place("ante", 2500), place("bonus", 500)]);
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
  expect(nextStep(view, "Ann", { "4 ante": 2500 })).toEqual({ ...command, amount: 2500 });
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
