// What the Dealer's console holds: the table as the server shows it, and what the Dealer has begun but not sent.
import {
  command,
  get,
  type LinkView,
  type Problem,
  Refused,
  type Schemas,
  type TableCommand,
  type TableView,
  type EventView,
} from "../../lib/api";
import { feed } from "../../lib/feed.svelte";
import { attempt, notices } from "../../lib/notices.svelte";
import type { WagerArea } from "./amounts";
import { readCards, typeKey, whyNot } from "./entry";
import { openCards, type Place, placeOf, placeShort } from "./places";
import { type Choice, commandOf, isGrave, title } from "./procedure";

export type Work = "closed" | "misdeal" | "power" | "read" | "deal" | "decide" | "show" | "pay" | "step" | "wait";
type Step = Schemas["PayingStep"];

const keptAt = (table: string, round: number): string => `dealer paid ${table} ${round}`;

/** Whether the list that hands go through is another than it was, as after a misread card was put right. */
const isPaidAnew = (known: TableView, view: TableView): boolean =>
  ["settling", "void"].includes(view.stage.name) &&
  known.round === view.round &&
  known.paying.length > 0 &&
  view.paying.length > 0 &&
  JSON.stringify(known.paying) !== JSON.stringify(view.paying);

export class DealerDesk {
  view = $state.raw<TableView | undefined>(undefined);
  link = $state.raw<LinkView | undefined>(undefined);
  missing = $state<string | undefined>(undefined);
  players = $state.raw<string[]>([]);
  staff = $state.raw<string[]>([]);
  lately = $state.raw<string[]>([]);
  busy = $state(false);
  /** Why the last command was not taken. */
  refused = $state.raw<Problem | undefined>(undefined);
  selected = $state<number | undefined>(undefined);
  /** The area a wager is being entered on, at the selected position. */
  area = $state<WagerArea | undefined>(undefined);
  /** What a second key will do. */
  armed = $state.raw<Choice | undefined>(undefined);
  queue = $state<string[]>([]);
  rest = $state("");
  /** How many steps of the paying list are done. */
  paid = $state(0);
  /** The cards sent from here in this round, those that lie face down among them, by their places. */
  #sent = $state.raw<ReadonlyMap<string, { card: string; version: number }>>(new Map());
  #round = 0;
  #sentAt = 0;
  #ahead: (() => void)[] = [];

  constructor(readonly table: string) {}

