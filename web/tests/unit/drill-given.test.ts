import { describe, expect, it } from "vitest";
import { answer, chipsSum, choose, nothing, type Question } from "../../src/pages/drill/given";

const options = [{ label: "one" }, { label: "two" }, { label: "three" }];
const ask = (form: Question["form"]): Question => ({ ask: "?", form });

describe("what a learner enters", () => {
  it("is an answer only when it is complete", () => {
    const one = ask({ form: "one", options });
    expect(answer(one, nothing())).toBeUndefined();
    expect(answer(one, { ...nothing(), chosen: [2] })).toEqual({ one: 2 });
    const order = ask({ form: "order", options });
    expect(answer(order, { ...nothing(), chosen: [2, 0] })).toBeUndefined();
    expect(answer(order, { ...nothing(), chosen: [2, 0, 1] })).toEqual({ order: [2, 0, 1] });
    const wager = ask({ form: "wager" });
    expect(answer(wager, { ...nothing(), cents: 500 })).toBeUndefined();
    expect(answer(wager, { ...nothing(), cents: 500, does: "pay" })).toEqual({ wager: { does: "pay", amount: 500 } });
    expect(answer(ask({ form: "several", options }), nothing())).toEqual({ several: [] });
  });

  it("replaces the one, adds to several, and takes back what is chosen again", () => {
    expect(choose({ form: "one", options }, [0], 2)).toEqual([2]);
    expect(choose({ form: "several", options }, [0], 2)).toEqual([0, 2]);
    expect(choose({ form: "order", options }, [2, 0], 2)).toEqual([0]);
  });

  it("counts chips", () => {
    expect(chipsSum({ 500: 3, 2500: 1 })).toBe(4000);
    const chips = ask({ form: "chips", denominations: [2500, 500] });
    expect(answer(chips, { ...nothing(), chips: { 2500: 1, 500: 0 } })).toEqual({
      chips: [{ denomination: 2500, count: 1 }],
    });
    expect(answer(chips, nothing())).toBeUndefined();
  });
});
