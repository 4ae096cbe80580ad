// The live feed: one WebSocket for all streams a page follows. It reconnects automatically and continues after the last
// version received, so that no entry is missed or received twice. A network that is gone closes nothing, so a feed that is
// silent is lost too.
import { backoff, forgetUnanswered, type Problem, readSent, type Schemas, SILENT_MILLISECONDS } from "./api";

export type FeedMessage = Schemas["FeedMessage"];

type Listener = (message: FeedMessage) => void;

export type Connection = "connecting" | "live" | "lost" | "signed-out";

/** What the server sends: news of a stream, why it refused a message or does not follow a stream, or that it is there although
 * there is no news. */
type Sent = FeedMessage | { problem: Problem; stream?: string } | { alive: true };

const SIGNED_OUT = 4401;

/** How often it is checked whether the feed is silent. */
const CHECK_MILLISECONDS = 1000;

/** The longest pause before the next attempt. */
const PAUSE_MILLISECONDS_MAX = 1500;

interface Followed {
  after: number | undefined;
  /** Whether the next message is the first of this connection. */
  fresh: boolean;
  listeners: Set<Listener>;
}

class Feed {
  connection = $state<Connection>("connecting");
  /** Why the server refused a stream that the page asked to follow. */
  problem = $state<Problem | undefined>(undefined);
  /** Called when the session has ended. Finds out who is signed in now and restarts the feed as that person. */
  onended: () => void = () => this.reconnect();
  /** Called with every event received, whichever stream it is of. */
  onevents: (events: FeedMessage["events"]) => void = () => undefined;
  #streams = new Map<string, Followed>();
  #socket: WebSocket | undefined;
  #attempt = 0;
  /** Set while the next connection is waited for. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When something was last received, or the connection was begun. */
  #heard = 0;

  constructor() {
    // Some tests use this without a page.
    if (typeof window === "undefined") return;
    // A network that is back is often another one, which the old connection knows nothing of.
    window.addEventListener("online", () => this.#restart());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      if (this.connection === "lost") this.#restart();
      else this.#checkSilence();
    });
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.#restart());
    setInterval(() => this.#checkSilence(), CHECK_MILLISECONDS);
  }

  /** Follows a stream, from the version after `after`; returns how to stop. */
  follow(stream: string, listener: Listener, after?: number): () => void {
    const known = this.#streams.get(stream);
    if (known === undefined) {
      this.#streams.set(stream, { after, fresh: true, listeners: new Set([listener]) });
      this.#requestStream(stream);
    } else {
      known.listeners.add(listener);
      // A listener that wants earlier entries gets the stream again from there.
      if (after !== undefined && (known.after === undefined || after < known.after)) {
        known.after = after;
        this.#requestStream(stream);
      }
    }
    if (this.#socket === undefined && this.#timer === undefined) this.#connect();
    return () => this.#unfollow(stream, listener);
  }

  /** Says what meter amount the page shows, with the key of the house's signs. */
  show(stream: string, displayed: number, key: string): void {
    this.#send({ shown: stream, displayed, key });
  }

  /** Restarts the feed as the person signed in now. */
  reconnect(): void {
    this.connection = "connecting";
    this.#drop();
    this.#attempt = 0;
    if (this.#streams.size > 0) this.#connect();
  }

  /** Connects at once, where the connection is lost or may be. */
  #restart(): void {
    if (this.#streams.size === 0 || this.connection === "signed-out") return;
    this.connection = "lost";
    this.#drop();
    this.#attempt = 0;
    this.#connect();
  }

  /** A computer that slept wakes with a connection that the server has closed long ago: the clock knows, no timer does. */
  #checkSilence(): void {
    if (this.#socket === undefined || Math.abs(Date.now() - this.#heard) < SILENT_MILLISECONDS) return;
    this.#drop();
    this.#lose();
  }

  /** Closes the connection; what it still brings is ignored. */
  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #unfollow(stream: string, listener: Listener): void {
    const known = this.#streams.get(stream);
    known?.listeners.delete(listener);
    if (known?.listeners.size === 0) {
      this.#streams.delete(stream);
      this.#send({ unfollow: stream });
    }
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/feed`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      for (const [stream, known] of this.#streams) {
        known.fresh = true;
        this.#requestStream(stream);
      }
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(readSent(event.data as string) as Sent);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      if (event.code === SIGNED_OUT) {
        this.connection = "signed-out";
        this.onended();
      } else this.#lose();
    };
  }

  #receive(message: Sent): void {
    this.#heard = Date.now();
    if ("problem" in message) this.#refused(message.problem, message.stream);
    else if ("stream" in message) this.#news(message);
    // A server that is there has not yet said how things are.
    if ([...this.#streams.values()].some(({ fresh }) => fresh)) return;
    this.connection = "live";
    this.#attempt = 0;
  }

  #news(message: FeedMessage): void {
    const known = this.#streams.get(message.stream);
    if (known === undefined) return;
    // The page shows the table as it is now, so a command given from here on is a new one.
    if (known.fresh && message.table != null) forgetUnanswered(message.stream);
    known.fresh = false;
    known.after = message.version;
    for (const listener of known.listeners) listener(message);
    this.onevents(message.events);
  }

  #refused(problem: Problem, stream: string | undefined): void {
    const known = stream === undefined ? undefined : this.#streams.get(stream);
    if (known === undefined || stream === undefined || problem.status !== 503) {
      this.problem = problem;
      if (known !== undefined) known.fresh = false;
      return;
    }
    // It cannot be followed at present. Until it is, the page does not show how things are.
    known.fresh = true;
    this.connection = "lost";
    const socket = this.#socket;
    setTimeout(() => {
      if (socket === this.#socket && this.#streams.get(stream) === known) this.#requestStream(stream);
    }, this.#pause());
  }

  #lose(): void {
    this.connection = "lost";
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connect();
    }, this.#pause());
  }

  /** How long to wait before the next attempt. All pages lose a server at the same moment, and must not all come back at the
   * same moment. */
  #pause(): number {
    const longest = Math.min(backoff(this.#attempt), PAUSE_MILLISECONDS_MAX);
    this.#attempt += 1;
    return longest * (0.5 + Math.random() / 2);
  }

  #requestStream(stream: string): void {
    const after = this.#streams.get(stream)?.after;
    this.#send(after === undefined ? { follow: stream } : { follow: stream, after });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

export const feed = new Feed();
