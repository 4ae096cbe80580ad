// Who is in the house: Players who may sit down, staff who may sign.
import { get } from "../../lib/api";
import { attempt } from "../../lib/notices.svelte";

export class People {
  players = $state.raw<string[]>([]);
  staff = $state.raw<string[]>([]);

  async load(): Promise<void> {
    const house = await attempt(() => get("/api/house"));
    this.staff = house?.staff.map((one) => one.person) ?? [];
    this.players = house?.players.filter((one) => !one.prohibited).map((one) => one.player) ?? [];
  }

  addPlayer(player: string): void {
    this.players = [...this.players, player].sort();
  }
}
