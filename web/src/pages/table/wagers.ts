// Wagers a Player is composing: chips laid on areas, not yet placed. What the table would say to them is told before they
// are sent, and what must be sent to turn what lies there into what is wanted.
import type { SeatView, TableCommand, TableView } from "../../lib/api";
import { CHIPS, coversCents, fine, money } from "../../lib/money";

/** Cents by position and area: "3 Ante". What is not in it stays as it is. */
export type Wanted = Readonly<Record<string, number>>;

/** The areas a Player lays chips on while bets are open, in the order they must be placed. */
export const OPENING = ["Ante", "Bonus", "Jackpot"] as const;
export type Opening = (typeof OPENING)[number];

export const isOpening = (area: string): area is Opening => (OPENING as readonly string[]).includes(area);
export const key = (position: number, area: string): string => `${position} ${area}`;

/** What a Player has on an area, or by one means. */
export function placed(seat: SeatView, area: string, player: string, means?: string): number {
  const wagers = seat.areas.find((laid) => laid.area === area)?.wagers ?? [];
  const counted = wagers.filter((wager) => wager.owner === player && (means === undefined || wager.means === means));
  return counted.reduce((sum, wager) => sum + wager.amount, 0);
}

export function amount(seat: SeatView, area: string, player: string, wanted: Wanted): number {
  return wanted[key(seat.position, area)] ?? placed(seat, area, player);
}

/** The amounts the server says a Player may add on somebody else's area; nothing where it takes none. */
export function shareOn(view: TableView, position: number, area: string): { least: number; most: number } | undefined {
  const choice = view.choices.find(
    (one) => one.does === "place_wager" && one.position === position && one.area === area,
  );
  return choice?.amounts != null && "between" in choice.amounts ? choice.amounts.between : undefined;
}

/** The positions a Player has wagers on or lays chips on: the own ones, and those of others that are shared. */
export const laidOn = (view: TableView, player: string, wanted: Wanted): SeatView[] =>
  view.seats.filter(
    (seat) =>
      seat.yours ||
      OPENING.some((area) => amount(seat, area, player, wanted) > 0 || wanted[key(seat.position, area)] !== undefined),
  );

interface Range {
  least: number;
  most: number;
  /** Every amount is a multiple of it. */
  step: number;
}

/** The amounts an area takes; nothing where the table has no such wager now. */
export function range(view: TableView, area: Opening): Range | undefined {
  const { limits, jackpot } = view;
  if (area === "Ante") return { least: limits.ante_least, most: limits.ante_most, step: 1 };
  if (area === "Bonus") {
    if (limits.bonus_least == null || limits.bonus_most == null) return undefined;
    return { least: limits.bonus_least, most: limits.bonus_most, step: 1 };
  }
  const minimum = jackpot?.minimum;
  if (jackpot == null || minimum == null || !jackpot.reachable) return undefined;
  return { least: minimum * jackpot.multiples_least, most: minimum * jackpot.multiples_most, step: minimum };
}

/** Why an amount would not be taken on an area, or nothing. */
export function objection(view: TableView, area: Opening, cents: number, ante: number): string | undefined {
  if (cents === 0) return undefined;
  const taken = range(view, area);
  if (taken === undefined) {
    return area === "Jackpot" ? "The jackpot takes no wagers at present." : `This table has no ${area}.`;
  }
  if (area !== "Ante" && ante === 0) return `The ${area} needs an Ante beside it.`;
  if (cents < taken.least) return `${area} ${money(cents)} is under the minimum of ${money(taken.least)}.`;
  if (taken.most < cents) return `${area} ${money(cents)} is over the maximum of ${money(taken.most)}.`;
  if (cents % taken.step !== 0) return `The ${area} wager is a multiple of ${money(taken.step)}.`;
  return undefined;
}

/** Why a share of somebody else's wager would not be taken, or nothing. What lies there already is counted by the server. */
function shareObjection(
  view: TableView,
  seat: SeatView,
  area: Opening,
  cents: number,
  before: number,
): string | undefined {
  if (cents === before || cents === 0) return undefined;
  const taken = shareOn(view, seat.position, area);
  const where = `${area} of position ${seat.position}`;
  if (taken === undefined) return before > 0 ? undefined : `The ${where} takes no more.`;
  if (before === 0 && cents < taken.least) return `The ${where} takes ${money(taken.least)} at least.`;
  return before + taken.most < cents ? `The ${where} takes ${money(before + taken.most)} of yours at most.` : undefined;
}

/** What an area holds after one more chip. The jackpot light goes up by its minimum and, past the most, out. */
export function withChip(view: TableView, area: Opening, before: number, chip: number): number {
  if (area !== "Jackpot") return before + chip;
  const taken = range(view, area);
  if (taken === undefined) return 0;
  const next = before + taken.step;
  return taken.most < next ? 0 : next;
}

