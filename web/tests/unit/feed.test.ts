import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { feed as Feed } from "../../src/lib/feed.svelte";

let sockets: FakeSocket[] = [];
let page: { window: EventTarget; document: EventTarget & { hidden: boolean } };
let feed: typeof Feed;

/** A browser's socket whose other end is the test, or nobody. */
class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  sent: object[] = [];
  closed = false;
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor() {
    sockets.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  // A network that is gone brings no answer to a close.
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const news = (version: number) => ({ stream: "table/A", version, events: [] });
const newest = (): FakeSocket => sockets.at(-1) as FakeSocket;
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  sockets = [];
  page = { window: new EventTarget(), document: Object.assign(new EventTarget(), { hidden: false }) };
  vi.stubGlobal("window", page.window);
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("location", { protocol: "http:", host: "floor" });
  vi.stubGlobal("WebSocket", FakeSocket);
  ({ feed } = await import("../../src/lib/feed.svelte"));
  feed.follow("table/A", () => {});
  newest().open();
  newest().say(news(7));
});
afterEach(() => {
  vi.clearAllTimers();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("is live as long as the server says something", async () => {
  for (let time = 0; time < 60; time += 5) {
    await seconds(5);
    newest().say({ alive: true });
  }
  expect([feed.connection, sockets.length]).toEqual(["live", 1]);
});

it("is lost after twelve silent seconds, and connects again from the last version", async () => {
  await seconds(11);
  expect(feed.connection).toBe("live");
  await seconds(2);
  expect([feed.connection, sockets[0]?.closed]).toEqual(["lost", true]);
  await seconds(1);
  expect(sockets).toHaveLength(2);
  // What the old connection still brings is not shown.
  sockets[0]?.say(news(99));
  expect(feed.connection).toBe("lost");
  newest().open();
  expect(newest().sent).toEqual([{ follow: "table/A", after: 7 }]);
  newest().say(news(8));
  expect(feed.connection).toBe("live");
});

it("does not wait for ever for a connection that never opens", async () => {
  await seconds(14);
  await seconds(14);
  await seconds(14);
  expect(sockets.length).toBeGreaterThan(2);
});

it("is not live by a server that is there and has not said how things are", async () => {
  newest().onclose({ code: 1006 });
  await seconds(1);
  newest().open();
  newest().say({ alive: true });
  expect(feed.connection).toBe("lost");
  newest().say(news(8));
  expect(feed.connection).toBe("live");
});

it("asks again for a stream that cannot be followed at present", async () => {
  newest().onclose({ code: 1006 });
  await seconds(1);
  newest().open();
  newest().say({ problem: { status: 503, reason: "Unavailable" }, stream: "table/A" });
  expect(feed.connection).toBe("lost");
  await seconds(2);
  const asked = { follow: "table/A", after: 7 };
  expect(newest().sent).toEqual([asked, asked]);
  newest().say(news(8));
  expect([feed.connection, sockets.length]).toEqual(["live", 2]);
});

it("says why a stream is refused, and does not ask for it again", async () => {
  newest().say({ problem: { status: 404, reason: "NotFound" }, stream: "table/A" });
  await seconds(2);
  expect([feed.problem?.reason, newest().sent.length]).toEqual(["NotFound", 1]);
});

it("connects at once when the network is back", async () => {
  page.window.dispatchEvent(new Event("online"));
  expect([sockets.length, sockets[0]?.closed]).toEqual([2, true]);
});

it("is lost as soon as a computer that slept wakes up", async () => {
  // The timers slept too.
  vi.setSystemTime(Date.now() + 3_600_000);
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(feed.connection).toBe("lost");
});

it("connects at once when a page that lost it is looked at again", async () => {
  newest().onclose({ code: 1006 });
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(sockets).toHaveLength(2);
});

it("does not come back at the same moment as all other pages", async () => {
  const pauses = new Set<number>();
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const [before, count] = [Date.now(), sockets.length];
    newest().onclose({ code: 1006 });
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(10);
    pauses.add(Date.now() - before);
  }
  expect(pauses.size).toBeGreaterThan(4);
  // A server that is back is seen within two seconds.
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1500);
});
