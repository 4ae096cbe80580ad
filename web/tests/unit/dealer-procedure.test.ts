import { expect, test } from "vitest";
import { besides, commandOf, needsConfirmation, outline, title } from "../../src/pages/dealer/procedure";
import { effects, remedy, IRREGULARITIES, irregularityOf, whoDecides } from "../../src/pages/dealer/irregularity";
import { seat, table } from "./dealer-view";

const at = (name: "dealing" | "bets_open" | "deciding_turn") => ({ name, awaited: "", positions: [], call: "" });
const now = (view: ReturnType<typeof table>): string | undefined =>
  outline(view).find((row) => row.state === "now")?.name;

test("the outline says where the round stands", () => {
  const view = table({ stage: at("deciding_turn") });
  expect(now(view)).toBe("Decisions on the Turn");
  expect(outline(view).filter((row) => row.state === "done")).toHaveLength(5);
});

test("dealing after the decisions is the Dealer's own hand", () => {
  expect(now(table({ stage: at("dealing") }))).toBe("Deal");
  const decided = seat(1, { state: "in", decisions: ["wager"] });
  expect(now(table({ stage: at("dealing"), seats: [decided] }))).toBe("Turn the Dealer's hand");
});

test("a choice becomes its command", () => {
  expect(commandOf({ does: "close_bets", next: true })).toEqual({ do: "close_bets" });
  expect(commandOf({ does: "decide", position: 3, decision: "fold", next: false })).toEqual({
    do: "decide",
    position: 3,
    decision: "fold",
  });
  expect(commandOf({ does: "withdraw", player: "Ann", next: false })).toEqual({ do: "withdraw", player: "Ann" });
  expect(commandOf({ does: "declare_bad_cards", next: false })).toBeUndefined();
});

test("what cannot be taken back asks for a second key", () => {
  expect(needsConfirmation({ does: "decide", position: 1, decision: "fold", next: true })).toBe(true);
  expect(needsConfirmation({ does: "decline_comparison", position: 1, next: false })).toBe(true);
  expect(needsConfirmation({ does: "give_up_reconstruction", next: false })).toBe(true);
  const close = { does: "close_bets", next: true };
  expect(needsConfirmation(close, table())).toBe(true);
  const wager = { owner: "Ann", amount: 5000, means: "chips", out: null };
  const ante = [{ area: "Ante", total: 5000, wagers: [wager] }];
  expect(needsConfirmation(close, table({ seats: [seat(1, { areas: ante })] }))).toBe(false);
});

test("choices are called what a Dealer calls them", () => {
  expect(title({ does: "expose", next: true }, "exposing_turn_card")).toBe("Turn the turn card");
  const flop = {
    does: "decide",
    position: 1,
    area: "Flop",
    decision: "wager",
    amounts: { exactly: 10_000 },
    next: false,
  };
  expect(title(flop)).toBe("Flop 100.00");
  expect(title({ does: "view_declined_hand", position: 4, next: false })).toBe("View the declined hand · position 4");
});

test("the guide's own matters are not listed besides", () => {
  const choices = [
    { does: "close_bets", next: true },
    { does: "declare_bad_cards", next: false },
    { does: "inform_player", player: "Ann", next: false },
  ];
  expect(besides(table({ choices })).map((choice) => choice.does)).toEqual(["inform_player"]);
});

test("every irregularity is sent with just what it needs", () => {
  const answers = {
    fault: "extra" as const,
    count: 51,
    cards: 2,
    position: 3,
    player: "Bo",
    area: "flop" as const,
    words: "A spilled drink.",
    piles: [{ position: 1, cards: 2 }],
  };
  const fields: Record<string, string> = {
    fault: "fault",
    count: "counted",
    piles: "piles",
    cards: "cards",
    position: "position",
    player: "player",
    area: "area",
    words: "words",
  };
  const kinds = IRREGULARITIES.flatMap((group) => group.kinds);
  expect(kinds).toHaveLength(16);
  for (const { what, asks } of kinds) {
    const keys = Object.keys(irregularityOf(what, answers)).sort();
    expect(keys, what).toEqual(["what", ...asks.map((ask) => fields[ask] ?? ask)].sort());
  }
});

test("a misdeal says whether it can be corrected", () => {
  const wager = { position: 1, area: "Ante", owner: "Ann", amount: 5000, becomes: "stays", clause: null };
  const command = { do: "report_misdeal" as const, piles: [] };
  expect(remedy({ command, wagers: [wager] })).toMatch("puts it right");
  expect(remedy({ command, wagers: [{ ...wager, becomes: "returned" }] })).toMatch("the round is void");
});

test("what becomes of the wagers is told together", () => {
  const wager = { position: 1, area: "Ante", owner: "Ann", amount: 5000, becomes: "stays", clause: null };
  const [back, lost] = [
    { ...wager, becomes: "returned" },
    { ...wager, becomes: "collected" },
  ];
  expect(effects([])).toBe("No wager lies on the table.");
  expect(effects([wager])).toBe("Every wager stays.");
  expect(effects([wager, back])).toBe("One wager goes back.");
  expect(effects([back, back, lost])).toBe("2 wagers go back, one wager is lost.");
});

test("who decides is said", () => {
  const choice = {
    command: { do: "resume_play" as const },
    office: null,
    by: null,
    you_may: true,
    clause: "MTHB9 5.16",
    wagers: [],
  };
  expect(whoDecides({ ...choice, office: "pit_supervisor" })).toBe("A Pit Supervisor decides");
  expect(whoDecides({ ...choice, office: "dealer" })).toBe("The Dealer decides");
  expect(whoDecides({ ...choice, by: "Ann" })).toBe("Ann decides; the staff enter it");
});
