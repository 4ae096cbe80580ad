import { describe, expect, it } from "vitest";
import { address, backoff } from "../../src/lib/api";
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
