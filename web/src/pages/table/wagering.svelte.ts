// The chips a Player lays on areas before they are placed, and how they are placed.
import type { EventView, SeatView, TableView } from "../../lib/api";
import { notices } from "../../lib/notices.svelte";
import { about } from "../../lib/choices";
import { type Area, areaName, openingAreas } from "../../lib/game";
import { rangeOf } from "../../lib/limits";
import { money } from "../../lib/money";
import { keep, kept } from "./kept";
import type { Sitting } from "./sitting.svelte";
import { sounds } from "./sound.svelte";
import {
  again,
  amount,
  doubled,
  hasChips,
  isChange,
  key,
  objections,
  ownWagers,
  placed,
  shareOn,
  standing,
  total,
  type Wanted,
  withChip,
} from "./wagers";
import { say } from "./words";

/** How long before the end of the timer laid chips are placed: long enough for a slow connection. */
const CLOSING_MILLISECONDS = 1500;
/** How long chips lie at a table with staff before they are placed. */
const QUIET_MILLISECONDS = 2000;

const WAGERS: readonly string[] = ["place-wager", "take-back-wager"];

export class Wagering {
  wanted = $state.raw<Wanted>({});
  chip = $state(2500);
  /** Whether chips may be laid on other Players' positions too. */
  backing = $state(false);
  /** Whether the wagers of the last round are placed again as soon as bets open. */
  rebet = $state(kept("rebet") === "on");
  #last = $state.raw<Wanted>({});
  /** Whose chips these are. */
  #of: string | undefined;
  /** What was laid before each chip, for "Undo". */
  #earlier = $state.raw<readonly Wanted[]>([]);
  #placing: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly sitting: Sitting) {}

