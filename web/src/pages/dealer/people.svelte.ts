// Who is in the house: Players who may sit down, staff who may sign.
import { get, type Schemas } from "../../lib/api";
import { attempt } from "../../lib/notices.svelte";

export class People {
  players = $state.raw<string[]>([]);
  staff = $state.raw<string[]>([]);

  async load(): Promise<void> {
    const house = await attempt(() => get("/api/house"));
    this.staff = house?.staff.map((one) => one.person) ?? [];
    this.#offer(house?.players ?? []);
  }

  /** Offers the Players whose name begins like this. */
  async suggest(name: string): Promise<void> {
    const house = await attempt(() => get("/api/house", { query: { name, limit: 20 } }));
    if (house !== undefined) this.#offer(house.players);
  }

  /** Whether a Player of exactly this name is registered. */
  async isKnown(name: string): Promise<boolean> {
    const house = await get("/api/house", { query: { name, limit: 20 } });
    return house.players.some((one) => one.player === name);
  }

  #offer(players: Schemas["KnownPlayer"][]): void {
    this.players = players.filter((one) => !one.prohibited).map((one) => one.player);
  }
}
