import { expect, test } from "vitest";
import { otherChoices, outline } from "../../src/pages/dealer/procedure";
import { effects, IRREGULARITIES, irregularityOf, positionsFor, whoDecides } from "../../src/pages/dealer/irregularity";
import { choice, seat, table } from "./dealer-view";

const stage = { awaited: "", positions: [], call: "" };
const now = (view: ReturnType<typeof table>): string | undefined =>
  outline(view).find((row) => row.state === "now")?.name;

test("the outline says where the round stands", () => {
  const view = table({ stage: { ...stage, at: "deciding", what: "turn" } });
  expect(now(view)).toBe("Decisions on the Turn");
  expect(outline(view).filter((row) => row.state === "done")).toHaveLength(5);
  const stud = table({ areas: ["ante", "bet", "jackpot"], stage: { ...stage, at: "deciding", what: "bet" } });
  expect(now(stud)).toBe("Decisions");
});

test("dealing after the decisions is the Dealer's own hand", () => {
  const dealing = { ...stage, at: "dealing" as const };
  expect(now(table({ stage: dealing }))).toBe("Deal");
  const decided = seat(1, { state: "in", decisions: ["wager"] });
  expect(now(table({ stage: dealing, seats: [decided] }))).toBe("Turn the Dealer's hand");
});

test("choices with a form or a place of their own are not listed with the others", () => {
  const choices = [
    choice({ do: "close-bets" }, { next: true }),
    choice({ do: "declare-bad-cards", fault: "extra" }, { fill_in: ["fault"] }),
    choice({ do: "decide", position: 1, decision: "fold" }),
    choice({ do: "inform-player", player: "Ann" }),
  ];
  expect(otherChoices(table({ choices })).map(({ command }) => command.do)).toEqual(["inform-player"]);
});

test("every irregularity is sent with just what it needs", () => {
  const answers = {
    fault: "extra" as const,
    count: 51,
    cards: 2,
    position: 3,
    player: "Bo",
    area: "flop" as const,
    amount: 2500,
    words: "A spilled drink.",
    piles: [{ position: 1, cards: 2 }],
    also: ["dealer" as const],
  };
  const fields: Record<string, string> = {
    fault: "fault",
    count: "counted",
    cards: "cards",
    position: "position",
    player: "player",
    area: "area",
    amount: "amount",
    words: "words",
  };
  const kinds = IRREGULARITIES.flatMap((group) => group.kinds);
  expect(kinds).toHaveLength(20);
  for (const { what, asks } of kinds) {
    const keys = Object.keys(irregularityOf(what, answers) ?? {}).sort();
    const asked = asks.flatMap((ask) => (ask === "piles" ? ["piles", "also"] : [fields[ask] ?? ask]));
    expect(keys, what).toEqual(["what", ...asked].sort());
  }
});

test("nothing is taken as answered that nobody answered", () => {
  const answers = {
    fault: undefined,
    count: 52,
    cards: 1,
    position: undefined,
    player: "Bo",
    area: "ante" as const,
    amount: undefined,
    words: "",
    piles: [],
    also: [],
  };
  for (const what of ["bad-cards", "hand-count", "decision-miskeyed", "late-wager", "wager-miskeyed"] as const) {
    expect(irregularityOf(what, answers), what).toBeUndefined();
  }
});

test("what is about a hand is asked of positions with cards", () => {
  const seats = table().seats;
  const kinds = IRREGULARITIES.flatMap((group) => group.kinds);
  const positions = (what: string): number[] => {
    const kind = kinds.find((one) => one.what === what);
    return kind === undefined ? [] : positionsFor(kind, seats).map(({ position }) => position);
  };
  expect(positions("hand-count")).toEqual([1, 3]);
  expect(positions("late-wager")).toEqual([1, 2, 3, 4]);
});

test("a void round does not tick the steps that were not done", () => {
  const states = (view: ReturnType<typeof table>): Record<string, string> =>
    Object.fromEntries(outline(view).map(({ name, state }) => [name, state]));
  const dealt = states(table({ stage: { ...stage, at: "void" }, community: [null, null, null, null, null] }));
  expect(dealt).toMatchObject({ "Open the bets": "done", Deal: "done", "Turn the flop": "skipped" });
  expect(dealt["Decisions on the Flop"]).toBe("skipped");
  expect(dealt["Take and pay"]).toBe("skipped");
  expect(dealt["Begin the next round"]).toBe("now");
  const noCards = states(table({ stage: { ...stage, at: "void" }, seats: [seat(1, { holder: "Ann" })] }));
  expect(noCards).toMatchObject({ "Open the bets": "done", "Close the bets": "skipped", Deal: "skipped" });
});

test("what happens to the wagers is said together", () => {
  const [stays, returned, collected] = (["stays", "returned", "collected"] as const).map((becomes) => ({ becomes }));
  if (stays === undefined || returned === undefined || collected === undefined) throw new Error("three changes");
  expect(effects([])).toBe("There is no wager on the table.");
  expect(effects([stays])).toBe("Every wager stays.");
  expect(effects([stays, returned])).toBe("One wager is returned.");
  expect(effects([returned, returned, collected])).toBe("2 wagers are returned, one wager is collected.");
});

test("who decides is said", () => {
  expect(whoDecides({ office: "pit-supervisor" })).toBe("A Pit Supervisor decides");
  expect(whoDecides({ office: "dealer" })).toBe("The Dealer decides");
  expect(whoDecides({ office: null })).toBe("The Player decides; the staff enter it");
});
