// How a person gets a position: as a guest where the house admits guests, or once a position is free.
import { get, type TableView } from "../../lib/api";
import { about } from "../../lib/choices";
import { attempt, notices } from "../../lib/notices.svelte";
import { retryUntilReached } from "../../lib/question.svelte";
import { session } from "../../lib/session.svelte";
import type { Sitting } from "./sitting.svelte";

export class Arrival {
  /** Whether this person wants a position and has none yet. */
  wanted = $state(false);
  /** Whether the house admits guests, once that is known. */
  guestsAdmitted = $state<boolean | undefined>(undefined);

  constructor(readonly sitting: Sitting) {}

  /** Whether nobody is signed in. After a session has ended the same person signs in again, so that does not count. */
  get isSignedOut(): boolean {
    return session.known && session.who === undefined && !session.ended;
  }

  /** Whether this person may sit down as a guest. */
  get mayBeGuest(): boolean {
    return this.isSignedOut && this.guestsAdmitted === true && this.sitting.view?.open === true;
  }

  async askWhetherGuestsAreAdmitted(): Promise<void> {
    const lobby = await retryUntilReached(() => get("/api/lobby")).catch(() => undefined);
    this.guestsAdmitted = lobby?.guests ?? false;
  }

  async comeInAsGuest(): Promise<void> {
    await attempt(() => session.comeInAsGuest());
    if (session.who === undefined) this.wanted = false;
  }

  async take(position: number): Promise<void> {
    this.wanted = false;
    if (session.who === undefined) await attempt(() => session.comeInAsGuest());
    if (session.who === undefined) return;
    this.sitting.focus = position;
    await this.sitting.act({ do: "take-position", position, player: session.who.name });
  }

  /** Takes the free position nearest the middle, where one is wanted. */
  sitDown(table: TableView): void {
    if (!this.wanted) return;
    if (table.seats.some((seat) => seat.yours)) {
      this.wanted = false;
      return;
    }
    if (!table.open || table.seats.every((seat) => seat.holder != null)) {
      this.wanted = false;
      notices.show("Every position here is taken: you are watching. The lobby has other tables.", "refusal");
      return;
    }
    const free = this.sitting.choices("take-position").map(({ command }) => about(command).position ?? 0);
    const middle = (table.positions + 1) / 2;
    const nearest = free.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
    if (nearest === undefined || this.sitting.busy) return;
    void this.take(nearest);
  }
}
