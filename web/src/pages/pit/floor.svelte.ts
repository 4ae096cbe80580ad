// The data of the pit: tables are loaded every two seconds, the house and the links when their feeds report an event.
import { get, type LinkView, type Schemas } from "../../lib/api";
import { type HouseChoice, proposalKind } from "../../lib/choices";
import { feed } from "../../lib/feed.svelte";
import { poll } from "../../lib/poll";
import { Question } from "../../lib/question.svelte";
import { rows } from "./rows";

const EVERY_MILLISECONDS = 2000;

class PitFloor {
  /** All tables, and when they were last loaded. */
  readonly tables = new Question<{ pit: Schemas["PitView"]; lobby: Schemas["Lobby"]; at: number }>();
  readonly people = new Question<Schemas["HouseView"]>();
  readonly #desks = new Question<Schemas["DeskView"][]>();
  links = $state.raw<ReadonlyMap<string, LinkView>>(new Map());
  pit = $derived(this.tables.answer?.pit);
  lobby = $derived(this.tables.answer?.lobby);
  now = $derived(this.tables.answer?.at ?? Date.now());
  house = $derived(this.people.answer);
  desks = $derived(this.#desks.answer ?? []);
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

  /** The beginning of the names of the Players that are shown, and how many pages of them. */
  #wanted = "";
  #pages = 1;
  #following = new Map<string, () => void>();

  /** Keeps the data up to date; returns how to stop. */
  start(): () => void {
    void this.loadAll();
    const stops = [poll(() => this.loadTables(), EVERY_MILLISECONDS), feed.follow("house", () => void this.loadAll())];
    return () => {
      for (const stop of [...stops, ...this.#following.values()]) stop();
      this.#following.clear();
    };
  }

  async loadAll(): Promise<void> {
    await this.loadTables();
    await this.loadHouse();
  }

  async loadTables(): Promise<void> {
    const found = await this.tables.look(async (signal) => {
      const [pit, lobby] = await Promise.all([get("/api/pit", { signal }), get("/api/lobby", { signal })]);
      return { pit, lobby, at: Date.now() };
    });
    for (const { link } of found?.lobby.links ?? []) this.#follow(link);
  }

  async loadHouse(): Promise<void> {
    const links = this.lobby?.links ?? [];
    await Promise.all([
      this.#loadPeople(),
      this.#desks.look((signal) =>
        Promise.all(links.map(({ link }) => get("/api/links/{link}/desk", { path: { link }, signal }))),
      ),
    ]);
    this.links = new Map([...this.desks.map((desk) => [desk.link.link, desk.link] as const), ...this.links]);
  }

  /** Shows the Players whose name begins like this. */
  findPlayers(name: string): Promise<void> {
    this.#wanted = name;
    this.#pages = 1;
    return this.#loadPeople();
  }

  /** Adds the Players after the last one shown. */
  morePlayers(): Promise<void> {
    this.#pages += 1;
    return this.#loadPeople();
  }

  /** Loads the house with as many pages of Players as are shown. */
  async #loadPeople(): Promise<void> {
    const [name, pages] = [this.#wanted, this.#pages];
    await this.people.look(async (signal) => {
      let house = await get("/api/house", { query: { name }, signal });
      for (let page = 1; page < pages && house.more_players; page += 1) {
        const after = house.players.at(-1)?.player ?? "";
        const next = await get("/api/house", { query: { name, after }, signal });
        house = { ...next, players: [...house.players, ...next.players] };
      }
      return house;
    });
  }

  #follow(link: string): void {
    if (this.#following.has(link)) return;
    const stop = feed.follow(`link/${link}`, ({ link: view }) => {
      if (view) this.links = new Map([...this.links, [link, view]]);
    });
    this.#following.set(link, stop);
  }
}

export const floor = new PitFloor();