/** Every objection to what a Player is composing. The balance comes as the server tells it; nothing while it is not known. */
export function objections(view: TableView, player: string, wanted: Wanted, balance?: string | null): string[] {
  const found: string[] = [];
  for (const seat of laidOn(view, player, wanted)) {
    const ante = amount(seat, "Ante", player, wanted);
    for (const area of OPENING) {
      const cents = amount(seat, area, player, wanted);
      const said = seat.yours
        ? objection(view, area, cents, ante)
        : shareObjection(view, seat, area, cents, placed(seat, area, player));
      if (said !== undefined && !found.includes(said)) found.push(said);
    }
  }
  const costs = cost(view, player, wanted);
  if (balance != null && costs > 0 && !coversCents(balance, costs))
    found.push(`Your balance of ${fine(balance)} does not cover it.`);
  return found;
}

/** What one has on the table in all, as wanted. */
export function total(view: TableView, player: string, wanted: Wanted): number {
  return laidOn(view, player, wanted).reduce(
    (sum, seat) => sum + OPENING.reduce((part, area) => part + amount(seat, area, player, wanted), 0),
    0,
  );
}

/** What an area will be, where it is placed anew. A Bonus goes with its Ante when that is taken back. */
interface Change {
  position: number;
  area: Opening;
  /** Whether something lies there that must be taken back first. */
  taken: boolean;
  after: number;
  /** What comes back to the balance: credits, and no chips. */
  credits: number;
}

function changes(view: TableView, player: string, wanted: Wanted): Change[] {
  const found: Change[] = [];
  for (const seat of laidOn(view, player, wanted)) {
    let gone = false;
    for (const area of OPENING) {
      const follows: boolean = gone && area === "Bonus";
      const before = placed(seat, area, player);
      const after = amount(seat, area, player, wanted);
      if (before === after && !(follows && before > 0)) continue;
      const taken: boolean = before > 0 && !follows;
      found.push({ position: seat.position, area, taken, after, credits: placed(seat, area, player, "credits") });
      gone ||= taken && area === "Ante";
    }
  }
  return found;
}

/** What the balance must cover: what is placed, less the credits that are taken back for it. */
function cost(view: TableView, player: string, wanted: Wanted): number {
  return changes(view, player, wanted).reduce((sum, { after, credits }) => sum + after - credits, 0);
}

const FORMS = { Ante: "ante", Bonus: "bonus", Jackpot: "jackpot" } as const;

/** The commands that turn what lies there into what is wanted. An Ante that is taken back takes its Bonus with it. */
export function steps(view: TableView, player: string, wanted: Wanted): TableCommand[] {
  const commands: TableCommand[] = [];
  for (const { position, area, taken, after } of changes(view, player, wanted)) {
    if (taken) commands.push({ do: "take_back_wager", position, area: FORMS[area] });
    if (after > 0) commands.push({ do: "place_wager", position, area: FORMS[area], amount: after });
  }
  return commands;
}

/** What to want after a refusal halfway: the positions that lost a wager to it, as they lay before. */
export function earlierWagers(before: TableView, now: TableView, player: string, wanted: Wanted): Wanted {
  const found: Record<string, number> = {};
  for (const seat of laidOn(before, player, wanted)) {
    const after = now.seats.find((one) => one.position === seat.position);
    if (after === undefined) continue;
    const isLost = (area: Opening): boolean => {
      const lies = placed(after, area, player);
      return lies < placed(seat, area, player) && lies < amount(seat, area, player, wanted);
    };
    if (!OPENING.some(isLost)) continue;
    for (const area of OPENING) found[key(seat.position, area)] = placed(seat, area, player);
  }
  return found;
}

/** What lies there of a Player's, to be wagered again. */
export function standing(view: TableView, player: string): Wanted {
  const found: Record<string, number> = {};
  for (const seat of view.seats.filter((one) => one.yours)) {
    for (const area of OPENING) {
      const cents = placed(seat, area, player);
      if (cents > 0) found[key(seat.position, area)] = cents;
    }
  }
  return found;
}

/** The wagers of an earlier round, as far as they can be made on the positions held now. */
export function again(view: TableView, last: Wanted): Wanted {
  const found: Record<string, number> = {};
  for (const seat of view.seats.filter((one) => one.yours)) {
    for (const area of OPENING) {
      const cents = last[key(seat.position, area)];
      const ante = last[key(seat.position, "Ante")] ?? 0;
      if (cents !== undefined && objection(view, area, cents, ante) === undefined)
        found[key(seat.position, area)] = cents;
    }
  }
  return found;
}

/** The chips worth having in the rack at a table. */
export function rack(view: TableView): number[] {
  const least = Math.min(view.limits.ante_least, view.limits.bonus_least ?? view.limits.ante_least);
  const useful = CHIPS.filter((chip) => chip <= view.limits.ante_most && chip * 5 >= least).toReversed();
  return useful.slice(0, 5);
}
