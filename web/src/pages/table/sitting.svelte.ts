// The table as its Player sees it: what the feed sends, and the commands this Player gives. Wagers being composed, the
// way to a position, the balance and the results each have a file of their own.
import { command, get, post, Refused, type SeatView, type TableCommand, type TableView } from "../../lib/api";
import { type Choice, type CommandName, choicesFor } from "../../lib/choices";
import { type FeedMessage, feed } from "../../lib/feed.svelte";
import { notices } from "../../lib/notices.svelte";
import { session } from "../../lib/session.svelte";
import { prefersReducedMotion } from "../../lib/settings.svelte";
import { Arrival } from "./arrival.svelte";
import { Balance } from "./balance.svelte";
import { type Movement, movement } from "./deal";
import { Results } from "./ending.svelte";
import { LinkWatch } from "./link.svelte";
import { Rest } from "./rest.svelte";
import { netOfEnding } from "./results";
import { Salts } from "./salts.svelte";
import { sounds } from "./sound.svelte";
import { HandViewing } from "./viewing.svelte";
import { Wagering } from "./wagering.svelte";
import { ownWagers } from "./wagers";

const STILL: Movement = { dealt: new Map(), turned: new Map() };

export class Sitting {
  view = $state.raw<TableView | undefined>(undefined);
  /** When the view was received, by the clock that never jumps. */
  seenAt = 0;
  /** How the cards of the last message came, for the animation only. */
  moved = $state.raw<Movement>(STILL);
  /** Whether the settlement came with the last message, so that its chips move. */
  fresh = $state(false);
  /** The position that a Player with several positions has chosen. */
  focus = $state<number | undefined>(undefined);
  /** Whether a command is under way. */
  busy = $state(false);
  readonly arrival: Arrival;
  readonly balance: Balance;
  readonly results: Results;
  readonly salts: Salts;
  readonly wagering: Wagering;
  readonly link: LinkWatch;
  readonly viewing: HandViewing;
  /** What is pressed in the bar at the bottom. */
  readonly rest = new Rest();
  #readyFor = $state("");

  constructor(readonly name: string) {
    this.arrival = new Arrival(this);
    this.balance = new Balance(this);
    this.link = new LinkWatch(this);
    this.results = new Results(this);
    this.salts = new Salts(this);
    this.wagering = new Wagering(this);
    this.viewing = new HandViewing(this);
  }

  get player(): string | undefined {
    return session.who?.kind === "player" ? session.who.name : undefined;
  }

  get own(): SeatView[] {
    return this.view?.seats.filter((seat) => seat.yours) ?? [];
  }

  /** The position to show large: one that must decide, else the chosen one, else the first. */
  get front(): SeatView | undefined {
    const backed = this.view?.seats.find((seat) => seat.position === this.focus && this.wagering.canBack(seat));
    if (backed !== undefined) return backed;
    const asked = this.own.filter((seat) => seat.state === "deciding" || seat.state === "showing");
    const among = asked.length > 0 ? asked : this.own;
    return among.find((seat) => seat.position === this.focus) ?? among[0];
  }

  choices(name: CommandName, position?: number): Choice[] {
    return choicesFor(this.view?.choices ?? [], name, position);
  }

  /** Whether the table is dealt automatically, as soon as everybody is ready. */
  get isAutomatic(): boolean {
    return this.view?.staffing === "automatic";
  }

  /** Whether the table has one position, so that its Player sets the pace. */
  get isSolo(): boolean {
    return this.isAutomatic && this.view?.positions === 1;
  }

  /** What was said last of being ready, for which stage of which round. */
  get isReady(): boolean {
    return this.#readyFor === this.#stageKey;
  }

