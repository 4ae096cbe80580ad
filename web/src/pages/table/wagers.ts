// The wagers a Player wants, compared with those on the table. The page checks the table's limits and the balance, so
// that a mistake shows at once; everything else is the server's decision.
import type { Schemas, SeatView, TableView } from "../../lib/api";
import { about } from "../../lib/choices";
import { type Area, areaName, openingAreas } from "../../lib/game";
import { type Range, rangeOf } from "../../lib/limits";
import { CHIPS, money } from "../../lib/money";
import { say } from "./words";

type OwnWager = Schemas["OwnWager"];

/** Cents by position and area: "3 ante". Areas that are not in it stay as they are. */
export type Wanted = Readonly<Record<string, number>>;

export const key = (position: number, area: Area): string => `${position} ${area}`;

/** What a Player has on an area, by one means or by all. */
export function placed(seat: SeatView, area: Area, player: string, means?: string): number {
  const wagers = seat.areas.find((laid) => laid.area === area)?.wagers ?? [];
  const counted = wagers.filter((wager) => wager.owner === player && (means === undefined || wager.means === means));
  return counted.reduce((sum, wager) => sum + wager.amount, 0);
}

/** Whether a Player's wager on an area is in chips, which the staff moves. */
export const hasChips = (seat: SeatView, area: Area, player: string): boolean =>
  placed(seat, area, player, "chips") > 0;

/** What a Player wants on an area. */
export function amount(seat: SeatView, area: Area, player: string, wanted: Wanted): number {
  return wanted[key(seat.position, area)] ?? placed(seat, area, player);
}

/** The amounts a Player may add on another Player's area. */
export function shareOn(view: TableView, position: number, area: Area): Range | undefined {
  const offered = view.choices.find(({ command }) => {
    const found = about(command);
    return command.do === "place-wager" && found.position === position && found.area === area;
  });
  const amounts = offered?.amounts;
  return amounts != null && "between" in amounts ? amounts.between : undefined;
}

/** The positions where a Player has wagers or lays chips: the own ones, and others that are shared. */
export const laidOn = (view: TableView, player: string, wanted: Wanted): SeatView[] =>
  view.seats.filter(
    (seat) =>
      seat.yours ||
      openingAreas(view).some(
        (area) => amount(seat, area, player, wanted) > 0 || wanted[key(seat.position, area)] !== undefined,
      ),
  );

/** Why an amount is outside the limits of an area, or `undefined`. */
function objection(view: TableView, area: Area, cents: number): string | undefined {
  if (cents === 0) return undefined;
  const [range, name] = [rangeOf(view, area), areaName(area)];
  if (range === undefined) return say.notAccepted(name);
  if (cents < range.least) return say.under(name, money(cents), money(range.least));
  if (range.most < cents) return say.over(name, money(cents), money(range.most));
  if (range.only?.includes(cents) === false) return say.notMultiple(name, money(range.least));
  return undefined;
}

/** Why a share of another Player's wager is outside the limits, or `undefined`. */
function shareObjection(view: TableView, { position }: SeatView, area: Area, cents: number, before: number) {
  if (cents === before || cents === 0) return undefined;
  const range = shareOn(view, position, area);
  const name = areaName(area);
  if (range === undefined) return before > 0 ? undefined : say.shareFull(name, position);
  if (before === 0 && cents < range.least) return say.shareUnder(name, position, money(range.least));
  return before + range.most < cents ? say.shareOver(name, position, money(before + range.most)) : undefined;
}

/** What an area has after one more chip. An area with a few amounts goes to the next one, and after the last to zero. */
export function withChip(view: TableView, area: Area, before: number, chip: number): number {
  const range = rangeOf(view, area);
  if (range?.only === undefined) return before + chip;
  return range.only.find((cents) => before < cents) ?? 0;
}

