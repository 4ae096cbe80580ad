// What every page knows about its house: what kind of money it plays for. A house has one currency from its opening on.
import type { components } from "./openapi";

export type Currency = components["schemas"]["Currency"];

const KEPT = "house-money";

class House {
  /** `undefined` in a browser that has never reached this house. */
  money = $state<Currency | undefined>(undefined);

  /** Resolves as soon as the currency is known, from an earlier visit or from the server, or cannot be known now. */
  async load(): Promise<void> {
    const kept = localStorage.getItem(KEPT);
    if (kept === "play" || kept === "real") this.money = kept;
    const asked = this.#ask().catch(() => undefined);
    if (this.money === undefined) await asked;
  }

  async #ask(): Promise<void> {
    const answer = await fetch("/version");
    if (!answer.ok) return;
    const { money } = (await answer.json()) as components["schemas"]["Running"];
    if (money == null) return;
    this.money = money;
    localStorage.setItem(KEPT, money);
  }
}

export const house = new House();
