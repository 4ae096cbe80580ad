// The felt after any step of a round, built only from its events.
import type { EventView, Schemas } from "../../lib/api";
import { type Area, areaName } from "../../lib/game";
import { exposedName, say } from "./words";

type Line = Schemas["LineView"];
export type Laid = string | null;

export interface Wager {
  area: Area;
  owner: string;
  cents: number;
}

export interface Seat {
  position: number;
  player: string | undefined;
  cards: Laid[];
  wagers: Wager[];
  /** The last decision in a word. */
  says: string | undefined;
  folded: boolean;
  lines: Line[];
  /** The hand by its name, once it lies open for everybody. */
  hand: Schemas["HandView"] | undefined;
}

export interface Felt {
  community: Laid[];
  dealer: Laid[];
  seats: Seat[];
  /** The last call at the table. */
  call: EventView | undefined;
  settled: boolean;
  void: boolean;
  /** The Dealer's hand by its name, once it was turned. */
  dealerHand: Schemas["HandView"] | undefined;
}

const empty = (position: number): Seat => ({
  position,
  player: undefined,
  cards: [],
  wagers: [],
  says: undefined,
  folded: false,
  lines: [],
  hand: undefined,
});

/** The positions used in the round. They are drawn from the start, so that nothing jumps. */
export function positions(events: readonly EventView[]): number[] {
  const found = new Set<number>();
  for (const { data } of events) {
    if (data.position != null) found.add(data.position);
    for (const { place } of data.cards ?? []) if ("player" in place) found.add(place.player[0] ?? 0);
    for (const { position } of data.lines ?? []) found.add(position);
  }
  return [...found].sort((one, other) => one - other);
}

/** The felt after the step of this index. */
export function feltAt(events: readonly EventView[], step: number): Felt {
  const seats = new Map(positions(events).map((position) => [position, empty(position)]));
  const felt: Felt = {
    community: [],
    dealer: [],
    seats: [...seats.values()],
    call: undefined,
    settled: false,
    void: false,
    dealerHand: undefined,
  };
  for (const one of events.slice(0, step + 1)) {
    take(felt, one, one.data.position == null ? undefined : seats.get(one.data.position));
    for (const { place, card } of one.data.cards ?? []) {
      const [hand, at] = handAt(felt, seats, place);
      // A card that was face up stays known, though a later entry may not name it.
      if (hand !== undefined) hand[at] = card ?? hand[at] ?? null;
    }
  }
  return felt;
}

function handAt(felt: Felt, seats: ReadonlyMap<number, Seat>, place: Schemas["Place"]): [Laid[] | undefined, number] {
  if ("community" in place) return [felt.community, place.community];
  if ("dealer" in place) return [felt.dealer, place.dealer];
  const [position = 0, at = 0] = place.player;
  return [seats.get(position)?.cards, at];
}

type Kind = EventView["kind"];
const CALLS: readonly Kind[] = ["bets-opened", "bets-closed", "settled", "round-voided", "last-round-announced"];

function take(felt: Felt, event: EventView, seat: Seat | undefined): void {
  const { kind, data } = event;
  if (CALLS.includes(kind)) felt.call = event;
  if (kind === "round-voided") felt.void = true;
  if (kind === "settled") settle(felt, data.lines ?? []);
  if (kind === "exposed" && data.exposed === "dealer-hand") felt.dealerHand = data.hand ?? undefined;
  if (kind === "hand-shown" && seat !== undefined) seat.hand = data.hand ?? undefined;
  if (kind === "player-withdrew") {
    for (const each of felt.seats) each.wagers = each.wagers.filter(({ owner }) => owner !== data.player);
  }
  if (seat === undefined) return;
  if (kind === "position-taken") seat.player = data.player ?? undefined;
  if (kind === "position-left") seat.player = undefined;
  if (kind === "wager-placed" && data.area != null) {
    seat.player ??= data.player ?? undefined;
    seat.wagers.push({ area: data.area, owner: data.player ?? "", cents: data.amount ?? 0 });
  }
  if (kind === "wager-taken-back") {
    const at = seat.wagers.findIndex(({ area, owner }) => area === data.area && owner === data.player);
    if (at >= 0) seat.wagers.splice(at, 1);
  }
  if (kind === "jackpot-wager-invalid") seat.wagers = seat.wagers.filter(({ area }) => area !== "jackpot");
  if (kind === "decision-corrected") {
    seat.folded = false;
    seat.wagers = seat.wagers.filter(({ area }) => area !== data.area);
  }
  if (kind === "decided" || kind === "decision-corrected") decide(seat, data);
  // The system decides where nobody did in time.
  if (kind === "decided" && event.by === "system" && seat.says !== undefined) seat.says = say.timeRanOut(seat.says);
  if (kind === "wager-corrected") {
    const wager = seat.wagers.find(({ area, owner }) => area === data.area && owner === data.player);
    if (wager !== undefined) wager.cents = data.amount ?? wager.cents;
  }
}

