import { expect, test } from "vitest";
import { actingName, postName } from "../../src/lib/offices";

test("an office held for a time is called acting, until it is over", () => {
  const acting = { office: "pit-supervisor", from: 1000, until: 2000 } as const;
  expect(actingName(acting, 1500)).toMatch(/^acting Pit Supervisor until /);
  expect(actingName(acting, 500)).toMatch(/^acting Pit Supervisor from .+ until /);
  expect(actingName(acting, 2000)).toBeUndefined();
  expect(actingName(null, 1500)).toBeUndefined();
  expect(postName({ office: "pit-supervisor", acting: true })).toBe("acting Pit Supervisor");
  expect(postName({ office: "pit-supervisor" })).toBe("Pit Supervisor");
});
