// The table this page sits at: what the feed tells of it, what its Player is composing, and what they do.
import {
  command,
  get,
  Refused,
  type Schemas,
  type SeatView,
  type TableCommand,
  type TableView,
  type EventView,
} from "../../lib/api";
import { type FeedMessage, feed } from "../../lib/feed.svelte";
import { attempt, notices } from "../../lib/notices.svelte";
import { persist } from "../../lib/question.svelte";
import { session } from "../../lib/session.svelte";
import { stillness } from "../../lib/settings.svelte";
import { DEAL_STEP_MILLISECONDS, FLIGHT_MILLISECONDS, type Movement, movement } from "./deal";
import { type Award, awardsOf, type Line, ownLines } from "./results";
import {
  again,
  amount,
  isOpening,
  key,
  laidOn,
  objections,
  OPENING,
  placed,
  putBack,
  shareOn,
  standing,
  steps,
  total,
  type Wanted,
  withChip,
} from "./wagers";

/** How a round ended for this Player; kept until the next one has ended. */
export interface Ending {
  round: number;
  lines: Line[];
  awards: Award[];
  void: string | undefined;
}

const MONEY_MOVED = /^(wager_|decided|settled|withdrew|round_|award|position_)/;

export class Sitting {
  view = $state.raw<TableView | undefined>(undefined);
  /** How the cards of the last message came: for the eye alone. */
  moved = $state.raw<Movement>({ dealt: new Map(), turned: new Map() });
  /** The settlement has just been made, so its wagers are seen going to their ends. */
  fresh = $state(false);
  wanted = $state.raw<Wanted>({});
  chip = $state(2500);
  ending = $state.raw<Ending | undefined>(undefined);
  /** An award that has just been entered for this Player. */
  moment = $state.raw<Ending | undefined>(undefined);
  me = $state.raw<Schemas["Me"] | undefined>(undefined);
  /** The position in front of a Player who holds several. */
  focus = $state<number | undefined>(undefined);
  /** Whether chips may be laid on other Players' positions too. */
  backing = $state(false);
  busy = $state(false);
  /** Whether this person came to sit down, and is not seated yet. */
  coming = $state(false);
  /** Whether the house admits guests, once that is known. */
  guests = $state<boolean | undefined>(undefined);
  #last: Wanted;
  #meTimer: ReturnType<typeof setTimeout> | undefined;
  #viewTimer: ReturnType<typeof setTimeout> | undefined;
  #viewed = 0;

  constructor(readonly name: string) {
    this.#last = JSON.parse(sessionStorage.getItem(`wagers ${name}`) ?? "{}");
  }

  get player(): string | undefined {
    return session.who?.kind === "player" ? session.who.name : undefined;
  }

  /** Somebody who has not come in yet, and may as a guest. */
  get isVisitor(): boolean {
    return this.isOutside && this.guests === true && this.view?.open === true;
  }

  /** Somebody nobody knows yet. Whose session has ended is somebody, who signs in again. */
  get isOutside(): boolean {
    return session.known && session.who === undefined && !session.ended;
  }

  get own(): SeatView[] {
    return this.view?.seats.filter((seat) => seat.yours) ?? [];
  }

  /** The own position that matters now: one that is asked, else the one looked at, else the first. */
  get front(): SeatView | undefined {
    const backed = this.view?.seats.find((seat) => seat.position === this.focus && this.canBack(seat));
    if (backed !== undefined) return backed;
    const asked = this.own.filter((seat) => seat.state === "deciding" || seat.state === "showing");
    const among = asked.length > 0 ? asked : this.own;
    return among.find((seat) => seat.position === this.focus) ?? among[0];
  }

  choices(does: string, position?: number): Schemas["Choice"][] {
    const all = this.view?.choices ?? [];
    return all.filter((choice) => choice.does === does && (position === undefined || choice.position === position));
  }

  /** Whether this Player holds several hands, of which one may be viewed. */
  get chooses(): boolean {
    return this.own.filter((seat) => seat.cards.length > 0).length > 1;
  }

  get objections(): string[] {
    // While wagers are being placed, what was taken back is not in the balance yet.
    if (this.view === undefined || this.player === undefined || this.busy) return [];
    return objections(this.view, this.player, this.wanted, this.me?.balance);
  }

  get isComposing(): boolean {
    return (
      this.view !== undefined && this.player !== undefined && steps(this.view, this.player, this.wanted).length > 0
    );
  }

