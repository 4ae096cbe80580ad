// The rows of the pit: the state of each table, and how it is shown.
import type { Schemas } from "../../lib/api";

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

const ALARMING: readonly string[] = ["power_out", "misdeal", "link_lost"];

export function shape(row: PitRow): Shape {
  if (row.needs.some((need) => ALARMING.includes(need.kind))) return "alarm";
  if (row.needs.length > 0) return "attention";
  if (!row.open || row.stage === "closed") return "closed";
  if (row.stage === "bets_open") return "bets";
  return row.stage === "before_bets" || row.stage === "concluded" || row.stage === "void" ? "idle" : "playing";
}

export const SHAPE_WORDS: Record<Shape, string> = {
  alarm: "Alarm",
  attention: "Needs attention",
  bets: "Bets open",
  playing: "In play",
  idle: "Between rounds",
  closed: "Closed",
};

const STAGES: Record<Schemas["StageName"], string> = {
  before_bets: "Before bets",
  bets_open: "Bets open",
  dealing: "Dealing",
  deciding_flop: "Deciding: Flop",
  deciding_turn: "Deciding: Turn",
  deciding_river: "Deciding: River",
  deciding_bet: "Deciding: Bet",
  exposing_up_card: "Up card",
  exposing_flop_cards: "Flop cards",
  exposing_turn_card: "Turn card",
  exposing_river_card: "River card",
  exposing_dealer_hand: "Dealer's hand",
  showing: "Comparing",
  settling: "Settling",
  concluded: "Concluded",
  void: "Void",
  closed: "Closed",
};

export const stageWords = (stage: Schemas["StageName"]): string => STAGES[stage];

export interface Alarm {
  table: string;
  need: Need;
  /** The page to handle it on, where that is another one. */
  address: string | undefined;
}

const TO_THE_DESK: readonly string[] = ["award_waiting", "link_lost"];
const NO_ALARM: readonly string[] = ["ruling_given", "last_round"];

/** What needs a person now, the most urgent first. */
export function alarms(all: readonly Row[]): Alarm[] {
  return all.flatMap((row) =>
    row.needs
      .filter((need) => !NO_ALARM.includes(need.kind))
      .map((need) => {
        const link = row.lobby?.link;
        const desk = TO_THE_DESK.includes(need.kind) && link ? `/desk?link=${encodeURIComponent(link)}` : undefined;
        return { table: row.table, need, address: desk };
      }),
  );
}

export interface RulingRow {
  table: string;
  sentence: string;
}

/** The rulings in the rounds in play. */
export function rulings(all: readonly PitRow[]): RulingRow[] {
  return all.flatMap((row) =>
    row.needs
      .filter((need) => need.kind === "ruling_given")
      .map((need) => ({ table: row.table, sentence: need.sentence })),
  );
}

/** Players under a measure: restricted and warned at a table, prohibited everywhere. */
export interface Measured {
  player: string;
  measure: "restricted" | "warned" | "prohibited";
  table: string | undefined;
}

export function measured(pit: Pick<Schemas["PitView"], "tables" | "prohibited">): Measured[] {
  const at = (measure: "restricted" | "warned") =>
    pit.tables.flatMap((row) => row[measure].map((player) => ({ player, measure, table: row.table })));
  const prohibited = pit.prohibited.map((player) => ({ player, measure: "prohibited" as const, table: undefined }));
  return [...prohibited, ...at("restricted"), ...at("warned")];
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
