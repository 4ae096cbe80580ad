// How a person gets a position: as a guest where the house admits guests, or once a position is free.
import { get, type TableView } from "../../lib/api";
import { about, type CommandName } from "../../lib/choices";
import { attempt, notices } from "../../lib/notices.svelte";
import { retryUntilReached } from "../../lib/question.svelte";
import { session } from "../../lib/session.svelte";
import type { Sitting } from "./sitting.svelte";
import { say } from "./words";

export class Arrival {
  /** Whether this person wants a position and has none yet. */
  wanted = $state(false);
  /** Whether the house admits guests, once that is known. */
  guestsAdmitted = $state<boolean | undefined>(undefined);

  /** For how many minutes this guest had sent no command when their seat was given up without them. */
  away = $state<number | undefined>(undefined);
  /** When this person last sent a command, and whether it was to leave. */
  #sent = { at: Date.now(), leaves: false };

  constructor(readonly sitting: Sitting) {}

  /** This person sends a command to the table. */
  sends(name: CommandName): void {
    this.#sent = { at: Date.now(), leaves: name === "leave-position" };
  }

  /** Notes whether a guest has lost their seat. The floor gives up the seat of a guest who has been away for long. */
  seatsChanged(before: TableView | undefined, table: TableView): void {
    const sits = ({ seats }: TableView): boolean => seats.some((seat) => seat.yours);
    if (sits(table)) this.away = undefined;
    else if (before !== undefined && sits(before) && session.who?.guest === true && !this.#sent.leaves)
      this.away = Math.floor((Date.now() - this.#sent.at) / 60_000);
  }

  /** Takes a seat again. */
  sitAgain(): void {
    this.wanted = true;
    if (this.sitting.view !== undefined) this.sitDown(this.sitting.view);
  }

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
    if (session.who === undefined) await attempt(() => session.comeInAsGuest());
    if (session.who === undefined) return;
    this.sitting.focus = position;
    await this.sitting.act({ do: "take-position", position, player: session.who.name });
    this.wanted = false;
  }

  /** Takes one of the free positions. Somebody else may be quicker: then the next one is tried, and nothing is said. */
  async #takeOneOf(positions: readonly number[], player: string): Promise<void> {
    const { sitting } = this;
    sitting.busy = true;
    for (const position of positions) {
      if (await sitting.attempt({ do: "take-position", position, player })) {
        sitting.focus = position;
        this.wanted = false;
        break;
      }
    }
    sitting.busy = false;
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
      notices.show(say.allTaken, "refusal");
      return;
    }
    const free = this.sitting.choices("take-position").map(({ command }) => about(command).position ?? 0);
    const middle = (table.positions + 1) / 2;
    const nearest = free.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
    if (nearest.length === 0 || this.sitting.busy || session.who === undefined) return;
    void this.#takeOneOf(nearest, session.who.name);
  }
}
