// Who is signed in.
import { get, post, remove, type Schemas } from "./api";
import { feed } from "./feed.svelte";

class Session {
  who = $state<Schemas["Holder"] | undefined>(undefined);
  /** Whether the server has been asked yet. */
  known = $state(false);

  async look(): Promise<void> {
    this.who = (await get("/api/session")).who ?? undefined;
    this.known = true;
  }

  async comeInAsGuest(name?: string): Promise<void> {
    this.#begin((await post("/api/session/guest", { body: name === undefined ? {} : { name } })).who);
  }

  async signIn(name: string, password: string): Promise<void> {
    this.#begin((await post("/api/session", { body: { name, password } })).who);
  }

  /** Repeats the password, for payments and adjustments. */
  async stepUp(password: string): Promise<void> {
    const begun = await post("/api/session/step-up", { body: { password } });
    this.#begin(begun.who);
  }

  async signOut(): Promise<void> {
    await remove("/api/session");
    this.who = undefined;
    feed.reconnect();
  }

  #begin(who: Schemas["Holder"]): void {
    this.who = who;
    this.known = true;
    feed.reconnect();
  }
}

export const session = new Session();

const OFFICES = ["dealer", "pit_supervisor", "pit_manager", "gaming_shift_manager"] as const;
export type Office = (typeof OFFICES)[number];

/** Whether somebody holds an office or a higher one. */
export function holds(who: Schemas["Holder"] | undefined, office: Office): boolean {
  const held = who?.office;
  return held !== undefined && held !== null && OFFICES.indexOf(held) >= OFFICES.indexOf(office);
}
