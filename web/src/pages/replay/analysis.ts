// A round as analysis: the curve of what a hand was worth, and the words for its decisions.
import type { Schemas } from "../../lib/api";
import { areaName, type Game } from "../../lib/game";
import { decided, say } from "./words";

export type AnalysedHand = Schemas["AnalysedHand"];
export type AnalysedDecision = Schemas["AnalysedDecision"];

/** A point of the curve: what the hand was worth then, in cents. */
export interface Point {
  label: string;
  cents: number;
  /** What the best play was worth there, where there was a choice. */
  best: number | undefined;
  /** The entry of the decision. */
  version: number | undefined;
  mistake: boolean;
}

/** The area of each decision, in order. */
export const areaOf = (game: Game, at: number): string => areaName(game.following[at] ?? "ante");

/** What the hand was worth before its first decision, after each of them, and what it brought. */
export function curve(hand: AnalysedHand, game: Game): Point[] {
  const [first] = hand.decisions;
  if (first === undefined) return [];
  const start: Point = {
    label: say.dealt,
    cents: first.best.value,
    best: undefined,
    version: undefined,
    mistake: false,
  };
  const made = hand.decisions.map(({ decision, chosen, best, version, mistake }, at) => ({
    label: say.decidedAt(areaOf(game, at), decided(decision)),
    cents: chosen.value,
    best: best.value,
    version,
    mistake,
  }));
  if (hand.result == null) return [start, ...made];
  const end: Point = { label: say.result, cents: hand.result, best: undefined, version: undefined, mistake: false };
  return [start, ...made, end];
}

/** The hand that a link names, or the one with the dearest mistakes. */
export function handToShow(hands: readonly AnalysedHand[], position: number | undefined): AnalysedHand | undefined {
  const named = hands.find((hand) => hand.position === position);
  return named ?? [...hands].sort((one, other) => other.cost.value - one.cost.value)[0];
}

/** The place of each point in a picture of this size, higher values higher up. */
export function places(points: readonly Point[], width: number, height: number): { x: number; y: number }[] {
  const values = points.flatMap(({ cents, best }) => (best === undefined ? [cents] : [cents, best]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const step = points.length < 2 ? 0 : width / (points.length - 1);
  return points.map(({ cents }, at) => ({ x: at * step, y: height - ((cents - low) / span) * height }));
}
