// Who is signed in.
import { forgetUnanswered, get, backoff, pause, post, Refused, remove, type Schemas } from "./api";
import { feed } from "./feed.svelte";

/** How long another page of this browser may take to be given its new cookie, when it ends the old session itself. */
const COOKIE_MILLISECONDS = 500;

class Session {
  who = $state<Schemas["Holder"] | undefined>(undefined);
  /** Whether it is known yet who is signed in. */
  known = $state(false);
  /** Whether somebody was signed in here whose session has ended, and nobody is in their place. */
  ended = $state(false);
  #guest: Promise<void> | undefined;
  /** Signing in or out that is under way. */
  #changing: Promise<unknown> | undefined;
  /** How often somebody signed in or out here: what was looked up before counts no more. */
  #changes = 0;

  constructor() {
    feed.onended = () => void this.#lookWhoIsLeft();
  }

  async look(): Promise<void> {
    const changes = this.#changes;
    const who = (await get("/api/session")).who ?? undefined;
    if (changes === this.#changes) this.who = who;
    this.known = true;
  }

  /** Looks until it is known: a look that fails makes nobody a visitor. */
  async lookUntilKnown(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.look();
      } catch {
        await pause(backoff(attempt));
      }
    }
  }

  /** Comes in as a guest. Asked again while that is under way, it is the same guest. */
  comeInAsGuest(name?: string): Promise<void> {
    this.#guest ??= this.#change(async () => {
      const { who } = await post("/api/session/guest", { body: name === undefined ? {} : { name } });
      this.#begin(who);
    }).finally(() => {
      this.#guest = undefined;
    });
    return this.#guest;
  }

  signIn(name: string, password: string): Promise<void> {
    return this.#change(async () => this.#begin((await post("/api/session", { body: { name, password } })).who));
  }

  /** Repeats the password, for payments and adjustments. */
  stepUp(password: string): Promise<void> {
    return this.#change(async () => this.#begin((await post("/api/session/step-up", { body: { password } })).who));
  }

  signOut(): Promise<void> {
    return this.#change(async () => {
      try {
        await remove("/api/session");
      } catch (error) {
        // Whose session has ended already is signed out.
        if (!(error instanceof Refused && error.problem.reason === "SignedOut")) throw error;
      }
      this.#begin(undefined);
    });
  }

  #change(work: () => Promise<void>): Promise<void> {
    const changing = work();
    this.#changing = changing;
    return changing;
  }

  #begin(who: Schemas["Holder"] | undefined): void {
    this.#changes += 1;
    // Somebody else gives commands under keys of their own.
    if (who?.name !== this.who?.name) forgetUnanswered();
    this.who = who;
    this.known = true;
    this.ended = false;
    feed.reconnect();
  }

  /** The session has ended: by signing in or out here, on another page of this browser, or for good. */
  async #lookWhoIsLeft(): Promise<void> {
    await pause(COOKIE_MILLISECONDS);
    await this.#changing?.catch(() => undefined);
    // Somebody who signed in or out here has begun the feed anew.
    if (feed.connection !== "signed-out") return;
    const before = this.who;
    await this.lookUntilKnown();
    if (feed.connection !== "signed-out") return;
    this.ended = before !== undefined && this.who === undefined;
    feed.reconnect();
  }
}

export const session = new Session();

/** Where to sign in, and to come back here from. */
export const signInAddress = (back = location.pathname + location.search): string =>
  `/signin?to=${encodeURIComponent(back)}`;