  get #stored(): string {
    return `wagers ${this.sitting.name} ${this.#of}`;
  }

  /** Chips and the wagers of the last round are a Player's own: who plays next in this browser finds none of them. */
  isOf(player: string | undefined): void {
    if (player === this.#of) return;
    if (this.#of !== undefined) {
      clearTimeout(this.#placing);
      this.wanted = {};
      this.#earlier = [];
    }
    this.#of = player;
    this.#last = JSON.parse(sessionStorage.getItem(this.#stored) ?? "{}");
  }

  get objections(): string[] {
    const { view, player, busy } = this.sitting;
    // While wagers are being placed, the balance does not include those taken back yet.
    if (view === undefined || player === undefined || busy) return [];
    return objections(view, player, this.wanted, this.sitting.balance.me?.balance);
  }

  /** Whether chips are laid that are not placed yet. */
  get isComposing(): boolean {
    const { view, player } = this.sitting;
    return view !== undefined && player !== undefined && isChange(view, player, this.wanted);
  }

  get total(): number {
    const { view, player } = this.sitting;
    return view === undefined || player === undefined ? 0 : total(view, player, this.wanted);
  }

  /** The wagers of the last round, as far as they can be placed again. */
  get repeatable(): Wanted {
    const { view } = this.sitting;
    return view === undefined ? {} : again(view, this.#last);
  }

  /** What this Player has on an area, with chips that are not placed yet. */
  amount(seat: SeatView, area: Area): number {
    const { player } = this.sitting;
    return player === undefined ? 0 : amount(seat, area, player, this.wanted);
  }

  isUnplaced(seat: SeatView, area: Area): boolean {
    return this.wanted[key(seat.position, area)] !== undefined;
  }

  canLay(seat: SeatView, area: Area): boolean {
    const { view, player } = this.sitting;
    if (view === undefined || !openingAreas(view).includes(area)) return false;
    if (player !== undefined && hasChips(seat, area, player)) return false;
    if (!seat.yours) return this.backing && this.#mayShare(seat, area);
    const isOpen = view.choices.some(
      ({ command }) => WAGERS.includes(command.do) && about(command).position === seat.position,
    );
    return isOpen && rangeOf(view, area) !== undefined;
  }

  /** Whether another Player's position takes a share from this one. */
  get mayBack(): boolean {
    const { view } = this.sitting;
    if (view === undefined) return false;
    return view.seats.some((seat) => !seat.yours && openingAreas(view).some((area) => this.#mayShare(seat, area)));
  }

  canBack(seat: SeatView): boolean {
    const { view } = this.sitting;
    return view !== undefined && !seat.yours && openingAreas(view).some((area) => this.canLay(seat, area));
  }

  #mayShare(seat: SeatView, area: Area): boolean {
    const { view, player } = this.sitting;
    if (view === undefined || player === undefined) return false;
    return shareOn(view, seat.position, area) !== undefined || placed(seat, area, player) > 0;
  }

  lay(seat: SeatView, area: Area, chip = this.chip): void {
    const { view, busy } = this.sitting;
    if (view === undefined || busy || !this.canLay(seat, area)) return;
    const cents = withChip(view, area, this.amount(seat, area), chip);
    this.#want({ ...this.wanted, [key(seat.position, area)]: cents });
    this.sitting.focus = seat.position;
    sounds.chip();
  }

  #want(wanted: Wanted): void {
    this.#earlier = [...this.#earlier, this.wanted];
    this.wanted = wanted;
    this.#placeSoon();
  }

  get canUndo(): boolean {
    return this.#earlier.length > 0;
  }

  /** Takes back the last chip that was laid and not placed yet. */
  undo(): void {
    this.wanted = this.#earlier.at(-1) ?? {};
    this.#earlier = this.#earlier.slice(0, -1);
    this.#placeSoon();
  }

  /** The wagers doubled, as far as the limits allow. */
  get doubled(): Wanted {
    const { view, player } = this.sitting;
    return view === undefined || player === undefined ? {} : doubled(view, player, this.wanted);
  }

  double(): void {
    this.#want({ ...this.wanted, ...this.doubled });
  }

  /** The milliseconds until bets close by the timer; `undefined` where no timer runs. */
  get #left(): number | undefined {
    const { view, seenAt } = this.sitting;
    if (view?.stage.at !== "bets-open" || view.timer == null) return undefined;
    return view.timer.left_ms - (performance.now() - seenAt);
  }

  /** Chips that lie on an area when bets close count: they are placed shortly before the timer ends, and at a table with
   * staff a moment after the last one was laid. Where one Player sets the pace, nothing closes by itself. */
  #placeSoon(): void {
    clearTimeout(this.#placing);
    const { sitting } = this;
    if (sitting.isSolo) return;
    const left = this.#left;
    if (sitting.isAutomatic && left === undefined) return;
    const wait = sitting.isAutomatic ? Math.max(0, (left ?? 0) - CLOSING_MILLISECONDS) : QUIET_MILLISECONDS;
    this.#placing = setTimeout(() => {
      if (this.isComposing) void this.place();
    }, wait);
  }

  /** The table has changed: a timer may run now that did not, and the last wagers may be repeated. */
  changed(opened: boolean): void {
    if (opened && this.rebet && this.total === 0 && Object.keys(this.repeatable).length > 0) void this.repeat();
    else if (this.isComposing && !this.sitting.busy) this.#placeSoon();
  }

  setRebet(on: boolean): void {
    this.rebet = on;
    keep("rebet", on ? "on" : "off");
  }

  /** Places what is laid and tells the automatic dealer to go on. */
  async deal(): Promise<void> {
    if (this.isComposing && !(await this.place())) return;
    if (this.total > 0) await this.sitting.ready();
  }

  takeOff(seat: SeatView, area: Area): void {
    if (this.sitting.busy || !this.canLay(seat, area)) return;
    this.#want({ ...this.wanted, [key(seat.position, area)]: 0 });
  }

  /** Removes the chips that are not placed; where all are placed, takes the wagers back. */
  clear(): void {
    const { view, player } = this.sitting;
    this.wanted = {};
    this.#earlier = [];
    const laid = view === undefined || player === undefined ? [] : ownWagers(view, player);
    if (laid.length === 0) return;
    this.wanted = Object.fromEntries(laid.map(({ position, area }) => [key(position, area), 0]));
    void this.place();
  }

  async repeat(): Promise<void> {
    this.wanted = this.repeatable;
    await this.place();
  }

  /** Makes the wagers on the table those that are laid: all of them or, where one is refused, none. Whether they are. */
  async place(): Promise<boolean> {
    const { wanted, sitting } = this;
    const { view, player } = sitting;
    if (view === undefined || player === undefined || sitting.busy || this.objections.length > 0) return false;
    sitting.busy = true;
    const [wagers, seen] = [ownWagers(view, player, wanted), ownWagers(view, player)];
    const isPlaced = await sitting.do({ do: "set-wagers", player, wagers, seen });
    this.wanted = {};
    this.#earlier = [];
    sitting.busy = false;
    return isPlaced;
  }

  /** Says which shares went back because the wager beside them did, to both Players. */
  tell(events: readonly EventView[]): void {
    const { player } = this.sitting;
    for (const { kind, by, data } of events) {
      const { player: owner, area, position, amount } = data;
      if (kind !== "wager-taken-back" || data.clause != null || by === owner) continue;
      if (owner == null || area == null || position == null || amount == null) continue;
      if (owner === player) notices.show(say.wagerWentBack(areaName(area), position, money(amount)));
      else if (by === player) notices.show(say.shareWentBack(owner, areaName(area), position, money(amount)));
    }
  }

  /** Removes the chips that came too late, and remembers the wagers for "Repeat". */
  betsClosed(table: TableView): void {
    const { player, busy } = this.sitting;
    if (player === undefined) return;
    if (this.isComposing && !busy) {
      notices.show(say.lateChips, "refusal");
    }
    clearTimeout(this.#placing);
    this.wanted = {};
    this.#earlier = [];
    const stood = standing(table, player);
    if (Object.keys(stood).length > 0) {
      this.#last = stood;
      sessionStorage.setItem(this.#stored, JSON.stringify(stood));
    }
  }
}
