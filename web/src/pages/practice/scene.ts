// A situation in an address: /practice?say=award+race+on+two+tables, or chosen cards as
// /practice?book=megalink-holdem-v9&hands=1:AsKs,2:9s8s&board=QsJsTs&dealer=2c2d&until=settling.
import type { Schemas } from "../../lib/api";

export type TheatreForm = Schemas["TheatreForm"];
type Until = Schemas["Until"];

const UNTIL: readonly Until[] = ["bets", "dealt", "decided", "settling", "concluded"];

const cards = (text: string | null): string[] => (text ?? "").match(/[2-9TJQKA][cdhs]/g) ?? [];

const untilOf = (text: string | null): Until | undefined => UNTIL.find((known) => known === text);

/** What a link asks for; `undefined` where it asks for nothing. */
export function theatreOf(search: string): TheatreForm | undefined {
  const asked = new URLSearchParams(search);
  const say = asked.get("say");
  const until = untilOf(asked.get("until"));
  const number = Number(asked.get("seed"));
  const seed = Number.isSafeInteger(number) && number > 0 ? { seed: number } : {};
  const rulebook = asked.get("book");
  if (say !== null)
    return { say, ...seed, ...(rulebook === null ? {} : { rulebook }), ...(until === undefined ? {} : { until }) };
  const hands = asked.get("hands");
  if (hands === null) return undefined;
  const players = hands.split(",").map((hand) => {
    const [position = "", own = ""] = hand.split(":");
    return { position: Number(position), cards: cards(own) };
  });
  const scene = {
    rulebook: rulebook ?? "megalink-holdem-v9",
    players,
    board: cards(asked.get("board")),
    dealer: cards(asked.get("dealer")),
    until: until ?? "dealt",
  };
  return { scene, ...seed };
}

/** The link to a situation in words. */
export const linkTo = (say: string): string => `/practice?say=${encodeURIComponent(say)}`;

/** Milliseconds as seconds: "4.2 s". */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
