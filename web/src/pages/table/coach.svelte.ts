// The coach: the exact value of each choice, and what wrong choices cost.
import { get, type Schemas } from "../../lib/api";
import type { Sitting } from "./sitting.svelte";

type Coached = Schemas["Coached"];
type Advice = Schemas["AdviceAnswer"];

export class Coach {
  on = $state(localStorage.getItem("coach") === "on");
  #answer = $state.raw<Coached | undefined>(undefined);
  /** The answer for the round before, until the next one has ended. */
  #earlier = $state.raw<Coached | undefined>(undefined);

  constructor(readonly sitting: Sitting) {
    $effect(() => {
      const { view } = sitting;
      if (!this.on || view === undefined || sitting.player === undefined || view.stage.at === "bets-open") return;
      if (!view.seats.some((seat) => seat.yours && seat.viewed)) return;
      const asking = new AbortController();
      get("/api/tables/{table}/advice", { path: { table: view.table }, signal: asking.signal })
        .then((answer) => {
          if (this.#answer !== undefined && this.#answer.round !== answer.round) this.#earlier = this.#answer;
          this.#answer = answer;
        })
        .catch(() => undefined);
      return () => asking.abort();
    });
  }

  toggle(): void {
    this.on = !this.on;
    localStorage.setItem("coach", this.on ? "on" : "off");
  }

  /** The choices now with a hand that was viewed. */
  now(position: number): Advice | undefined {
    if (!this.on || this.#answer?.round !== this.sitting.view?.round) return undefined;
    return this.#answer?.hands.find((hand) => hand.position === position)?.now ?? undefined;
  }

  /** The hands of a round, with what their choices cost. */
  after(round: number): Coached["hands"] {
    const found = [this.#answer, this.#earlier].find((one) => one?.round === round);
    return this.on ? (found?.hands ?? []) : [];
  }
}
