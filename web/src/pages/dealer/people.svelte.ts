// Who is in the house: Players who may sit down, staff who may sign.
import { get, type Schemas } from "../../lib/api";
import type { HouseChoice } from "../../lib/choices";
import { holds } from "../../lib/offices";
import { Question } from "../../lib/question.svelte";

/** The commands that give a Player credits or chips. */
const GIVING: readonly Schemas["HouseCommand"]["do"][] = ["buy-in", "grant-credits"];

export interface Givers {
  choice: HouseChoice | undefined;
  managers: string[];
}

export class People {
  readonly #house = new Question<Schemas["HouseView"]>();
  /** The Players whose name begins as it was typed. */
  readonly #named = new Question<Schemas["HouseView"]>();

  get staff(): string[] {
    return this.#house.answer?.staff.map((one) => one.person) ?? [];
  }

  get players(): string[] {
    const found = (this.#named.answer ?? this.#house.answer)?.players ?? [];
    return found.filter((one) => !one.prohibited).map((one) => one.player);
  }

  async load(): Promise<void> {
    this.#named.forget();
    await this.#house.look((signal) => get("/api/house", { signal }));
  }

  /** Offers the Players whose name begins like this. */
  suggest(name: string): void {
    this.#named.ask(name, (signal) => get("/api/house", { query: { name, limit: 20 }, signal }));
  }

  /** Who gives credits and chips to a Player: the person here, by a choice of theirs, or else the managers by name. */
  async giversTo(player: string): Promise<Givers> {
    const house = await get("/api/house", { query: { name: player, limit: 20 } });
    const kind = house.players.find((one) => one.player === player)?.kind ?? "member";
    const choice = house.counter[kind].find(({ command }) => GIVING.includes(command.do));
    const managers = house.staff.filter((one) => one.department === "table-games" && holds(one, "pit-manager"));
    return { choice, managers: managers.map(({ person }) => person) };
  }

  /** Whether a Player of exactly this name is registered. */
  async isKnown(name: string): Promise<boolean> {
    const house = await get("/api/house", { query: { name, limit: 20 } });
    return house.players.some((one) => one.player === name);
  }
}
