import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { feed as Feed } from "../../src/lib/feed.svelte";
import type { session as Session } from "../../src/lib/session.svelte";

const ANN = {
  name: "Ann",
  kind: "player",
  office: null,
  guest: false,
  stepped_up: false,
  second_factor: "none" as const,
};
const GUEST = { ...ANN, name: "Robin", guest: true };

/** What the floor answers to a method and a path; nothing where it cannot be reached. */
let floor: (asked: string) => { status: number; body?: unknown } | undefined;
let asked: string[] = [];
let sockets: FakeSocket[] = [];
let feed: typeof Feed;
let session: typeof Session;

/** A browser's socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor() {
    sockets.push(this);
  }
  send(): void {}
  close(): void {}
}

const signedIn = (who: object | null) => ({ status: 200, body: { who } });
const refused = (status: number, reason: string) => ({ status, body: { status, reason, detail: reason } });

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  asked = [];
  sockets = [];
  vi.stubGlobal("location", { protocol: "http:", host: "floor", pathname: "/table", search: "?table=A" });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (address: string, { method }: { method: string }) => {
    asked.push(`${method} ${address}`);
    const answer = floor(`${method} ${address}`);
    if (answer === undefined) throw new TypeError("no way there");
    const type = answer.status < 400 ? "application/json" : "application/problem+json";
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: { "Content-Type": type } });
  });
  ({ feed } = await import("../../src/lib/feed.svelte"));
  ({ session } = await import("../../src/lib/session.svelte"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Ann is signed in on a page that follows a table. */
async function annWatches(): Promise<void> {
  floor = () => signedIn(ANN);
  await session.loadUntilKnown();
  feed.follow("table/A", () => {});
}

describe("who is signed in", () => {
  it("is looked up until it is known, and nobody is a visitor before", async () => {
    let attempts = 0;
    floor = () => {
      attempts += 1;
      return attempts < 3 ? undefined : signedIn(ANN);
    };
    const looking = session.loadUntilKnown();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.known).toBe(false);
    await vi.runAllTimersAsync();
    await looking;
    expect([session.known, session.who?.name]).toEqual([true, "Ann"]);
  });

  it("is nobody once the session has ended, and the page says so and goes on as a visitor's", async () => {
    await annWatches();
    floor = () => signedIn(null);
    sockets[0]?.onclose({ code: 4401 });
    await vi.runAllTimersAsync();
    expect([session.who, session.ended, feed.connection]).toEqual([undefined, true, "connecting"]);
    expect(sockets).toHaveLength(2);
  });

  it("is the same person where another page only repeated the password", async () => {
    await annWatches();
    sockets[0]?.onclose({ code: 4401 });
    await vi.runAllTimersAsync();
    expect([session.who?.name, session.ended, sockets.length]).toEqual(["Ann", false, 2]);
  });

  it("is not cleared by a session that the page itself replaces", async () => {
    await annWatches();
    floor = () => ({ status: 200, body: { token: "t", who: ANN } });
    const repeated = session.stepUp("secret");
    sockets[0]?.onclose({ code: 4401 });
    await repeated;
    floor = () => signedIn(null);
    await vi.runAllTimersAsync();
    expect([session.who?.name, session.ended]).toEqual(["Ann", false]);
  });

  it("is nobody after signing out, even of a session that had ended", async () => {
    await annWatches();
    floor = () => refused(401, "SignedOut");
    await session.signOut();
    expect([session.who, session.ended]).toEqual([undefined, false]);
  });

  it("stays who it is where signing out fails", async () => {
    await annWatches();
    floor = () => refused(503, "Unavailable");
    await expect(session.signOut()).rejects.toThrow("Unavailable");
    expect(session.who?.name).toBe("Ann");
  });
});

it("a command that was not answered is another one once the table was seen again", async () => {
  await annWatches();
  const { command } = await import("../../src/lib/api");
  const keys: string[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers["Idempotency-Key"] ?? "");
    throw new TypeError("no way there");
  });
  const give = async () => {
    const given = command("A", { do: "open-bets" }).catch(() => undefined);
    await vi.runAllTimersAsync();
    return given;
  };
  const receive = () =>
    sockets[0]?.onmessage({ data: JSON.stringify({ stream: "table/A", version: 1, events: [], table: {} }) });
  receive();
  await give();
  receive();
  await give();
  expect(new Set(keys).size, "the feed was never gone").toBe(1);
  sockets[0]?.onopen();
  receive();
  await give();
  expect(new Set(keys).size).toBe(2);
});

it("a guest who comes in twice at once is one guest", async () => {
  floor = () => ({ status: 200, body: { token: "t", who: GUEST } });
  await Promise.all([session.comeInAsGuest(), session.comeInAsGuest()]);
  expect(asked).toEqual(["POST /api/session/guest"]);
  expect(session.who?.name).toBe("Robin");
});

it("a guest who is refused may ask again", async () => {
  floor = () => refused(429, "TooManyRequests");
  await expect(session.comeInAsGuest()).rejects.toThrow();
  floor = () => ({ status: 200, body: { token: "t", who: GUEST } });
  await session.comeInAsGuest();
  expect(session.who?.name).toBe("Robin");
});
