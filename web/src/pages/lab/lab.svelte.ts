// The question to the lab: the book, the wagers, the meter and the changes. It is kept in the address, so that a link
// shows the same answers.
import { get, post, type Schemas } from "../../lib/api";
import { type FeedMessage, feed } from "../../lib/feed.svelte";
import { queryParameter } from "../../lib/page";
import { Question } from "../../lib/question.svelte";
import { wrongChange } from "./changes";

export type Answer = Schemas["ExactAnswer"];
export type Book = Schemas["BookView"];
type Form = Schemas["LabForm"];

/** The wagers at the start, and the meter where the floor has none for a book. */
const ANTE_CENTS = 2_500;
const WAGER_CENTS = 500;
const METER_CENTS = 128_407_735;

class Lab {
  books = $state.raw<Schemas["BookRow"][]>([]);
  book = $state.raw<Book | undefined>(undefined);
  ante = $state(ANTE_CENTS);
  wager = $state(WAGER_CENTS);
  meter = $state(METER_CENTS);
  /** Whether the meter follows the floor's link. */
  live = $state(true);
  /** The floor's link for the book, where there is one. */
  link = $state.raw<{ name: string; cents: number } | undefined>(undefined);
  changes = $state<Record<string, string>>({});
  readings = $state<Record<string, string>>({});
  /** The game with the changes, and as in the book. */
  readonly exact = new Question<Answer>();
  readonly plain = new Question<Answer>();
  #unfollow: (() => void) | undefined;

  /** Whether anything is changed from the book. */
  get changed(): boolean {
    return Object.keys(this.changes).length + Object.keys(this.readings).length > 0;
  }

  /** The change that the server refused, and what is wrong with it. */
  get wrongChange(): { key: string; words: string } | undefined {
    return this.exact.problem === undefined ? undefined : wrongChange(this.exact.problem, Object.keys(this.changes));
  }

  /** Whether folds depend on the meter, so that it is part of the question. */
  get meterMatters(): boolean {
    return this.book?.jackpot_after_fold === "community-lines";
  }

  /** The request, without what does not affect the answer. */
  form(changed = true): Form {
    const form: Form = { rulebook: this.book?.id ?? "", ante: this.ante, jackpot_wager: this.wager };
    if (this.meterMatters) form.meter = this.meter;
    if (changed) {
      form.changes = { ...this.changes };
      form.readings = { ...this.readings };
    }
    return form;
  }

  async start(): Promise<void> {
    this.books = await get("/api/rulebooks");
    const named = queryParameter("book");
    const found = this.books.find(({ id, citation }) => named === id || named === citation) ?? this.books[0];
    this.ante = whole(queryParameter("ante")) ?? this.ante;
    this.wager = whole(queryParameter("wager")) ?? this.wager;
    const meter = whole(queryParameter("meter"));
    if (found !== undefined) await this.choose(found.id);
    if (meter !== undefined) this.setMeter(meter);
    this.changes = pairs("change");
    this.readings = pairs("reading");
  }

  /** Opens another book and drops the changes made to the last one. */
  async choose(id: string): Promise<void> {
    const book = await get("/api/rulebooks/{rulebook}", { path: { rulebook: id } });
    this.book = book;
    this.changes = {};
    this.readings = {};
    this.live = true;
    this.#unfollow?.();
    this.link = undefined;
    const lobby = await get("/api/lobby");
    if (this.book !== book) return;
    const name = lobby.tables.find(({ rulebook, link }) => rulebook === id && link !== null)?.link;
    const link = lobby.links.find((one) => one.link === name);
    if (link === undefined) return;
    this.#rises(link.link, link.displayed);
    const listener = ({ link: view }: FeedMessage) => view && this.#rises(view.link, view.displayed);
    this.#unfollow = feed.follow(`link/${link.link}`, listener);
  }

  setMeter(cents: number): void {
    this.meter = cents;
    this.live = false;
  }

  goLive(): void {
    this.live = true;
    if (this.link !== undefined) this.meter = this.link.cents;
  }

  #rises(name: string, cents: number): void {
    this.link = { name, cents };
    if (this.live) this.meter = cents;
  }

  change(key: string, value: string | undefined): void {
    if (value === undefined) delete this.changes[key];
    else this.changes[key] = value;
  }

  read(name: string, value: string, usual: string): void {
    if (value === usual) delete this.readings[name];
    else this.readings[name] = value;
  }

  asTheBookHasIt(): void {
    this.changes = {};
    this.readings = {};
  }

  /** Requests the game; called whenever the request may have changed. */
  ask(): void {
    if (this.book === undefined) return;
    const [form, plain] = [this.form(), this.form(false)];
    this.exact.ask(JSON.stringify(form), (signal) => post("/api/lab/exact", { body: form, signal }));
    if (this.changed) {
      this.plain.ask(JSON.stringify(plain), (signal) => post("/api/lab/exact", { body: plain, signal }));
    } else {
      this.plain.forget();
    }
  }

  /** The address that shows the same answers. */
  address(part: string): string {
    const query = new URLSearchParams();
    if (this.book !== undefined) query.set("book", this.book.citation);
    if (!this.live) query.set("meter", String(this.meter));
    if (this.ante !== ANTE_CENTS) query.set("ante", String(this.ante));
    if (this.wager !== WAGER_CENTS) query.set("wager", String(this.wager));
    for (const [key, value] of Object.entries(this.changes)) query.append("change", `${key}=${value}`);
    for (const [name, value] of Object.entries(this.readings)) query.append("reading", `${name}=${value}`);
    return this.book === undefined ? `${location.search}#${part}` : `?${query}#${part}`;
  }
}

/** The values of a parameter in the address, as NAME=VALUE. */
function pairs(name: string): Record<string, string> {
  const all = new URLSearchParams(location.search).getAll(name).map((text) => text.split(/=(.*)/, 2));
  return Object.fromEntries(all.filter((pair): pair is [string, string] => pair.length === 2));
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}

export const lab = new Lab();
