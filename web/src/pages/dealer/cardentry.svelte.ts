// Cards entered at a live table: typed, scanned or tapped. They wait in a row, each with its place, until they are sent.
import type { EventView } from "../../lib/api";
import { choiceFor, fill } from "../../lib/choices";
import { notices } from "../../lib/notices.svelte";
import type { DealerDesk } from "./desk.svelte";
import { readCards, typeKey, whyNot } from "./entry";
import { openCards, type Place } from "./places";

/** A scanner may end its line twice within this time; the second end is not a card dealt face down. */
const BOUNCE_MILLISECONDS = 350;

interface SentCard {
  card: string;
  version: number;
}

export class CardEntry {
  queue = $state<string[]>([]);
  /** A rank that waits for its suit. */
  rest = $state("");
  /** The cards sent from here in this round by their places, face-down ones too. */
  #sent = $state.raw<ReadonlyMap<string, SentCard>>(new Map());
  #sentAt = 0;
  /** The card of the row that is being sent, with its place. */
  #going = $state.raw<{ card: string; place: Place | undefined } | undefined>(undefined);

  constructor(readonly desk: DealerDesk) {}

  /** The cards to read now: at the showdown those of the hand whose turn it is. */
  get toRead(): Place[] {
    const { view, turn } = this.desk;
    const places = view?.to_read ?? [];
    if (view?.stage.at !== "showing") return places;
    return places.filter((place) => "player" in place && place.player[0] === turn);
  }

  /** The places that wait for a card, as the table shows them. */
  get #open(): Place[] {
    return this.desk.work === "deal" ? (this.desk.view?.to_deal ?? []) : this.toRead;
  }

  /** Where the next cards go: the place of a card that is on its way is taken, whether the table shows it yet or not. */
  get places(): Place[] {
    const taken = JSON.stringify(this.#going?.place);
    return this.#open.filter((place) => JSON.stringify(place) !== taken);
  }

  /** The cards that cannot be entered again. */
  get used(): Set<string> {
    const { view } = this.desk;
    const sent = [...this.#sent.values()].map(({ card }) => card);
    const going = this.#going === undefined ? [] : [this.#going.card];
    return new Set([...(view === undefined ? [] : openCards(view)), ...sent, ...going]);
  }

  startRound(): void {
    this.#sent = new Map();
  }

  clear(): void {
    this.queue = [];
    this.rest = "";
  }

  /** Forgets a card sent from here that another console has corrected since. */
  receive(events: readonly EventView[]): void {
    const read = events.filter((one) => one.kind === "card-read");
    const later = new Map(
      read.flatMap(({ version, data }) => (data.cards ?? []).map(({ place }) => [JSON.stringify(place), version])),
    );
    const valid = [...this.#sent].filter(([place, { version }]) => (later.get(place) ?? 0) <= version);
    if (valid.length < this.#sent.size) this.#sent = new Map(valid);
  }

  /** Adds cards to the row. */
  add(cards: string[]): void {
    const room = this.#open.length === 0 ? 52 : this.places.length;
    for (const card of cards) {
      const reason = whyNot(card, this.used, this.queue, room);
      if (reason === undefined) this.queue.push(card);
      else notices.show(reason, "refusal");
    }
  }

  /** Takes a typed key. Returns whether it belongs to a card. */
  type(key: string): boolean {
    const typed = typeKey(this.rest, key);
    if (typed.taken) this.rest = typed.rest;
    if (typed.card !== undefined) this.add([typed.card]);
    return typed.taken;
  }

  /** Takes a whole text. Returns whether all of it was cards. */
  typeText(text: string): boolean {
    const { cards, rest, wrong } = readCards(text);
    if (rest !== "" || wrong !== "") {
      notices.show(`“${text.trim()}” is not all cards. Write rank and suit, such as As Kd 10h.`, "refusal");
      return false;
    }
    this.add(cards);
    return true;
  }

  undo(): void {
    if (this.rest !== "") this.rest = "";
    else this.queue.pop();
  }

  /** Sends the row in order. Where it is empty, deals a card face down. */
  async send(): Promise<void> {
    const { desk } = this;
    if (desk.busy) {
      desk.keys.add(() => void this.send());
      return;
    }
    if (this.rest !== "") return;
    if (this.queue.length === 0) {
      const bounced = Date.now() - this.#sentAt < BOUNCE_MILLISECONDS;
      if (desk.work === "deal" && !bounced) await this.#deal();
      return;
    }
    // Cards entered meanwhile wait until they are sent themselves.
    for (let due = this.queue.length; due > 0 && this.queue.length > 0 && desk.enteringCards; due -= 1) {
      const place = this.places[0];
      const card = this.queue.shift();
      if (card === undefined) break;
      this.#going = { card, place };
      const sent = await this.#sendCard(card, place);
      this.#going = undefined;
      if (sent) continue;
      this.queue.unshift(card);
      break;
    }
    this.#sentAt = Date.now();
  }

  async #sendCard(card: string, place: Place | undefined): Promise<boolean> {
    const { desk } = this;
    if (desk.work === "read" && place === undefined) return false;
    const isRead = desk.work === "read" && place !== undefined;
    const sent = await (isRead ? desk.send({ do: "read-card", place, card }) : this.#deal(card));
    if (sent) this.#remember(place, card);
    return sent;
  }

  /** Corrects a card that was misread. Returns whether it was done. */
  async correct(place: Place, card: string): Promise<boolean> {
    const done = await this.desk.send({ do: "read-card", place, card });
    if (done) this.#remember(place, card);
    return done;
  }

  /** Deals all cards that are due face down. */
  async dealRest(): Promise<void> {
    while (this.desk.work === "deal" && (await this.#deal()));
  }

  /** Deals the next card, face down where none is named. */
  async #deal(card?: string): Promise<boolean> {
    const choice = choiceFor(this.desk.view?.choices ?? [], "deal-card");
    return choice !== undefined && this.desk.send(fill(choice, card === undefined ? {} : { card }));
  }

  #remember(place: Place | undefined, card: string): void {
    const sent = { card, version: this.desk.view?.version ?? 0 };
    this.#sent = new Map([...this.#sent, [place === undefined ? card : JSON.stringify(place), sent]]);
  }
}
