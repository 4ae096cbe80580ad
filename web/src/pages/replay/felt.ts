// The felt after any step of a round, built only from its events.
import type { Schemas, EventView } from "../../lib/api";

type Line = Schemas["LineView"];
export type Laid = string | null;

export interface Wager {
  area: string;
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
}

export interface Felt {
  community: Laid[];
  dealer: Laid[];
  seats: Seat[];
  /** The last call at the table. */
  call: string;
  settled: boolean;
  void: boolean;
}

const empty = (position: number): Seat => ({
  position,
  player: undefined,
  cards: [],
  wagers: [],
  says: undefined,
  folded: false,
  lines: [],
});

/** The positions used in the round. They are drawn from the start, so that nothing jumps. */
export function positions(told: readonly EventView[]): number[] {
  const found = new Set<number>();
  for (const { data } of told) {
    if (data.position != null) found.add(data.position);
    for (const { position } of data.cards ?? []) if (position != null) found.add(position);
    for (const { position } of data.lines ?? []) found.add(position);
  }
  return [...found].sort((one, other) => one - other);
}

/** The felt after the step of this index. */
export function feltAt(told: readonly EventView[], step: number): Felt {
  const seats = new Map(positions(told).map((position) => [position, empty(position)]));
  const felt: Felt = { community: [], dealer: [], seats: [...seats.values()], call: "", settled: false, void: false };
  for (const one of told.slice(0, step + 1)) {
    take(felt, one, one.data.position == null ? undefined : seats.get(one.data.position));
    for (const card of one.data.cards ?? []) {
      const hand =
        card.hand === "community"
          ? felt.community
          : card.hand === "dealer"
            ? felt.dealer
            : seats.get(card.position ?? -1)?.cards;
      // A card that was face up stays known, though a later entry may not name it.
      if (hand !== undefined) hand[card.at] = card.card ?? hand[card.at] ?? null;
    }
  }
  return felt;
}

const CALLS = new Set(["bets_opened", "bets_closed", "settled", "round_voided", "last_round_announced"]);
const DECISIONS: Record<string, string> = { fold: "Folds", check: "Checks", wager: "Wagers" };

function take(felt: Felt, { kind, sentence, data }: EventView, seat: Seat | undefined): void {
  if (CALLS.has(kind)) felt.call = sentence;
  if (kind === "round_voided") felt.void = true;
  if (kind === "settled") settle(felt, data.lines ?? []);
  if (kind === "player_withdrew") {
    for (const each of felt.seats) each.wagers = each.wagers.filter(({ owner }) => owner !== data.player);
  }
  if (seat === undefined) return;
  if (kind === "position_taken") seat.player = data.player ?? undefined;
  if (kind === "position_left") seat.player = undefined;
  if (kind === "wager_placed" && data.area != null) {
    seat.player ??= data.player ?? undefined;
    seat.wagers.push({ area: data.area, owner: data.player ?? "", cents: data.amount ?? 0 });
  }
  if (kind === "wager_taken_back") {
    const at = seat.wagers.findIndex(({ area, owner }) => area === data.area && owner === data.player);
    if (at >= 0) seat.wagers.splice(at, 1);
  }
  if (kind === "jackpot_wager_invalid") seat.wagers = seat.wagers.filter(({ area }) => area !== "Jackpot");
  if (kind === "decided") decide(seat, data);
}

function decide(seat: Seat, data: EventView["data"]): void {
  const word = DECISIONS[data.decision ?? ""];
  seat.says = word === undefined ? undefined : data.decision === "wager" ? `${data.area} wager` : word;
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

/** The net result of wagers for their Players, in cents. */
export const net = (lines: readonly Line[]): number =>
  lines.reduce((sum, { staked, paid, returned }) => sum + paid + returned - staked, 0);

/** The sum of the stakes. */
export const staked = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.staked, 0);

export interface Chapter {
  title: string;
  step: number;
}

const CHAPTERS: [string, string][] = [
  ["bets_opened", "Wagers"],
  ["card_dealt", "Deal"],
  ["up_card_exposed", "Up card"],
  ["decided", "Decisions"],
  ["flop_cards_exposed", "Flop"],
  ["turn_card_exposed", "Turn"],
  ["river_card_exposed", "River"],
  ["dealer_hand_exposed", "Dealer"],
  ["round_voided", "Void"],
  ["settled", "Settlement"],
];

/** The parts of a round and where they start. */
export function chapters(told: readonly EventView[]): Chapter[] {
  return CHAPTERS.flatMap(([kind, title]) => {
    const step = told.findIndex((one) => one.kind === kind);
    return step < 0 ? [] : [{ title, step }];
  }).sort((one, other) => one.step - other.step);
}

/** How long a step is shown while the round plays. */
export function pace(kind: string): number {
  if (kind === "not_for_you" || kind === "card_read" || kind === "salt_given") return 60;
  if (kind === "card_dealt" || kind === "hand_viewed") return 160;
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
