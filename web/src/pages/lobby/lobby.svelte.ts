// The lobby: tables are loaded every two seconds, meters come over the feed.
import { get, type LinkView, type Schemas } from "../../lib/api";
import { feed } from "../../lib/feed.svelte";
import { poll } from "../../lib/poll";
import { Question } from "../../lib/question.svelte";
import { session } from "../../lib/session.svelte";

const EVERY_MILLISECONDS = 2000;

export interface Meter {
  link: string;
  cents: number;
  waiting: boolean;
  fault: boolean;
  tables: number;
}

export class LobbyState {
  readonly asked = new Question<Schemas["Lobby"]>();
  /** The tables where this Player holds a position. */
  held = $state.raw<ReadonlySet<string>>(new Set());
  links = $state.raw<Readonly<Record<string, LinkView>>>({});

  get lobby(): Schemas["Lobby"] | undefined {
    return this.asked.answer;
  }

  /** Keeps the lobby up to date; returns how to stop. */
  watch(): () => void {
    const stops = new Map<string, () => void>();
    const load = async (): Promise<void> => {
      await this.asked.look((signal) => get("/api/lobby", { signal }));
      await this.#hold();
      for (const { link } of this.lobby?.links ?? []) {
        if (!stops.has(link)) stops.set(link, this.#follow(link));
      }
    };
    const stop = poll(load, EVERY_MILLISECONDS);
    return () => {
      stop();
      for (const stop of stops.values()) stop();
    };
  }

  async #hold(): Promise<void> {
    if (session.who?.kind !== "player") {
      this.held = new Set();
      return;
    }
    const me = await get("/api/me").catch(() => undefined);
    if (me !== undefined) this.held = new Set(me.positions.map((held) => held.table));
  }

  #follow(name: string): () => void {
    return feed.follow(`link/${name}`, ({ link }) => {
      if (link != null) this.links = { ...this.links, [name]: link };
    });
  }

  /** The meters, the one with the most tables first. */
  get meters(): Meter[] {
    const all = (this.lobby?.links ?? []).map(({ link, displayed, award_waiting }) => ({
      link,
      cents: this.links[link]?.displayed ?? displayed,
      waiting: award_waiting,
      fault: this.links[link]?.state === "fault",
      tables: this.lobby?.tables.filter((table) => table.link === link).length ?? 0,
    }));
    return all.toSorted((one, other) => other.tables - one.tables || one.link.localeCompare(other.link));
  }
}
