// The chips a Player lays on areas before they are placed, and how they are placed.
import { Refused, type SeatView, type TableView } from "../../lib/api";
import { notices } from "../../lib/notices.svelte";
import { about } from "../../lib/choices";
import { type Area, openingAreas } from "../../lib/game";
import { rangeOf } from "../../lib/limits";
import type { Sitting } from "./sitting.svelte";
import {
  again,
  amount,
  earlierWagers,
  isChange,
  key,
  laidOn,
  nextStep,
  objections,
  placed,
  shareOn,
  standing,
  targets,
  total,
  type Wanted,
  withChip,
} from "./wagers";

const WAGERS: readonly string[] = ["place-wager", "take-back-wager"];

export class Wagering {
  wanted = $state.raw<Wanted>({});
  chip = $state(2500);
  /** Whether chips may be laid on other Players' positions too. */
  backing = $state(false);
  #last: Wanted;

  constructor(readonly sitting: Sitting) {
    this.#last = JSON.parse(sessionStorage.getItem(`wagers ${sitting.name}`) ?? "{}");
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
    const { view } = this.sitting;
    if (view === undefined || !openingAreas(view).includes(area)) return false;
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
    this.wanted = { ...this.wanted, [key(seat.position, area)]: cents };
    this.sitting.focus = seat.position;
  }

  takeOff(seat: SeatView, area: Area): void {
    if (this.sitting.busy || !this.canLay(seat, area)) return;
    this.wanted = { ...this.wanted, [key(seat.position, area)]: 0 };
  }

  /** Removes the chips that are not placed; where all are placed, takes the wagers back. */
  clear(): void {
    const { view, player } = this.sitting;
    this.wanted = {};
    if (view === undefined || player === undefined || total(view, player, {}) === 0) return;
    const laid = laidOn(view, player, {}).flatMap((seat) => openingAreas(view).map((area) => key(seat.position, area)));
    this.wanted = Object.fromEntries(laid.map((each) => [each, 0]));
    void this.place();
  }

  async repeat(): Promise<void> {
    this.wanted = this.repeatable;
    await this.place();
  }

  async place(): Promise<void> {
    const { wanted, sitting } = this;
    const { view, player } = sitting;
    if (view === undefined || player === undefined || sitting.busy || this.objections.length > 0) return;
    sitting.busy = true;
    const error = await this.#sendSteps(player, targets(view, player, wanted));
    // A command without an answer may have been done, so nothing is restored until that is known.
    if (error instanceof Refused) await this.#restore(view, player, wanted);
    this.wanted = {};
    sitting.busy = false;
  }

  /** Sends commands until the wagers are the wanted ones. Returns the error that stopped it. */
  async #sendSteps(player: string, wanted: Wanted): Promise<unknown> {
    const sent = new Set<string>();
    for (;;) {
      const { view } = this.sitting;
      const step = view === undefined ? undefined : nextStep(view, player, wanted);
      const name = JSON.stringify(step);
      // A step that is due twice has not changed anything: sending it again would not help.
      if (step === undefined || sent.has(name)) return undefined;
      sent.add(name);
      const error = await this.sitting.send(step);
      if (error !== undefined) return error;
    }
  }

  /** A wager is raised by taking it back and placing a higher one. Where the higher one is refused, the first is
   * placed again. */
  async #restore(before: TableView, player: string, wanted: Wanted): Promise<void> {
    const { view } = this.sitting;
    if (view === undefined) return;
    const earlier = earlierWagers(before, view, player, wanted);
    if (Object.keys(earlier).length === 0) return;
    const error = await this.#sendSteps(player, earlier);
    if (error === undefined) notices.show("Your earlier wagers are in place again.");
    else notices.show("Your earlier wager could not be restored. Check what is on your areas now.", "refusal");
  }

  /** Removes the chips that came too late, and remembers the wagers for "Repeat". */
  betsClosed(table: TableView): void {
    const { player, busy } = this.sitting;
    if (player === undefined) return;
    if (this.isComposing && !busy) {
      notices.show("No more bets: the chips you had not placed stay with you.", "refusal");
    }
    this.wanted = {};
    const stood = standing(table, player);
    if (Object.keys(stood).length > 0) {
      this.#last = stood;
      sessionStorage.setItem(`wagers ${this.sitting.name}`, JSON.stringify(stood));
    }
  }
}
