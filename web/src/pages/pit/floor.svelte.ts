// The data of the pit: tables are loaded every two seconds, the house and the links when their feeds report an event.
import { get, type LinkView, type Schemas } from "../../lib/api";
import { type HouseChoice, proposalKind } from "../../lib/choices";
import { feed } from "../../lib/feed.svelte";
import { notices } from "../../lib/notices.svelte";
import { rows } from "./rows";

const EVERY_MILLISECONDS = 2000;

class PitFloor {
  pit = $state.raw<Schemas["PitView"] | undefined>(undefined);
  lobby = $state.raw<Schemas["Lobby"] | undefined>(undefined);
  house = $state.raw<Schemas["HouseView"] | undefined>(undefined);
  desks = $state.raw<Schemas["DeskView"][]>([]);
  links = $state.raw<ReadonlyMap<string, LinkView>>(new Map());
  /** When the tables were last loaded. */
  now = $state(Date.now());
  rows = $derived(rows(this.pit?.tables ?? [], this.lobby?.tables ?? []));
  proposals = $derived(this.pit?.proposals ?? []);

  /** Whether this person may give a command of the house, such as to open a table. */
  mayHouse(name: Schemas["HouseCommand"]["do"]): boolean {
    return this.house?.choices.some(({ command }) => command.do === name) ?? false;
  }

  /** Whether this person may propose something about the house, such as to appoint somebody. */
  mayPropose(kind: Schemas["Proposal"]["kind"]): boolean {
    return this.house?.choices.some((choice) => proposalKind(choice) === kind) ?? false;
  }

  /** The choice to propose something about a link. */
  proposalFor(link: string, kind: Schemas["Proposal"]["kind"]): HouseChoice | undefined {
    const desk = this.desks.find((one) => one.link.link === link);
    return desk?.may_propose.find((choice) => proposalKind(choice) === kind);
  }

  // The beginning of the names of the Players that are shown.
  #wanted = "";
  #following = new Map<string, () => void>();

  /** Keeps the data up to date; returns how to stop. */
  start(): () => void {
    this.loadAll();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") this.#quietly(() => this.loadTables());
    }, EVERY_MILLISECONDS);
    const stop = feed.follow("house", () => this.#quietly(() => this.#loadBoth()));
    return () => {
      clearInterval(timer);
      stop();
      for (const unfollow of this.#following.values()) unfollow();
      this.#following.clear();
    };
  }

  async loadAll(): Promise<void> {
    try {
      await this.#loadBoth();
    } catch (error) {
      notices.refuse(error);
    }
  }

  async #loadBoth(): Promise<void> {
    await this.loadTables();
    await this.loadHouse();
  }

  async loadTables(): Promise<void> {
    const [pit, lobby] = await Promise.all([get("/api/pit"), get("/api/lobby")]);
    this.pit = pit;
    this.now = Date.now();
    this.lobby = lobby;
    for (const { link } of lobby.links) this.#follow(link);
  }

  async loadHouse(): Promise<void> {
    const links = this.lobby?.links ?? [];
    const [house, ...desks] = await Promise.all([
      get("/api/house", { query: this.#wanted === "" ? {} : { name: this.#wanted } }),
      ...links.map(({ link }) => get("/api/links/{link}/desk", { path: { link } })),
    ]);
    this.house = house;
    this.desks = desks;
    this.links = new Map([...desks.map((desk) => [desk.link.link, desk.link] as const), ...this.links]);
  }

  /** Shows the Players whose name begins like this. */
  async findPlayers(name: string): Promise<void> {
    this.#wanted = name;
    const house = await get("/api/house", { query: { name } });
    if (this.#wanted === name) this.house = house;
  }

  /** Adds the Players after the last one shown. */
  async morePlayers(): Promise<void> {
    const shown = this.house;
    const after = shown?.players.at(-1)?.player;
    if (shown === undefined || after === undefined) return;
    const next = await get("/api/house", { query: { name: this.#wanted, after } });
    if (this.house === shown) this.house = { ...next, players: [...shown.players, ...next.players] };
  }

  #follow(link: string): void {
    if (this.#following.has(link)) return;
    const stop = feed.follow(`link/${link}`, ({ link: view }) => {
      if (view) this.links = new Map([...this.links, [link, view]]);
    });
    this.#following.set(link, stop);
  }

  // A failed request is repeated automatically.
  #quietly(load: () => Promise<void>): void {
    load().catch(() => undefined);
  }
}

export const floor = new PitFloor();
