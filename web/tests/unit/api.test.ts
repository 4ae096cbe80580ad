import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { address, backoff, command, get, getFile, post, Unanswered, Unreachable } from "../../src/lib/api";
import { ruleAddress } from "../../src/lib/clauses";

describe("addresses", () => {
  it("have their names filled in, whatever they hold", () => {
    expect(address("/api/tables/{table}/rounds", { table: "A b/c?" })).toBe("/api/tables/A%20b%2Fc%3F/rounds");
  });

  it("carry what was asked and nothing else", () => {
    expect(address("/api/audit/entries", {}, { stream: "table/1", after: 0, before: undefined })).toBe(
      "/api/audit/entries?stream=table%2F1&after=0",
    );
  });

  it("need every name", () => expect(() => address("/api/links/{link}")).toThrow("needs link"));

  it("lead from a clause to its rulebook", () => {
    expect(ruleAddress("MTHB9 3.10.2")).toBe("/rules?book=MTHB9#3.10.2");
  });
});

it("waits longer each time, but never long", () => {
  const waits = [0, 1, 2, 3, 4, 5, 20].map(backoff);
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
});

describe("an answer that is cut off in the middle", () => {
  const cutOff = (status: number, type: string): Response => {
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"stream":'));
        stream.error(new TypeError("network error"));
      },
    });
    return new Response(body, { status, headers: { "Content-Type": type } });
  };

  afterEach(() => vi.unstubAllGlobals());

  it("is no answer", async () => {
    for (const [status, type] of [
      [200, "application/json"],
      [409, "application/problem+json"],
    ] as const) {
      vi.stubGlobal("fetch", () => Promise.resolve(cutOff(status, type)));
      await expect(get("/api/me")).rejects.toBeInstanceOf(Unreachable);
      await expect(getFile("/api/me")).rejects.toBeInstanceOf(Unreachable);
    }
  });

  it("is asked for again with the same key", async () => {
    const keys: (string | null)[] = [];
    vi.stubGlobal("fetch", (_: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get("Idempotency-Key"));
      const done = new Response("{}", { headers: { "Content-Type": "application/json" } });
      return Promise.resolve(keys.length === 1 ? cutOff(200, "application/json") : done);
    });
    await command("MTHB9-1", { do: "close-bets" });
    expect(keys).toEqual([keys[0], keys[0]]);
  });
});

describe("a server that does not answer", () => {
  /** A network that is gone: nothing comes, until the browser stops waiting. */
  const silence = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_done, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
  const done = () => Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } }));

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("is not waited for without an end", async () => {
    vi.stubGlobal("fetch", silence);
    const asked = get("/api/me").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(13_000);
    expect(await asked).toBeInstanceOf(Unreachable);
  });

  it("is sent the command again with the same key", async () => {
    const keys: (string | null)[] = [];
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get("Idempotency-Key"));
      return keys.length === 1 ? silence(path, init) : done();
    });
    const given = command("MTHB9-1", { do: "close-bets" });
    await vi.advanceTimersByTimeAsync(13_000);
    await given;
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it("leaves no button dead for longer than a minute", async () => {
    vi.stubGlobal("fetch", silence);
    const given = command("MTHB9-1", { do: "close-bets" }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await given).toBeInstanceOf(Unanswered);
  });

  it("is waited for where hands are counted or much of the log is read", async () => {
    for (const path of ["/api/reports", "/api/lab/exact", "/api/tables/{table}/rounds/{round}/analysis"] as const) {
      vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
        const counted = new Promise((counts) => setTimeout(counts, 60_000));
        return counted.then(() => (signal?.aborted ? Promise.reject(signal.reason) : done()));
      });
      const form = { path: { table: "A", round: 1 } } as never;
      const asked = path === "/api/lab/exact" ? post(path, form) : get(path, form);
      await vi.advanceTimersByTimeAsync(61_000);
      await expect(asked).resolves.toEqual({});
    }
  });
});
