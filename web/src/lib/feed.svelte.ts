// The live feed: one WebSocket for all streams a page follows. It reconnects automatically and continues after the last
// version received, so that no entry is missed or received twice.
import { backoff, forgetUnanswered, type Problem, readSent, type Schemas } from "./api";

export type FeedMessage = Schemas["FeedMessage"];

type Listener = (message: FeedMessage) => void;

export type Connection = "connecting" | "live" | "lost" | "signed-out";

const SIGNED_OUT = 4401;

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
  #timer: ReturnType<typeof setTimeout> | undefined;

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
    if (this.#socket === undefined) this.#connect();
    return () => this.#unfollow(stream, listener);
  }

  /** Says what meter amount the page shows, with the key of the house's signs. */
  show(stream: string, displayed: number, key: string): void {
    this.#send({ shown: stream, displayed, key });
  }

  /** Restarts the feed as the person signed in now. */
  reconnect(): void {
    this.#attempt = 0;
    this.connection = "connecting";
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    if (this.#streams.size > 0) this.#connect();
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
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      for (const [stream, known] of this.#streams) {
        known.fresh = true;
        this.#requestStream(stream);
      }
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(readSent(event.data as string) as FeedMessage | { problem: Problem });
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lose(event.code);
    };
  }

  #receive(message: FeedMessage | { problem: Problem }): void {
    this.connection = "live";
    this.#attempt = 0;
    if ("problem" in message) {
      this.problem = message.problem;
      return;
    }
    const known = this.#streams.get(message.stream);
    if (known === undefined) return;
    // The page shows the table as it is now, so a command given from here on is a new one.
    if (known.fresh && message.table != null) forgetUnanswered(message.stream);
    known.fresh = false;
    known.after = message.version;
    for (const listener of known.listeners) listener(message);
    this.onevents(message.events);
  }

  #lose(code: number): void {
    this.#socket = undefined;
    if (code === SIGNED_OUT) {
      this.connection = "signed-out";
      this.onended();
      return;
    }
    this.connection = "lost";
    this.#timer = setTimeout(() => this.#connect(), backoff(this.#attempt));
    this.#attempt += 1;
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
