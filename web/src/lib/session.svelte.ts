// Who is signed in.
import { forgetUnanswered, get, backoff, pause, post, Refused, remove, type Schemas } from "./api";
import { feed } from "./feed.svelte";

/** When another page of this browser ends the session itself, its new cookie arrives within this time. */
const COOKIE_MILLISECONDS = 500;

class Session {
  who = $state<Schemas["Holder"] | undefined>(undefined);
  /** Whether it is known yet who is signed in. */
  known = $state(false);
  /** Whether the session of the person here has ended, and nobody else has signed in since. */
  ended = $state(false);
  #guest: Promise<void> | undefined;
  /** The sign-in or sign-out under way. */
  #changing: Promise<unknown> | undefined;
  /** Counts sign-ins and sign-outs here, so that an older answer is ignored. */
  #changes = 0;

  constructor() {
    feed.onended = () => void this.#checkWhoIsSignedIn();
  }

  async load(): Promise<void> {
    const changes = this.#changes;
    const who = (await get("/api/session")).who ?? undefined;
    if (changes === this.#changes) this.who = who;
    this.known = true;
  }

  /** Retries until it is known: a failed request does not mean that nobody is signed in. */
  async loadUntilKnown(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.load();
      } catch {
        await pause(backoff(attempt));
      }
    }
  }

  /** Signs in as a guest. A second call while the first is under way gives the same guest. */
  comeInAsGuest(name?: string): Promise<void> {
    this.#guest ??= this.#change(async () => {
      const { who } = await post("/api/session/guest", { body: name === undefined ? {} : { name } });
      this.#start(who);
    }).finally(() => {
      this.#guest = undefined;
    });
    return this.#guest;
  }

  signIn(name: string, password: string, code?: string): Promise<void> {
    const body = { name, password, ...(code === undefined ? {} : { code }) };
    return this.#change(async () => this.#start((await post("/api/session", { body })).who));
  }

  /** Sends the password again, with a code where there is a second factor: payments and adjustments need it. */
  stepUp(password: string, code?: string): Promise<void> {
    const body = { password, ...(code === undefined ? {} : { code }) };
    return this.#change(async () => this.#start((await post("/api/session/step-up", { body })).who));
  }

  signOut(): Promise<void> {
    return this.#change(async () => {
      try {
        await remove("/api/session");
      } catch (error) {
        // A session that has ended already needs no sign-out.
        if (!(error instanceof Refused && error.problem.reason === "SignedOut")) throw error;
      }
      this.#start(undefined);
    });
  }

  #change(work: () => Promise<void>): Promise<void> {
    const changing = work();
    this.#changing = changing;
    return changing;
  }

  #start(who: Schemas["Holder"] | undefined): void {
    this.#changes += 1;
    // Another person's commands need keys of their own.
    if (who?.name !== this.who?.name) forgetUnanswered();
    this.who = who;
    this.known = true;
    this.ended = false;
    feed.reconnect();
  }

  /** The session has ended: by a sign-in or sign-out here, by one on another page of this browser, or it has expired. */
  async #checkWhoIsSignedIn(): Promise<void> {
    await pause(COOKIE_MILLISECONDS);
    await this.#changing?.catch(() => undefined);
    // A sign-in or sign-out here has restarted the feed already.
    if (feed.connection !== "signed-out") return;
    const before = this.who;
    await this.loadUntilKnown();
    if (feed.connection !== "signed-out") return;
    this.ended = before !== undefined && this.who === undefined;
    feed.reconnect();
  }
}

export const session = new Session();

/** The sign-in page, which comes back to `back`. */
export const signInAddress = (back = location.pathname + location.search): string =>
  `/signin?to=${encodeURIComponent(back)}`;
