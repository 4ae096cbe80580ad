// At a table without staff a Player with one hand views it once its cards have arrived on a page that is being looked at.
// A Player with several chooses which one to view. At a table with staff the Player looks, never the page: a viewed hand
// changes what may be done about a misdeal (5.2).
import type { TableView } from "../../lib/api";
import { DEAL_STEP_MILLISECONDS, FLIGHT_MILLISECONDS, type Movement } from "./deal";
import type { Sitting } from "./sitting.svelte";

export class HandViewing {
  /** Whether the page is about to look at the cards: then its Player need not. */
  isComing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #viewedRound = 0;

  constructor(readonly sitting: Sitting) {}

  viewOnlyHand(table: TableView, moved: Movement): void {
    // It is asked for once in a round; after a refusal the Player may look.
    if (this.#viewedRound === table.round) return;
    clearTimeout(this.#timer);
    this.isComing = false;
    const viewable = this.sitting.choices("view-hand");
    const dealt = table.seats.filter((seat) => seat.yours && seat.cards.length > 0);
    const [only] = viewable;
    if (viewable.length !== 1 || dealt.length !== 1 || only === undefined) return;
    if (table.dealing !== "software" || table.staffing !== "automatic" || document.visibilityState !== "visible")
      return;
    const flight = moved.dealt.size * DEAL_STEP_MILLISECONDS + FLIGHT_MILLISECONDS;
    const view = async (): Promise<void> => {
      this.#viewedRound = table.round;
      await this.sitting.do(only.command);
      this.isComing = false;
    };
    this.isComing = true;
    this.#timer = setTimeout(view, moved.dealt.size > 0 ? flight : 0);
  }
}
