// The Dealer's console: the table as the server shows it, what is due now, and the commands the Dealer sends. Entering
// cards, paying, confirming and the waiting keys each have a file of their own.
import {
  command,
  type EventView,
  get,
  type LinkView,
  type Problem,
  Refused,
  type TableCommand,
  type TableView,
} from "../../lib/api";
import { choicesFor } from "../../lib/choices";
import { feed } from "../../lib/feed.svelte";
import { type Area, stageKey } from "../../lib/game";
import { notices } from "../../lib/notices.svelte";
import { Question } from "../../lib/question.svelte";
import { withPassword } from "../../lib/stepup.svelte";
import { CardEntry } from "./cardentry.svelte";
import { Confirmation } from "./confirmation.svelte";
import { KeyQueue } from "./keyqueue";
import { Paying } from "./paying.svelte";
import { People } from "./people.svelte";

export type Work =
  | "closed"
  | "misdeal"
  | "power"
  | "reader"
  | "read"
  | "deal"
  | "decide"
  | "show"
  | "pay"
  | "step"
  | "wait";

const RECENT_MAX = 4;

export class DealerDesk {
  view = $state.raw<TableView | undefined>(undefined);
  link = $state.raw<LinkView | undefined>(undefined);
  /** The table, asked for as the person signed in now sees it. */
  readonly asked = new Question<TableView>();
  recent = $state.raw<string[]>([]);
  /** Whether a command is under way. */
  busy = $state(false);
  /** Why the last command was refused. */
  refused = $state.raw<Problem | undefined>(undefined);
  selected = $state<number | undefined>(undefined);
  /** The area that a wager is being entered for, at the selected position. */
  area = $state<Area | undefined>(undefined);
  readonly cards: CardEntry;
  readonly confirmation: Confirmation;
  readonly keys: KeyQueue;
  readonly paying: Paying;
  readonly people: People;
  #round = 0;

  constructor(readonly table: string) {
    this.cards = new CardEntry(this);
    this.confirmation = new Confirmation(this);
    this.keys = new KeyQueue(this);
    this.paying = new Paying(this);
    this.people = new People();
  }

  get next() {
    return this.view?.choices.find((choice) => choice.next);
  }

  get decisions() {
    return choicesFor(this.view?.choices ?? [], "decide");
  }

  /** The position whose turn it is: the chosen one, or the first that is awaited. */
  get turn(): number | undefined {
    const awaited = this.view?.stage.positions ?? [];
    return this.selected !== undefined && awaited.includes(this.selected) ? this.selected : awaited[0];
  }

  /** What the Dealer has to do now. */
  get work(): Work {
    const { view, next } = this;
    if (view === undefined) return "wait";
    if (!view.open) return "closed";
    if (view.power != null) return "power";
    if (view.misdeal != null) return "misdeal";
    if (view.reader != null && !view.reader.by_hand) return "reader";
    if (view.staffing === "automatic") return next === undefined ? "wait" : "step";
    if (this.cards.toRead.length > 0) return "read";
    if (next?.command.do === "deal-card" && view.dealing === "live") return "deal";
    if (this.decisions.length > 0) return "decide";
    if (view.stage.at === "showing") return "show";
    if (this.paying.isDue) return "pay";
    return next === undefined ? "wait" : "step";
  }

  get enteringCards(): boolean {
    return this.work === "deal" || this.work === "read";
  }

  /** Follows the table; returns how to stop. */
  follow(): () => void {
    void this.load();
    return feed.follow(`table/${this.table}`, ({ table, events }) => {
      if (table != null) this.update(table);
      this.receive(events);
    });
  }

  receive(events: readonly EventView[]): void {
    this.cards.receive(events);
    const sentences = events.filter((one) => one.kind !== "not-for-you").map((one) => one.sentence);
    if (sentences.length > 0) this.recent = [...this.recent, ...sentences].slice(-RECENT_MAX);
  }

  /** Follows the meter of the table's link. */
  followLink(link: string): () => void {
    return feed.follow(`link/${link}`, (message) => {
      if (message.link == null) return;
      this.link = message.link;
      // What is due at the table depends on its award, which is not part of its own stream.
      if (this.view?.unverified === true) void this.load();
    });
  }

  /** Loads the table again, as the person signed in now sees it. */
  async load(): Promise<void> {
    const view = await this.asked.look((signal) => get("/api/tables/{table}", { path: { table: this.table }, signal }));
    if (view !== undefined) this.update(view);
  }

  /** Shows a view, unless a newer one is shown. */
  update(view: TableView): void {
    const known = this.view;
    if (known !== undefined && view.version < known.version) return;
    if (view.round !== this.#round) this.#startRound(view.round);
    if (known !== undefined && stageKey(known.stage) !== stageKey(view.stage)) this.#stageChanged(view);
    this.view = view;
    if (known !== undefined) this.paying.restartIfChanged(known, view);
  }

  #startRound(round: number): void {
    this.#round = round;
    this.selected = undefined;
    this.cards.startRound();
    this.paying.startRound(round);
  }

  /** Keys pressed before the stage changed were meant for the earlier stage. */
  #stageChanged(view: TableView): void {
    this.keys.clear();
    this.confirmation.armed = undefined;
    this.cards.clear();
    if (view.stage.at === "before-bets" || view.stage.at === "bets-open") return;
    // The position whose wagers were entered last is not the one whose turn comes first.
    this.area = undefined;
    this.selected = undefined;
  }

  /** Sends the table a command. Returns whether it was done. */
  async send(body: TableCommand): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.confirmation.armed = undefined;
    this.refused = undefined;
    try {
      // A ruling needs the password again.
      const done = await withPassword(() => command(this.table, body));
      if (done === undefined) return false;
      if (done.table != null) this.update(done.table);
      // After the sender of this command has continued.
      setTimeout(() => this.keys.replay());
      return true;
    } catch (error) {
      if (error instanceof Refused) this.refused = error.problem;
      this.keys.clear();
      notices.refuse(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
