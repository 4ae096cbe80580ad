// The table as its Player sees it: what the feed sends, and the commands this Player gives. Wagers being composed, the
// way to a position, the balance and the results each have a file of their own.
import { command, type SeatView, type TableCommand, type TableView } from "../../lib/api";
import { type Choice, type CommandName, choicesFor } from "../../lib/choices";
import { type FeedMessage, feed } from "../../lib/feed.svelte";
import { notices } from "../../lib/notices.svelte";
import { session } from "../../lib/session.svelte";
import { prefersReducedMotion } from "../../lib/settings.svelte";
import { Arrival } from "./arrival.svelte";
import { Balance } from "./balance.svelte";
import { type Movement, movement } from "./deal";
import { Results } from "./ending.svelte";
import { Salts } from "./salts.svelte";
import { HandViewing } from "./viewing";
import { Wagering } from "./wagering.svelte";

const STILL: Movement = { dealt: new Map(), turned: new Map() };

export class Sitting {
  view = $state.raw<TableView | undefined>(undefined);
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
  readonly #viewing: HandViewing;

  constructor(readonly name: string) {
    this.arrival = new Arrival(this);
    this.balance = new Balance(this);
    this.results = new Results(this);
    this.salts = new Salts(this);
    this.wagering = new Wagering(this);
    this.#viewing = new HandViewing(this);
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

  /** Whether this Player holds several hands, of which one may be viewed. */
  get hasSeveralHands(): boolean {
    return this.own.filter((seat) => seat.cards.length > 0).length > 1;
  }

  follow(): () => void {
    return feed.follow(`table/${this.name}`, (message) => this.#receive(message));
  }

  #receive(message: FeedMessage): void {
    const { table } = message;
    if (table == null || (this.view !== undefined && table.version < this.view.version)) return;
    const before = this.view;
    this.moved = prefersReducedMotion() || before === undefined ? STILL : movement(message.events);
    this.fresh = before !== undefined && before.settlement == null && table.settlement != null;
    this.view = table;
    if (before?.stage.at === "bets-open" && table.stage.at !== "bets-open") this.wagering.betsClosed(table);
    if (table.settlement != null) this.results.settled(table, this.fresh);
    this.arrival.sitDown(table);
    this.#viewing.viewOnlyHand(table, this.moved);
    this.balance.changedBy(message.events, before === undefined);
    if (before !== undefined) this.salts.tell(message.events);
    void this.salts.attend();
  }

  /** Sends a command and shows why it fails. Returns the error, or nothing where it was done. */
  async send(body: TableCommand): Promise<unknown> {
    try {
      const { table } = await command(this.name, body);
      if (table != null && (this.view?.version ?? 0) < table.version) this.view = table;
      return undefined;
    } catch (error) {
      notices.refuse(error);
      return error;
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