  next = $derived(this.view?.choices.find((choice) => choice.next));
  /** The cards to read now: at the showdown those of the hand whose turn it is. */
  toRead = $derived.by((): Place[] => {
    const places = this.view?.to_read ?? [];
    if (this.view?.stage.name !== "showing") return places;
    return places.filter((place) => place.where === "player" && place.position === this.turn);
  });
  places = $derived.by((): Place[] => (this.work === "deal" ? (this.view?.to_deal ?? []) : this.toRead));
  used = $derived(new Set([...(this.view === undefined ? [] : openCards(this.view)), ...this.#sentCards()]));
  /** The steps of the paying list that take hands; credits move by themselves. */
  handwork = $derived<Step[]>(this.view?.paying.filter((step) => step.means !== "credits") ?? []);
  work = $derived.by((): Work => {
    const view = this.view;
    if (view === undefined) return "wait";
    if (!view.open) return "closed";
    if (view.power != null) return "power";
    if (view.misdeal != null) return "misdeal";
    if (view.staffing === "automatic") return this.next === undefined ? "wait" : "step";
    if (this.toRead.length > 0) return "read";
    if (this.next?.does === "deal_card" && view.dealing === "live") return "deal";
    if (this.decisions.length > 0) return "decide";
    if (view.stage.name === "showing") return "show";
    if (["settling", "void"].includes(view.stage.name) && this.paid < this.handwork.length) return "pay";
    return this.next === undefined ? "wait" : "step";
  });
  decisions = $derived(this.view?.choices.filter((choice) => choice.does === "decide") ?? []);
  /** The position whose turn is entered: the one chosen, or the first awaited. */
  turn = $derived.by(() => {
    const awaited = this.view?.stage.positions ?? [];
    return this.selected !== undefined && awaited.includes(this.selected) ? this.selected : awaited[0];
  });
  entering = $derived(this.work === "deal" || this.work === "read");

  /** Follows the table; returns how to stop. */
  follow(): () => void {
    void this.look();
    const stop = feed.follow(`table/${this.table}`, ({ table, told }) => {
      if (table !== undefined) this.take(table);
      this.hear(told);
      const sentences = told.filter((one) => one.kind !== "not_for_you").map((one) => one.sentence);
      if (sentences.length > 0) this.lately = [...this.lately, ...sentences].slice(-4);
    });
    return stop;
  }

  /** Forgets what was sent from here for a card that was put right elsewhere since. */
  hear(told: readonly EventView[]): void {
    const read = told.filter((one) => one.kind === "card_read");
    const later = new Map(
      read.flatMap(({ version, data }) => (data.cards ?? []).map((laid) => [placeShort(placeOf(laid)), version])),
    );
    const stands = [...this.#sent].filter(([place, { version }]) => (later.get(place) ?? 0) <= version);
    if (stands.length < this.#sent.size) this.#sent = new Map(stands);
  }

  /** Follows the meter the table plays for. */
  followLink(link: string): () => void {
    return feed.follow(`link/${link}`, (message) => {
      if (message.link !== undefined) this.link = message.link;
    });
  }

  /** Asks for the table anew, as whoever is signed in now sees it. */
  async look(): Promise<void> {
    try {
      this.take(await get("/api/tables/{table}", { path: { table: this.table } }), true);
      this.missing = undefined;
    } catch (error) {
      if (this.view === undefined) this.missing = error instanceof Error ? error.message : String(error);
    }
  }

  /** Who is in the house: Players who may sit down, staff who may sign. */
  async lookAround(): Promise<void> {
    const house = await attempt(() => get("/api/house"));
    this.staff = house?.staff.map((one) => one.person) ?? [];
    this.players = house?.players.filter((one) => !one.prohibited).map((one) => one.player) ?? [];
  }

  take(view: TableView, anew = false): void {
    const known = this.view;
    if (known !== undefined && !anew && view.version < known.version) return;
    if (view.round !== this.#round) this.#beginRound(view.round);
    if (known !== undefined && known.stage.name !== view.stage.name) {
      // Keys pressed before the round moved on were meant for where it stood.
      this.#ahead = [];
      this.armed = undefined;
      this.queue = [];
      this.rest = "";
      if (view.stage.name !== "before_bets" && view.stage.name !== "bets_open") {
        // The position whose wagers were entered last is not whose turn comes first.
        this.area = undefined;
        this.selected = undefined;
      }
    }
    const again = known !== undefined && this.paid > 0 && isPaidAnew(known, view);
    this.view = view;
    if (again) {
      this.pay(-this.paid);
      notices.show("What to take and pay has changed. Go through the list again.", "refusal");
    }
  }

  #beginRound(round: number): void {
    this.#round = round;
    this.#sent = new Map();
    this.selected = undefined;
    this.paid = Number(sessionStorage.getItem(keptAt(this.table, round)) ?? "0");
  }

  /** Gives the table a command; says whether it was done. */
  async give(body: TableCommand): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.armed = undefined;
    this.refused = undefined;
    try {
      const done = await command(this.table, body);
      if (done.table != null) this.take(done.table);
      // After whoever gave this command has gone on.
      setTimeout(() => this.#replay());
      return true;
    } catch (error) {
      if (error instanceof Refused) this.refused = error.problem;
      this.#ahead = [];
      notices.refuse(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Whether keys must wait their turn: a command is under way, or earlier keys wait. */
  get waits(): boolean {
    return this.busy || this.#ahead.length > 0;
  }

  /** Keeps a key pressed meanwhile; it counts once that is done, unless the round moves on first. */
  keep(key: () => void): void {
    if (this.#ahead.length < 8) this.#ahead.push(key);
  }

  forget(): void {
    this.#ahead = [];
  }

  #replay(): void {
    while (!this.busy) {
      const key = this.#ahead.shift();
      if (key === undefined) return;
      key();
    }
  }

  /** Does a choice; a grave one is only armed, and done when it is chosen again or confirmed. */
  async choose(choice: Choice): Promise<void> {
    if (isGrave(choice, this.view) && !this.isArmed(choice)) {
      this.armed = choice;
      return;
    }
    const body = commandOf(choice);
    if (body === undefined) return;
    const done = await this.give(body);
    if (done && choice.does === "decide") this.selected = undefined;
  }

  isArmed(choice: Choice): boolean {
    const armed = this.armed;
    return (
      armed !== undefined &&
      armed.does === choice.does &&
      armed.position === choice.position &&
      armed.decision === choice.decision &&
      armed.player === choice.player
    );
  }

  armedTitle = $derived(this.armed === undefined ? "" : title(this.armed, this.view?.stage.name));

  /** Adds cards to the row that waits to be sent. */
  add(cards: string[]): void {
    for (const card of cards) {
      const reason = whyNot(card, this.used, this.queue, this.places.length || 52);
      if (reason === undefined) this.queue.push(card);
      else notices.show(reason, "refusal");
    }
  }

  /** Takes a key of a card being typed; says whether it was one. */
  typeCard(key: string): boolean {
    const typed = typeKey(this.rest, key);
    if (typed.taken) this.rest = typed.rest;
    if (typed.card !== undefined) this.add([typed.card]);
    return typed.taken;
  }

  /** Takes a whole text of cards; says whether all of it was cards. */
  typeText(text: string): boolean {
    const { cards, rest, wrong } = readCards(text);
    if (rest !== "" || wrong !== "") {
      notices.show(`“${text.trim()}” is not all cards. Write rank and suit, such as As Kd 10h.`, "refusal");
      return false;
    }
    this.add(cards);
    return true;
  }

  undoCard(): void {
    if (this.rest !== "") this.rest = "";
    else this.queue.pop();
  }

  /** Sends the row in order; without one, deals a card face down. */
  async sendCards(): Promise<void> {
    if (this.busy) {
      this.keep(() => void this.sendCards());
      return;
    }
    if (this.rest !== "") return;
    if (this.queue.length === 0) {
      // A scanner may end its line twice: that is no card.
      const bounced = Date.now() - this.#sentAt < 350;
      if (this.work === "deal" && !bounced) await this.give({ do: "deal_card" });
      return;
    }
    // Cards entered meanwhile wait to be sent themselves.
    for (let due = this.queue.length; due > 0 && this.queue.length > 0 && this.entering; due -= 1) {
      const [card, place] = [this.queue[0], this.places[0]];
      if (card === undefined || !(await this.#sendCard(card, place))) break;
      this.queue.shift();
    }
    this.#sentAt = Date.now();
  }

  async #sendCard(card: string, place: Place | undefined): Promise<boolean> {
    if (this.work === "read" && place === undefined) return false;
    const sent = await this.give(
      this.work === "read" && place !== undefined ? { do: "read_card", place, card } : { do: "deal_card", card },
    );
    if (sent) this.#keepSent(place, card);
    return sent;
  }

  /** Puts right a card that was misread; says whether it was done. */
  async putRight(place: Place, card: string): Promise<boolean> {
    const done = await this.give({ do: "read_card", place, card });
    if (done) this.#keepSent(place, card);
    return done;
  }

  #keepSent(place: Place | undefined, card: string): void {
    const sent = { card, version: this.view?.version ?? 0 };
    this.#sent = new Map([...this.#sent, [place === undefined ? card : placeShort(place), sent]]);
  }

  #sentCards(): string[] {
    return [...this.#sent.values()].map(({ card }) => card);
  }

  /** Deals all that is due face down. */
  async dealRest(): Promise<void> {
    while (this.work === "deal" && (await this.give({ do: "deal_card" })));
  }

  pay(steps = 1): void {
    this.paid = Math.max(0, Math.min(this.handwork.length, this.paid + steps));
    sessionStorage.setItem(keptAt(this.table, this.#round), String(this.paid));
  }
}