/** What speaks against the wanted wagers. Without a known balance only the limits are checked. */
export function objections(view: TableView, player: string, wanted: Wanted, balance?: number | null): string[] {
  const found = new Set<string>();
  for (const seat of laidOn(view, player, wanted)) {
    for (const area of openingAreas(view)) {
      const cents = amount(seat, area, player, wanted);
      const said = seat.yours
        ? objection(view, area, cents)
        : shareObjection(view, seat, area, cents, placed(seat, area, player));
      if (said !== undefined) found.add(said);
    }
  }
  const costs = cost(view, player, wanted);
  if (balance != null && costs > 0 && balance < costs) found.add(say.balanceTooLow(money(balance)));
  return [...found];
}

/** The sum of the wanted wagers. */
export function total(view: TableView, player: string, wanted: Wanted): number {
  return laidOn(view, player, wanted).reduce(
    (sum, seat) => sum + openingAreas(view).reduce((part, area) => part + amount(seat, area, player, wanted), 0),
    0,
  );
}

const isChanged = (seat: SeatView, area: Area, player: string, wanted: Wanted): boolean =>
  placed(seat, area, player) !== amount(seat, area, player, wanted);

/** Whether the wanted wagers differ from those on the table. */
export const isChange = (view: TableView, player: string, wanted: Wanted): boolean =>
  laidOn(view, player, wanted).some((seat) => openingAreas(view).some((area) => isChanged(seat, area, player, wanted)));

/** What the balance must cover: the new wagers, less the credits taken back for them. */
function cost(view: TableView, player: string, wanted: Wanted): number {
  let sum = 0;
  for (const seat of laidOn(view, player, wanted)) {
    for (const area of openingAreas(view).filter((one) => isChanged(seat, one, player, wanted))) {
      sum += amount(seat, area, player, wanted) - placed(seat, area, player, "credits");
    }
  }
  return sum;
}

/** A Player's wagers in credits: those on the table, with the wanted ones in their place. Chips are the staff's to move. */
export function ownWagers(view: TableView, player: string, wanted: Wanted = {}): OwnWager[] {
  const on = ({ position }: SeatView, area: Area): number | undefined => wanted[key(position, area)];
  const of = (seat: SeatView): OwnWager[] =>
    openingAreas(view).map((area) => {
      const amount = on(seat, area) ?? placed(seat, area, player, "credits");
      return { position: seat.position, area, amount };
    });
  return view.seats.flatMap(of).filter(({ amount }) => amount > 0);
}

/** A Player's wagers on the table, to repeat them in the next round. */
export function standing(view: TableView, player: string): Wanted {
  const found: Record<string, number> = {};
  for (const seat of view.seats.filter((one) => one.yours)) {
    for (const area of openingAreas(view)) {
      const cents = placed(seat, area, player);
      if (cents > 0) found[key(seat.position, area)] = cents;
    }
  }
  return found;
}

/** The wagers of the last round, as far as they fit the positions and limits now. */
export function again(view: TableView, last: Wanted): Wanted {
  const found: Record<string, number> = {};
  for (const seat of view.seats.filter((one) => one.yours)) {
    for (const area of openingAreas(view)) {
      const cents = last[key(seat.position, area)];
      if (cents !== undefined && objection(view, area, cents) === undefined) found[key(seat.position, area)] = cents;
    }
  }
  return found;
}

/** The wanted wagers of the own positions doubled, where the limits allow it. */
export function doubled(view: TableView, player: string, wanted: Wanted): Wanted {
  const found: Record<string, number> = {};
  for (const seat of view.seats.filter((one) => one.yours)) {
    for (const area of openingAreas(view)) {
      const cents = 2 * amount(seat, area, player, wanted);
      if (hasChips(seat, area, player)) continue;
      if (cents > 0 && objection(view, area, cents) === undefined) found[key(seat.position, area)] = cents;
    }
  }
  return found;
}

/** The chips that are useful at a table. */
export function rack(view: TableView): number[] {
  const ranges = openingAreas(view).flatMap((area) => (area === "jackpot" ? [] : (rangeOf(view, area) ?? [])));
  const [least, most] = [Math.min(...ranges.map((one) => one.least)), Math.max(...ranges.map((one) => one.most))];
  return CHIPS.filter((chip) => chip <= most && chip * 5 >= least)
    .toReversed()
    .slice(0, 5);
}