function decide(seat: Seat, data: EventView["data"]): void {
  if (data.decision === "fold") seat.says = say.folds;
  else if (data.decision === "check") seat.says = say.checks;
  else seat.says = data.area == null ? undefined : say.wagersOn(areaName(data.area));
  if (data.decision === "fold") seat.folded = true;
  if (data.decision === "wager" && data.area != null && data.amount != null) {
    seat.wagers.push({ area: data.area, owner: seat.player ?? "", cents: data.amount });
  }
}

function settle(felt: Felt, lines: readonly Line[]): void {
  felt.settled = true;
  for (const seat of felt.seats) {
    seat.lines = lines.filter(({ position }) => position === seat.position);
    seat.says = undefined;
  }
}

export interface Settlement {
  version: number;
  at: number;
  lines: Line[];
}

/** Every settlement of the round: one, and one more for each correction. */
export const settlements = (events: readonly EventView[]): Settlement[] =>
  events
    .filter(({ kind }) => kind === "settled")
    .map(({ version, at, data }) => ({ version, at, lines: data.lines ?? [] }));

export interface Corrected {
  line: Line;
  before: number;
  after: number;
}

/** The wagers that a correction settled otherwise, with what each brought before and after. */
export function corrected(before: readonly Line[], after: readonly Line[]): Corrected[] {
  const same = (one: Line, other: Line): boolean =>
    one.position === other.position && one.area === other.area && one.owner === other.owner;
  return after.flatMap((line) => {
    const earlier = before.find((one) => same(one, line));
    if (earlier === undefined || net([earlier]) === net([line])) return [];
    return [{ line, before: net([earlier]), after: net([line]) }];
  });
}

type Award = Schemas["AwardView"];

/** What a position won of the meter, in cents: what waits to be paid counts too. */
export const awarded = (awards: readonly Award[], position: number): number =>
  awards
    .filter((award) => award.position === position && award.state !== "rejected")
    .reduce((sum, { amount, paid_before }) => sum + amount - (paid_before ?? 0), 0);

/** The net result of wagers for their Players, in cents. */
export const net = (lines: readonly Line[]): number =>
  lines.reduce((sum, { staked, paid, returned }) => sum + paid + returned - staked, 0);

/** The sum of the stakes. */
export const staked = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.staked, 0);

export interface Chapter {
  title: string;
  step: number;
}

const CHAPTERS: Partial<Record<Kind, keyof typeof say.chapters>> = {
  "bets-opened": "wagers",
  "card-dealt": "deal",
  decided: "decisions",
  "round-voided": "void",
  settled: "settlement",
};

/** The parts of a round and where they start. Each exposure of cards is a part of its own. */
export function chapters(events: readonly EventView[]): Chapter[] {
  const found = new Map<string, number>();
  events.forEach(({ kind, data }, step) => {
    const part = CHAPTERS[kind];
    const title = data.exposed == null ? part && say.chapters[part] : exposedName(data.exposed);
    if (title !== undefined && !found.has(title)) found.set(title, step);
  });
  return [...found].map(([title, step]) => ({ title, step }));
}

/** How long a step is shown while the round plays. */
export function pace(kind: Kind | undefined): number {
  if (kind === "not-for-you" || kind === "card-read" || kind === "salts-committed") return 60;
  if (kind === "card-dealt" || kind === "hand-viewed") return 160;
  return kind === "settled" ? 1600 : 750;
}

export interface Link {
  version: number;
  previous: string;
  hash: string;
}

/** The first version that does not contain the hash of the entry before it; `undefined` where all do. */
export function brokenAt(chain: readonly Link[]): number | undefined {
  return chain.find((entry, at) => at > 0 && entry.previous !== chain[at - 1]?.hash)?.version;
}
