// The wagers a Player wants, compared with those on the table. The page checks the table's limits and the balance, so
// that a mistake shows at once; everything else is the server's decision.
import type { SeatView, TableCommand, TableView } from "../../lib/api";
import { type Choice, about, fill } from "../../lib/choices";
import { type Area, areaName, openingAreas } from "../../lib/game";
import { type Range, rangeOf } from "../../lib/limits";
import { CHIPS, money } from "../../lib/money";
import { say } from "./words";

/** Cents by position and area: "3 ante". Areas that are not in it stay as they are. */
export type Wanted = Readonly<Record<string, number>>;

export const key = (position: number, area: Area): string => `${position} ${area}`;

/** What a Player has on an area, by one means or by all. */
export function placed(seat: SeatView, area: Area, player: string, means?: string): number {
  const wagers = seat.areas.find((laid) => laid.area === area)?.wagers ?? [];
  const counted = wagers.filter((wager) => wager.owner === player && (means === undefined || wager.means === means));
  return counted.reduce((sum, wager) => sum + wager.amount, 0);
}

/** What a Player wants on an area. */
export function amount(seat: SeatView, area: Area, player: string, wanted: Wanted): number {
  return wanted[key(seat.position, area)] ?? placed(seat, area, player);
}

/** The choice to place or take back a wager on an area. */
export function wagerChoice(
  view: TableView,
  name: "place-wager" | "take-back-wager",
  position: number,
  area: Area,
): Choice | undefined {
  return view.choices.find(({ command }) => {
    const found = about(command);
    return command.do === name && found.position === position && found.area === area;
  });
}

/** The amounts a Player may add on another Player's area. */
export function shareOn(view: TableView, position: number, area: Area): Range | undefined {
  const amounts = wagerChoice(view, "place-wager", position, area)?.amounts;
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

/** The wanted wagers of every area at the positions concerned. Taking a wager back may take others with it, so these are
 * named too, and placed again. */
export function targets(view: TableView, player: string, wanted: Wanted): Wanted {
  const found: Record<string, number> = {};
  for (const seat of laidOn(view, player, wanted)) {
    for (const area of openingAreas(view)) found[key(seat.position, area)] = amount(seat, area, player, wanted);
  }
  return found;
}

/** The next command on the way from the wagers on the table to the wanted ones; `undefined` at the end. A wager is
 * changed by taking it back and placing another. */
export function nextStep(view: TableView, player: string, wanted: Wanted): TableCommand | undefined {
  for (const seat of view.seats) {
    const { position } = seat;
    for (const area of openingAreas(view)) {
      const [before, after] = [placed(seat, area, player), amount(seat, area, player, wanted)];
      if (before === after) continue;
      if (before > 0) {
        const choice = wagerChoice(view, "take-back-wager", position, area);
        return choice?.command ?? { do: "take-back-wager", position, area, owner: player };
      }
      const choice = wagerChoice(view, "place-wager", position, area);
      // Without a choice the server says why there is none.
      const command = { do: "place-wager", position, area, owner: player, means: "credits", amount: after } as const;
      return choice === undefined ? command : fill(choice, { amount: after });
    }
  }
  return undefined;
}

/** What to want after a refusal halfway: the positions that lost a wager, as they were before. */
export function earlierWagers(before: TableView, now: TableView, player: string, wanted: Wanted): Wanted {
  const found: Record<string, number> = {};
  const areas = openingAreas(before);
  for (const seat of laidOn(before, player, wanted)) {
    const after = now.seats.find((one) => one.position === seat.position);
    if (after === undefined) continue;
    const isLost = (area: Area): boolean => {
      const left = placed(after, area, player);
      return left < placed(seat, area, player) && left < amount(seat, area, player, wanted);
    };
    if (!areas.some(isLost)) continue;
    for (const area of areas) found[key(seat.position, area)] = placed(seat, area, player);
  }
  return found;
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
