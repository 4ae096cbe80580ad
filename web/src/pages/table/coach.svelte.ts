// The coach, for those who want one: the exact value of each choice, and what the choices made cost.
import { get, type Schemas } from "../../lib/api";
import type { Sitting } from "./sitting.svelte";

type Coached = Schemas["Coached"];
type Advice = Schemas["AdviceAnswer"];

export class Coach {
  on = $state(localStorage.getItem("coach") === "on");
  #said = $state.raw<Coached | undefined>(undefined);
  /** What was said of the round before, until the next one has ended. */
  #earlier = $state.raw<Coached | undefined>(undefined);

  constructor(readonly sitting: Sitting) {
    $effect(() => {
      const { view } = sitting;
      if (!this.on || view === undefined || sitting.player === undefined || view.stage.name === "bets_open") return;
      if (!view.seats.some((seat) => seat.yours && seat.viewed)) return;
      const asking = new AbortController();
      get("/api/tables/{table}/advice", { path: { table: view.table }, signal: asking.signal })
        .then((said) => {
          if (this.#said !== undefined && this.#said.round !== said.round) this.#earlier = this.#said;
          this.#said = said;
        })
        .catch(() => undefined);
      return () => asking.abort();
    });
  }

  toggle(): void {
    this.on = !this.on;
    localStorage.setItem("coach", this.on ? "on" : "off");
  }

  /** What there is to choose now with a hand that was viewed. */
  now(position: number): Advice | undefined {
    if (!this.on || this.#said?.round !== this.sitting.view?.round) return undefined;
    return this.#said?.hands.find((hand) => hand.position === position)?.now ?? undefined;
  }

  /** The hands of a round, with what their choices cost. */
  after(round: number): Coached["hands"] {
    const said = [this.#said, this.#earlier].find((one) => one?.round === round);
    return this.on ? (said?.hands ?? []) : [];
  }
}
