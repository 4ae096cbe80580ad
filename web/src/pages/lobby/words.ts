// The lobby's words for a table.
import type { Schemas } from "../../lib/api";
import { callText, say } from "../../lib/language.svelte";
import { moneyRange } from "../../lib/money";

export type LobbyTable = Schemas["LobbyTable"];

/** A table for one Player, which deals when they say so. */
export const isSolo = ({ positions, staffing }: LobbyTable): boolean => positions === 1 && staffing === "automatic";

/** Somebody new begins where nobody waits for them; tables that are closed come last, those that people deal before them. */
export const placeInLobby = (table: LobbyTable): number => {
  if (!table.open) return 3;
  if (table.staffing === "staffed") return 2;
  return isSolo(table) && table.free.length > 0 ? 0 : 1;
};

export function stageWords(table: LobbyTable): string {
  if (!table.open) return say("lobby.closed");
  if (isSolo(table) && table.free.length > 0) return say("lobby.solo-free");
  if (table.bets_open) return callText("Place your bets, please.");
  if (table.in_play) return say("lobby.in-play", { round: table.round });
  if (table.staffing === "staffed") return say("lobby.waits-for-dealer");
  return say("lobby.starts-soon", { round: table.round });
}

export function limitsWords({ limits }: LobbyTable): string {
  const [least = 0, most = 0] = limits.ante;
  return moneyRange(least, most);
}

/** The version is the last part of a rulebook's id: "megalink-stud-v9". */
export const versionWords = (table: LobbyTable): string => table.rulebook.split("-").at(-1) ?? "";

export interface Dot {
  position: number;
  free: boolean;
  x: number;
  y: number;
}

/** The positions as dots on an arc, in a field of 200 by 70. The first is at the Dealer's left, so rightmost. */
export function dots(table: LobbyTable): Dot[] {
  const spread = table.positions === 1 ? 0 : Math.min(68, 13 * (table.positions - 1));
  return Array.from({ length: table.positions }, (_, at) => {
    const angle = table.positions === 1 ? 0 : ((spread - (2 * spread * at) / (table.positions - 1)) * Math.PI) / 180;
    return {
      position: at + 1,
      free: table.free.includes(at + 1),
      x: Math.round(1000 + 880 * Math.sin(angle)) / 10,
      y: Math.round(490 * Math.cos(angle)) / 10,
    };
  });
}