  get total(): number {
    return this.view === undefined || this.player === undefined ? 0 : total(this.view, this.player, this.wanted);
  }

  get repeatable(): Wanted {
    return this.view === undefined ? {} : again(this.view, this.#last);
  }

  /** What an own area holds, chips that are not placed yet included. */
  amount(seat: SeatView, area: string): number {
    return this.player === undefined ? 0 : amount(seat, area, this.player, this.wanted);
  }

  isLifted(seat: SeatView, area: string): boolean {
    return this.wanted[key(seat.position, area)] !== undefined;
  }

  canLay(seat: SeatView, area: string): boolean {
    if (!isOpening(area) || this.view?.stage.name !== "bets_open") return false;
    if (!seat.yours) return this.backing && this.#mayShare(seat, area);
    return area !== "Jackpot" || (this.view.jackpot?.reachable === true && this.view.jackpot.minimum != null);
  }

  /** Whether there is another Player's position that takes a share of this one's. */
  get mayBack(): boolean {
    return this.view?.seats.some((seat) => !seat.yours && OPENING.some((area) => this.#mayShare(seat, area))) ?? false;
  }

  canBack(seat: SeatView): boolean {
    return !seat.yours && OPENING.some((area) => this.canLay(seat, area));
  }

  #mayShare(seat: SeatView, area: string): boolean {
    return (
      this.view !== undefined &&
      this.player !== undefined &&
      (shareOn(this.view, seat.position, area) !== undefined || placed(seat, area, this.player) > 0)
    );
  }

  follow(): () => void {
    return feed.follow(`table/${this.name}`, (message) => this.#hear(message));
  }

  #hear(message: FeedMessage): void {
    const { table } = message;
    if (table === undefined || (this.view !== undefined && table.version < this.view.version)) return;
    const before = this.view;
    this.moved = stillness() || before === undefined ? { dealt: new Map(), turned: new Map() } : movement(message.told);
    this.fresh = before !== undefined && before.settlement == null && table.settlement != null;
    this.view = table;
    if (before?.stage.name === "bets_open" && table.stage.name !== "bets_open") this.#betsClosed(table);
    if (table.settlement != null) this.#end(table);
    if (this.coming) this.#sit(table);
    this.#view(table);
    this.#count(message.told, before === undefined);
  }

  /** Chips that were laid too late stay in the rack, and what was placed is remembered. */
  #betsClosed(table: TableView): void {
    if (this.player === undefined) return;
    if (this.isComposing && !this.busy) {
      notices.tell("No more bets: the chips you had not placed stay with you.", "refusal");
    }
    this.wanted = {};
    const stood = standing(table, this.player);
    if (Object.keys(stood).length > 0) {
      this.#last = stood;
      sessionStorage.setItem(`wagers ${this.name}`, JSON.stringify(stood));
    }
  }

  #end(table: TableView): void {
    const lines = ownLines(table, this.player);
    if (lines.length === 0) return;
    const awards = awardsOf(table);
    this.ending = { round: table.round, lines, awards, void: table.settlement?.void ?? undefined };
    if (this.fresh && awards.length > 0) this.moment = this.ending;
  }

