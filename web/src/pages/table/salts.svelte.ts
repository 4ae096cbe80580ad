// The Player's own randomness in the shuffle. This page keeps a chain of salts for each Player and table: it commits to
// the end of the chain, and opens the next salt when the shuffle waits for it. The house draws its seed between the two.
import { command, type EventView, type TableView } from "../../lib/api";
import { fill } from "../../lib/choices";
import { notices } from "../../lib/notices.svelte";
import { hex, link } from "./shuffle";
import type { Sitting } from "./sitting.svelte";
import { say } from "./words";

/** How many salts a chain has, and how many are left when the next one is committed to. */
const SALTS = 200;
const FEW = 10;

/** How many chains are kept: the present one, and those it replaces from the next round on. */
const CHAINS = 3;

const OFF = "megalink.salts.off";

interface Next {
  salt: string;
  /** How many salts come after it. */
  left: number;
}

export class Salts {
  /** Whether new chains are committed to. One that was committed to is opened in any case. */
  on = $state(sessionStorage.getItem(OFF) === null);
  /** The next salt by the hash that commits to it. */
  readonly #next = new Map<string, Next>();
  #loadedFor = "";
  #work: Promise<void> | undefined;
  #again = false;
  /** A chain of another tab is replaced once, so that two tabs do not take turns for ever. */
  #replaced = false;

  constructor(readonly sitting: Sitting) {}

  turn(on: boolean): void {
    this.on = on;
    if (on) sessionStorage.removeItem(OFF);
    else sessionStorage.setItem(OFF, "1");
    void this.attend();
  }

  /** Tells the Player where a salt came too late. */
  tell(events: readonly EventView[]): void {
    const { player } = this.sitting;
    const dropped = (event: EventView): boolean =>
      event.kind === "salts-withheld" && (event.data.players ?? []).some((one) => one === player);
    if (player !== undefined && events.some(dropped)) {
      notices.show(say.shuffles.tooLate);
    }
  }

  /** Opens the salt that is awaited, or commits to a chain where there is none; what comes meanwhile is seen to after. */
  attend(): Promise<void> {
    this.#again = this.#work !== undefined;
    this.#work ??= this.#attend().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async #attend(): Promise<void> {
    do {
      this.#again = false;
      const { player, view } = this.sitting;
      if (player === undefined || view?.shuffle == null || crypto.subtle === undefined) return;
      try {
        await this.#load(player);
        if (!(await this.#open(view))) await this.#commit(view, player);
      } catch {
        // The table goes on without this salt.
      }
    } while (this.#again);
  }

  async #open(view: TableView): Promise<boolean> {
    const [choice] = this.sitting.choices("open-salt");
    const next = this.#next.get(view.shuffle?.own_anchor ?? "");
    if (choice === undefined || next === undefined) return false;
    await command(this.sitting.name, fill(choice, { salt: next.salt }));
    return true;
  }

  async #commit(view: TableView, player: string): Promise<void> {
    const [choice] = this.sitting.choices("commit-salts");
    const anchor = view.shuffle?.own_next_anchor ?? view.shuffle?.own_anchor ?? undefined;
    const next = anchor === undefined ? undefined : this.#next.get(anchor);
    if (!this.on || choice === undefined || (next !== undefined && next.left >= FEW)) return;
    if (anchor !== undefined && next === undefined) {
      if (this.#replaced) return;
      this.#replaced = true;
    }
    const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
    const end = await this.#compute(player, secret);
    const kept = [...this.#secrets(player), secret].slice(-CHAINS);
    sessionStorage.setItem(this.#key(player), JSON.stringify(kept));
    await command(this.sitting.name, fill(choice, { anchor: end }));
  }

  #key(player: string): string {
    return `megalink.salts.${this.sitting.name}.${player}`;
  }

  #secrets(player: string): string[] {
    return JSON.parse(sessionStorage.getItem(this.#key(player)) ?? "[]") as string[];
  }

  /** The chains that this tab has committed to. */
  async #load(player: string): Promise<void> {
    if (this.#loadedFor === player) return;
    this.#next.clear();
    for (const secret of this.#secrets(player)) await this.#compute(player, secret);
    this.#loadedFor = player;
  }

  /** Hashes a secret to the end of its chain, which is the anchor. */
  async #compute(player: string, secret: string): Promise<string> {
    let salt = secret;
    for (let left = 0; left < SALTS; left += 1) {
      const after = await link(this.sitting.name, player, salt);
      this.#next.set(after, { salt, left });
      salt = after;
    }
    return salt;
  }
}
