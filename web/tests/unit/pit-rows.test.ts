import { describe, expect, it } from "vitest";
import {
  alarmLines,
  alarms,
  dayOf,
  hold,
  measured,
  type PitRow,
  replayOf,
  rows,
  rulings,
  shape,
  still,
  totals,
} from "../../src/pages/pit/rows";

const row = (over: Partial<PitRow>): PitRow => ({
  table: "MTHB9-1",
  citation: "MTHB9",
  open: true,
  round: 3,
  stage: { at: "dealing" },
  players: 2,
  positions: 7,
  wagered: 15_000,
  day: { rounds: 0, rounds_an_hour: null, staked: 0, win: 0, dealer: null, latest: 0 },
  needs: [],
  restricted: [],
  warned: [],
  choices: [],
  proposals: [],
  ...over,
});
const lobbyTable = {
  table: "MTHB9-1",
  rulebook: "megalink-holdem-v9",
  title: "Hold'em",
  open: true,
  staffing: "automatic" as const,
  dealing: "software" as const,
  round: 3,
  bets_open: false,
  in_play: true,
  positions: 7,
  free: [1],
  limits: { ante: [1000, 50_000] },
  link: "Mega & link",
};
const need = (kind: PitRow["needs"][number]["kind"], sentence = "it waits.") => ({
  kind,
  sentence,
});

describe("a table's shape", () => {
  it("is an alarm before anything else", () => {
    expect(shape(row({ needs: [need("award-waiting"), need("misdeal")] }))).toBe("alarm");
    expect(shape(row({ open: false, needs: [need("misdeal")] }))).toBe("alarm");
  });
  it("asks for attention where somebody is needed", () => {
    expect(shape(row({ needs: [need("last-round")] }))).toBe("attention");
  });
  it("shows how the round stands", () => {
    expect(shape(row({ stage: { at: "bets-open" } }))).toBe("bets");
    expect(shape(row({ stage: { at: "deciding", what: "turn" } }))).toBe("playing");
    expect(shape(row({ stage: { at: "concluded" } }))).toBe("idle");
    expect(shape(row({ open: false, stage: { at: "before-bets" } }))).toBe("closed");
  });
});

describe("the rows", () => {
  it("keep the floor's order and take what the lobby says", () => {
    const all = rows([row({ table: "Z" }), row({})], [lobbyTable]);
    expect(all.map((one) => [one.table, one.lobby?.limits.ante[1]])).toEqual([
      ["Z", undefined],
      ["MTHB9-1", 50_000],
    ]);
  });
  it("add up", () => {
    expect(totals([row({}), row({ open: false, players: 1, wagered: 1 })])).toEqual({
      open: 1,
      tables: 2,
      players: 3,
      felt: 15_001,
    });
  });
});

describe("alarms", () => {
  const all = rows(
    [row({ needs: [need("award-waiting"), need("ruling-given")] }), row({ table: "B", needs: [need("misdeal")] })],
    [lobbyTable],
  );

  it("lead to the desk of the link, or to the table", () => {
    expect(alarms(all).map((alarm) => [alarm.table, alarm.address])).toEqual([
      ["MTHB9-1", "/desk?link=Mega%20%26%20link"],
      ["B", undefined],
    ]);
    const [unattended] = alarms(rows([row({ needs: [need("unattended")] })], [lobbyTable]));
    expect(unattended?.address, "its console").toBe("/dealer?table=MTHB9-1");
  });
  it("are one line where many tables need the same, and one a table where they are handled there", () => {
    const names = ["A", "B", "C", "D"];
    const same = (kind: "misdeal" | "award-waiting") =>
      rows(
        names.map((table) => row({ table, needs: [need(kind)] })),
        names.map((table) => ({ ...lobbyTable, table })),
      );
    expect(alarmLines(alarms(same("award-waiting"))).map(({ name }) => name)).toEqual(["A, B and 2 more"]);
    expect(alarmLines(alarms(same("misdeal"))).map(({ name }) => name)).toEqual(names);
    expect(alarmLines(alarms(all)).map(({ name }) => name)).toEqual(["MTHB9-1", "B"]);
  });
  it("leave rulings to their own list", () => {
    expect(rulings(all)).toEqual([{ table: "MTHB9-1", sentence: "it waits." }]);
  });
});

it("Players under a measure are listed once for each, prohibitions first", () => {
  const pit = { tables: [row({ restricted: ["Ann"], warned: ["Ann", "Bo"] })], prohibited: ["Cy"] };
  expect(measured(pit).map((one) => `${one.player} ${one.measure} ${one.table ?? "everywhere"}`)).toEqual([
    "Cy prohibited everywhere",
    "Ann restricted MTHB9-1",
    "Ann warned MTHB9-1",
    "Bo warned MTHB9-1",
  ]);
});

it("a measure is lifted by the choice of its table", () => {
  const lift = (name: "lift-restriction" | "readmit-player", player: string) => ({
    command: { do: name, player },
    label: "Lift",
    effect: "",
    office: "pit-manager" as const,
    you_may: true,
    clause: null,
  });
  const tables = [
    row({ restricted: ["Ann"], choices: [lift("lift-restriction", "Ann")] }),
    row({ table: "B", choices: [lift("readmit-player", "Cy")] }),
  ];
  const found = measured({ tables, prohibited: ["Cy", "Di"] });
  expect(found.map((one) => [one.player, one.lift?.table])).toEqual([
    ["Cy", "B"],
    ["Di", undefined],
    ["Ann", "MTHB9-1"],
  ]);
});

it("a number leads to the round behind it", () => {
  expect(replayOf("A&B", 7)).toBe("/replay?table=A%26B&round=7");
  expect(replayOf("MTHB9-1")).toBe("/replay?table=MTHB9-1");
});

describe("the gaming day", () => {
  const MINUTE = 60_000;
  const at = (latest: number, more: Partial<PitRow> = {}) => row({ ...more, day: { ...row({}).day, latest } });

  it("says how long a table stands still, and whether somebody waits there", () => {
    const now = 100 * MINUTE;
    expect(still(at(now - MINUTE / 2), now)).toBeUndefined();
    expect(still(at(now - 3 * MINUTE), now)).toEqual({ kind: "waiting", minutes: 3 });
    expect(still(at(now - 3 * MINUTE, { players: 0, wagered: 0 }), now)).toEqual({ kind: "idle", minutes: 3 });
    expect(still(at(now - 1.5 * MINUTE, { players: 0, wagered: 0 }), now)).toBeUndefined();
    expect(still(at(now - 9 * MINUTE, { open: false }), now)).toBeUndefined();
  });

  it("adds the tables up, and tells the hold", () => {
    const day = { rounds: 10, rounds_an_hour: 40, staked: 200_000, win: 5_000, dealer: null, latest: 1 };
    const sum = dayOf([row({ day }), row({ day: { ...day, win: -1_000, rounds_an_hour: null } })]);
    expect(sum).toEqual({ win: 4_000, staked: 400_000, rounds: 20, perHour: 40 });
    expect(hold(sum)).toBe("1.0%");
    expect(hold({ win: 0, staked: 0 })).toBeUndefined();
  });
});
