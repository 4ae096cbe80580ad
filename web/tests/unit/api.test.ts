import { afterEach, describe, expect, it, vi } from "vitest";
import { address, backoff, command, get, getFile, Unreachable } from "../../src/lib/api";
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
