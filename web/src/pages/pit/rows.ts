// The rows of the pit: the state of each table, and how it is shown.
import type { Schemas } from "../../lib/api";
import { about, type Choice } from "../../lib/choices";

export type Need = Schemas["Need"];
export type PitRow = Schemas["PitRow"];
type LobbyTable = Schemas["LobbyTable"];

export interface Row extends PitRow {
  lobby: LobbyTable | undefined;
}

/** The tables in the floor's order, by what needs a person, each with its lobby data. */
export function rows(pit: readonly PitRow[], lobby: readonly LobbyTable[]): Row[] {
  const known = new Map(lobby.map((table) => [table.table, table]));
  return pit.map((row) => ({ ...row, lobby: known.get(row.table) }));
}

/** The state of a table, shown by a shape as well as a colour. */
export type Shape = "alarm" | "attention" | "bets" | "playing" | "idle" | "closed";

const ALARMING: readonly Need["kind"][] = [
  "power-out",
  "misdeal",
  "link-lost",
  "unattended",
  "supervisor-called",
  "reader-stopped",
];

export function shape(row: PitRow): Shape {
  if (row.needs.some((need) => ALARMING.includes(need.kind))) return "alarm";
  if (row.needs.length > 0) return "attention";
  const { at } = row.stage;
  if (!row.open || at === "closed") return "closed";
  if (at === "bets-open") return "bets";
  return at === "before-bets" || at === "concluded" || at === "void" ? "idle" : "playing";
}

export const SHAPE_WORDS: Record<Shape, string> = {
  alarm: "Alarm",
  attention: "Needs attention",
  bets: "Bets open",
  playing: "In play",
  idle: "Between rounds",
  closed: "Closed",
};

export interface Alarm {
  table: string;
  need: Need;
  /** The page to handle it on, where that is another one. */
  address: string | undefined;
}

const TO_THE_DESK: readonly Need["kind"][] = ["award-waiting", "link-lost"];
const NO_ALARM: readonly Need["kind"][] = ["ruling-given", "last-round"];

/** What needs a person now, the most urgent first. */
export function alarms(all: readonly Row[]): Alarm[] {
  return all.flatMap((row) =>
    row.needs
      .filter((need) => !NO_ALARM.includes(need.kind))
      .map((need) => {
        const link = row.lobby?.link;
        const desk = TO_THE_DESK.includes(need.kind) && link ? `/desk?link=${encodeURIComponent(link)}` : undefined;
        const address = need.kind === "unattended" ? `/dealer?table=${encodeURIComponent(row.table)}` : desk;
        return { table: row.table, need, address };
      }),
  );
}

/** Many tables with the same need are one line: a lost controller would otherwise push everything else off a phone. */
const ALIKE_MIN = 4;
const NAMED_MAX = 2;

export interface AlarmLine {
  table: string;
  /** How the line is named: one table, or the first of many. */
  name: string;
  sentence: string;
  address: string | undefined;
}

export function alarmLines(all: readonly Alarm[]): AlarmLine[] {
  const alike = new Map<string, Alarm[]>();
  for (const alarm of all) {
    const what = `${alarm.address} ${alarm.need.kind} ${alarm.need.sentence}`;
    alike.set(what, [...(alike.get(what) ?? []), alarm]);
  }
  return [...alike.values()].flatMap((group) => {
    const lines = group.map(({ table, need, address }) => ({ table, name: table, sentence: need.sentence, address }));
    const [first] = lines;
    // Without a page of its own a need is handled table by table.
    if (first?.address === undefined || group.length < ALIKE_MIN) return lines;
    const named = group.slice(0, NAMED_MAX).map(({ table }) => table);
    return [{ ...first, name: `${named.join(", ")} and ${group.length - NAMED_MAX} more` }];
  });
}

export interface RulingRow {
  table: string;
  sentence: string;
}