  get #stageKey(): string {
    return `${this.view?.round} ${this.view?.stage.at}`;
  }

  /** Tells the automatic dealer that this Player waits for nothing more, and with which wagers while bets are open. */
  async ready(): Promise<void> {
    const { view, player } = this;
    if (view === undefined || player === undefined || !this.isAutomatic || this.own.length === 0) return;
    this.#readyFor = this.#stageKey;
    const body = view.stage.at === "bets-open" ? { ready: true, wagers: ownWagers(view, player) } : { ready: true };
    // Where the dealer could not be told, the button can be pressed again.
    await post("/api/tables/{table}/ready", { path: { table: this.name }, body }).catch((error: unknown) => {
      this.#readyFor = "";
      if (error instanceof Refused) notices.refuse(error);
    });
  }

  /** Whether this Player holds several hands, of which one may be viewed. */
  get hasSeveralHands(): boolean {
    return this.own.filter((seat) => seat.cards.length > 0).length > 1;
  }

  follow(): () => void {
    return feed.follow(`table/${this.name}`, (message) => this.#receive(message));
  }

  #show(table: TableView): void {
    this.view = table;
    this.seenAt = performance.now();
  }

  #receive(message: FeedMessage): void {
    const { table } = message;
    if (table == null || (this.view !== undefined && table.version < this.view.version)) return;
    const before = this.view;
    this.moved = prefersReducedMotion() || before === undefined ? STILL : movement(message.events);
    this.fresh = before !== undefined && before.settlement == null && table.settlement != null;
    this.#show(table);
    if (before?.stage.at === "bets-open" && table.stage.at !== "bets-open") this.wagering.betsClosed(table);
    if (table.settlement != null) this.results.settled(table, this.fresh);
    this.#noises(before, table);
    if (table.stage.at === "bets-open") this.wagering.changed(before !== undefined && before.stage.at !== "bets-open");
    this.arrival.seatsChanged(before, table);
    this.arrival.sitDown(table);
    this.viewing.viewOnlyHand(table, this.moved);
    this.balance.changedBy(message.events, before === undefined);
    if (before !== undefined) {
      this.salts.tell(message.events);
      this.wagering.tell(message.events);
    }
    void this.salts.attend();
  }

  /** Loads the table again after something that its own feed does not tell. */
  async refresh(): Promise<void> {
    const table = await get("/api/tables/{table}", { path: { table: this.name } }).catch(() => undefined);
    if (table === undefined || (this.view !== undefined && table.version < this.view.version)) return;
    this.#show(table);
    if (table.settlement != null) this.results.settled(table, false);
  }

  #noises(before: TableView | undefined, table: TableView): void {
    if (before === undefined) return;
    if (this.moved.dealt.size > 0) sounds.cards(this.moved.dealt.size);
    else if (this.moved.turned.size > 0) sounds.turnOver();
    if (before.stage.at !== table.stage.at && (table.stage.at === "bets-open" || before.stage.at === "bets-open"))
      sounds.call();
    if (table.stage.positions.some((position) => this.own.some((seat) => seat.position === position)))
      if (!before.stage.positions.some((position) => table.stage.positions.includes(position))) sounds.yourTurn();
    if (!this.fresh) return;
    const { ending } = this.results;
    if (ending === undefined || ending.round !== table.round) return;
    if (ending.awards.length > 0) sounds.jackpot();
    else if (netOfEnding(ending) > 0) sounds.win();
  }

  /** Sends a command and shows why it fails. Returns the error, or nothing where it was done. */
  async send(body: TableCommand): Promise<unknown> {
    this.arrival.sends(body.do);
    try {
      const { table } = await command(this.name, body);
      if (table != null && (this.view?.version ?? 0) < table.version) this.#show(table);
      return undefined;
    } catch (error) {
      notices.refuse(error);
      return error;
    }
  }

  /** Whether a command was done that may fail without a word. */
  async attempt(body: TableCommand): Promise<boolean> {
    this.arrival.sends(body.do);
    try {
      const { table } = await command(this.name, body);
      if (table != null && (this.view?.version ?? 0) < table.version) this.#show(table);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the command was done. */
  async do(body: TableCommand): Promise<boolean> {
    return (await this.send(body)) === undefined;
  }

  /** Sends a command unless another one is under way: a second click does nothing. */
  async act(body: TableCommand): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    await this.do(body);
    this.busy = false;
  }

  async viewHand(position: number): Promise<void> {
    this.focus = position;
    const [choice] = this.choices("view-hand", position);
    if (choice !== undefined) await this.act(choice.command);
  }
}