  #sit(table: TableView): void {
    if (table.seats.some((seat) => seat.yours)) {
      this.coming = false;
      return;
    }
    if (!table.open || table.seats.every((seat) => seat.holder != null)) {
      this.coming = false;
      notices.tell("Every position here is taken: you are watching. The lobby has other tables.", "refusal");
      return;
    }
    const free = this.choices("take_position").map((choice) => choice.position ?? 0);
    const middle = (table.positions + 1) / 2;
    const nearest = free.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
    if (nearest === undefined || this.busy) return;
    this.coming = false;
    void this.take(nearest);
  }

  /** Who plays one hand looks at it once it is dealt; who plays several chooses which. */
  #view(table: TableView): void {
    clearTimeout(this.#viewTimer);
    const viewable = this.choices("view_hand");
    const dealt = table.seats.filter((seat) => seat.yours && seat.cards.length > 0);
    const [only] = viewable;
    if (viewable.length !== 1 || dealt.length !== 1 || only?.position == null || this.#viewed === table.round) return;
    const flight = this.moved.dealt.size * DEAL_STEP_MILLISECONDS + FLIGHT_MILLISECONDS;
    const position = only.position;
    const look = (): void => {
      this.#viewed = table.round;
      void this.do({ do: "view_hand", position });
    };
    this.#viewTimer = setTimeout(look, this.moved.dealt.size > 0 ? flight : 0);
  }

  #count(told: readonly EventView[], first: boolean): void {
    if (this.player === undefined || !(first || told.some((entry) => MONEY_MOVED.test(entry.kind)))) return;
    clearTimeout(this.#meTimer);
    this.#meTimer = setTimeout(() => void this.count(), 120);
  }

  async count(): Promise<void> {
    if (this.player === undefined) this.me = undefined;
    else this.me = await get("/api/me").catch(() => this.me);
  }

  async do(body: TableCommand): Promise<boolean> {
    return (await this.#give(body)) === undefined;
  }

  /** Gives the table a command, and tells what is in its way. */
  async #give(body: TableCommand): Promise<unknown> {
    try {
      const { table } = await command(this.name, body);
      if (table != null && (this.view?.version ?? 0) < table.version) this.view = table;
      return undefined;
    } catch (error) {
      notices.refuse(error);
      return error;
    }
  }

  /** One thing at a time: a second click while the first is on its way does nothing. */
  async act(body: TableCommand): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    await this.do(body);
    this.busy = false;
  }

  /** Looks whether the house admits guests. */
  async lookForGuests(): Promise<void> {
    const lobby = await persist(() => get("/api/lobby")).catch(() => undefined);
    this.guests = lobby?.guests ?? false;
  }

  /** Comes in as a guest, for whoever came to sit down; who is not admitted comes no more. */
  async comeIn(): Promise<void> {
    await attempt(() => session.comeInAsGuest());
    if (session.who === undefined) this.coming = false;
  }

  async take(position: number): Promise<void> {
    this.coming = false;
    if (session.who === undefined) await attempt(() => session.comeInAsGuest());
    if (session.who === undefined) return;
    this.focus = position;
    await this.act({ do: "take_position", position });
  }

  async look(position: number): Promise<void> {
    this.focus = position;
    await this.act({ do: "view_hand", position });
  }

  lay(seat: SeatView, area: string, chip = this.chip): void {
    if (this.view === undefined || this.busy || !isOpening(area) || !this.canLay(seat, area)) return;
    const cents = withChip(this.view, area, this.amount(seat, area), chip);
    this.wanted = { ...this.wanted, [key(seat.position, area)]: cents };
    this.focus = seat.position;
  }

  lift(seat: SeatView, area: string): void {
    if (this.busy || !this.canLay(seat, area)) return;
    this.wanted = { ...this.wanted, [key(seat.position, area)]: 0 };
  }

  clear(): void {
    const { view, player } = this;
    const laid = view === undefined || player === undefined ? [] : laidOn(view, player, {});
    const areas = laid.flatMap((seat) => OPENING.filter((area) => placed(seat, area, player ?? "") > 0));
    if (areas.length === 0) {
      this.wanted = {};
      return;
    }
    const none = laid.flatMap((seat) => OPENING.map((area) => [key(seat.position, area), 0] as const));
    this.wanted = Object.fromEntries(none);
    void this.place();
  }

  async repeat(): Promise<void> {
    this.wanted = this.repeatable;
    await this.place();
  }

  async place(): Promise<void> {
    const { view, player, wanted } = this;
    if (view === undefined || player === undefined || this.busy || this.objections.length > 0) return;
    this.busy = true;
    for (const step of steps(view, player, wanted)) {
      const stopped = await this.#give(step);
      // What was not answered may have been done: there is nothing to put back before it is known.
      if (stopped instanceof Refused) await this.#putBack(view, player, wanted);
      if (stopped !== undefined) break;
    }
    this.wanted = {};
    this.busy = false;
  }

  /** A wager is raised by taking it back first: where the other one is refused, the first goes back to its place. */
  async #putBack(before: TableView, player: string, wanted: Wanted): Promise<void> {
    if (this.view === undefined) return;
    const earlier = putBack(before, this.view, player, wanted);
    if (Object.keys(earlier).length === 0) return;
    for (const step of steps(this.view, player, earlier)) {
      if (await this.do(step)) continue;
      notices.tell("Your earlier wager could not be put back: look at what lies there now.", "refusal");
      return;
    }
    notices.tell("Your earlier wagers lie there as before.");
  }
}