/** The rulings in the rounds in play. */
export function rulings(all: readonly PitRow[]): RulingRow[] {
  return all.flatMap((row) =>
    row.needs
      .filter((need) => need.kind === "ruling-given")
      .map((need) => ({ table: row.table, sentence: need.sentence })),
  );
}

/** A Player under a measure, with the choices that lift it. */
export interface Measured {
  player: string;
  measure: "restricted" | "warned" | "prohibited";
  /** The table of a restriction or a warning; a prohibition applies everywhere. */
  table: string | undefined;
  lift: { table: string; choice: Choice } | undefined;
}

const LIFTED_BY = { restricted: "lift-restriction", prohibited: "readmit-player" } as const;

export function measured({ tables, prohibited }: Pick<Schemas["PitView"], "tables" | "prohibited">): Measured[] {
  const lifting = (player: string, measure: keyof typeof LIFTED_BY, rows: readonly PitRow[]) => {
    const all = rows.flatMap((row) => row.choices.map((choice) => ({ table: row.table, choice })));
    return all.find(({ choice: { command } }) => command.do === LIFTED_BY[measure] && about(command).player === player);
  };
  const at = (row: PitRow): Measured[] => [
    ...row.restricted.map((player) => {
      const lift = lifting(player, "restricted", [row]);
      return { player, measure: "restricted" as const, table: row.table, lift };
    }),
    ...row.warned.map((player) => ({ player, measure: "warned" as const, table: row.table, lift: undefined })),
  ];
  const everywhere = prohibited.map((player) => {
    const lift = lifting(player, "prohibited", tables);
    return { player, measure: "prohibited" as const, table: undefined, lift };
  });
  return [...everywhere, ...tables.flatMap(at)];
}

/** How long nothing may happen before a table counts as idle or as waiting, in milliseconds. */
const IDLE_MILLISECONDS = 2 * 60 * 1000;
const WAITING_MILLISECONDS = 60 * 1000;

export interface Still {
  /** Nobody plays there, or somebody at the table waits for what comes next. */
  kind: "idle" | "waiting";
  minutes: number;
}

/** Whether an open table stands still, and for how long. */
export function still(row: PitRow, now: number): Still | undefined {
  const since = now - row.day.latest;
  if (!row.open || row.day.latest === 0) return undefined;
  const kind = row.players > 0 || row.wagered > 0 ? "waiting" : "idle";
  const least = kind === "waiting" ? WAITING_MILLISECONDS : IDLE_MILLISECONDS;
  return since < least ? undefined : { kind, minutes: Math.floor(since / 60_000) };
}

/** The part of what was wagered that the house keeps, in per cent to a tenth; nothing where nothing was wagered. */
export const hold = ({ win, staked }: { win: number; staked: number }): string | undefined =>
  staked <= 0 ? undefined : `${((100 * win) / staked).toFixed(1).replace("-", "−")}%`;

/** The gaming day of all tables together. */
export function dayOf(all: readonly PitRow[]): { win: number; staked: number; rounds: number; perHour: number } {
  const sum = (of: (row: PitRow) => number): number => all.reduce((total, row) => total + of(row), 0);
  return {
    win: sum(({ day }) => day.win),
    staked: sum(({ day }) => day.staked),
    rounds: sum(({ day }) => day.rounds),
    perHour: sum(({ day }) => day.rounds_an_hour ?? 0),
  };
}

/** The totals of the pit. */
export function totals(all: readonly PitRow[]): { open: number; tables: number; players: number; felt: number } {
  return {
    open: all.filter((row) => row.open).length,
    tables: all.length,
    players: all.reduce((sum, row) => sum + row.players, 0),
    felt: all.reduce((sum, row) => sum + row.wagered, 0),
  };
}

export const replayOf = (table: string, round?: number): string =>
  `/replay?table=${encodeURIComponent(table)}${round === undefined ? "" : `&round=${round}`}`;
