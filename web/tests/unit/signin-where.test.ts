import { describe, expect, it } from "vitest";
import { destination, isOurs, passwordFault } from "../../src/pages/signin/where";

const who = (office: "dealer" | "pit-supervisor" | "gaming-shift-manager" | null) => ({
  name: "Ann",
  kind: office === null ? ("player" as const) : ("staff" as const),
  office,
  guest: false,
  stepped_up: false,
  second_factor: "none" as const,
});

describe("after signing in", () => {
  it("everybody goes where their office works", () => {
    expect(destination(who("dealer"), null)).toBe("/dealer");
    expect(destination(who("pit-supervisor"), null)).toBe("/pit");
    expect(destination(who("gaming-shift-manager"), null)).toBe("/pit");
    expect(destination(who(null), null)).toBe("/");
  });
  it("the page that was asked for comes first", () => {
    expect(destination(who(null), "/table?table=MTHB9-1")).toBe("/table?table=MTHB9-1");
  });
  it.each([
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "/\\elsewhere.example",
    "javascript:alert(1)",
    "/signin?to=/",
    "",
  ])("%s is not gone to", (address) => {
    expect(isOurs(address)).toBe(false);
    expect(destination(who("dealer"), address)).toBe("/dealer");
  });
});

describe("a new password", () => {
  it("has twelve characters at least, and is written twice", () => {
    expect(passwordFault("short", "")).toMatch(/twelve characters/);
    expect(passwordFault("0123456789ab", "0123456789ax")).toMatch(/not the same/);
    expect(passwordFault("0123456789ab", "0123456789ab")).toBeUndefined();
    expect(passwordFault("x".repeat(257), "")).toMatch(/too long/);
  });
});
