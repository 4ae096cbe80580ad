// What anybody may know of a jackpot, what a regulator reads of it, and a sign that stands still: seen in a browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, openBrowser, type Person, person } from "./browser";
import { Floor } from "./floor";
import { annAndBob, at, playUntil, staff, TWO_STRAIGHT_FLUSHES, wager } from "./scenes";

const KEY = "a sign on the wall by the cage";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start({ MEGALINK_FLOOR__SIGN_KEY: KEY, MEGALINK_FLOOR__DISPLAY_SECONDS: "1" });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

/** The digits of an amount as it is read on a page, in cents. */
const cents = (text: string | null) => Number((text ?? "").replace(/[^\d]/g, ""));

/** The amount in a row of a table, by the row's name. */
const inRow = async (page: Page, row: string | RegExp, cell: number): Promise<string> =>
  (await page.getByRole("row", { name: row }).first().getByRole("cell").nth(cell).textContent()) ?? "";

it("is explained to anybody: what it pays, how likely that is, how it grows", async () => {
  const { page, errors } = await person(browser, floor, "/sheet?link=Megalink");
  await page.getByRole("heading", { name: "Megalink", exact: true }).waitFor();
  const link = await (await page.request.get("/api/links/Megalink")).json();
  // The meter may grow by a round of the house's Players between the two looks.
  const shown = cents(await inRow(page, /On the meter now/, 0));
  expect(Math.abs(shown - link.displayed)).toBeLessThan(100_000);
  const stud = page.getByRole("region", { name: /Stud/ });
  const royal = stud.getByRole("row", { name: /Royal flush/i }).first();
  expect(cents(await royal.getByRole("cell").nth(1).textContent())).toBe(shown);
  // 4 of the 2,598,960 hands of five cards.
  expect(await royal.getByRole("cell").nth(2).textContent()).toBe("1 in 649,740");
  await checkAccessible(page);
  expect(errors).toEqual([]);
});

it("is read by the regulator, and agrees with what was wagered and won", async () => {
  const { manager, dealer } = await staff(floor);
  const before = (await manager.get("/api/links/Megalink/meters")).meters;
  await annAndBob(manager, dealer, "Read");
  await playUntil(dealer, "Read", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Read", { do: "settle" });

  const { page, errors } = await person(browser, floor, "/meters?link=Megalink", floor.account("Regulator"));
  await page.getByRole("heading", { name: "Megalink", exact: true }).waitFor();
  const { meters } = await manager.get("/api/links/Megalink/meters");
  expect(meters.awards.count - before.awards.count).toBe(2);
  expect(meters.wagers.count - before.wagers.count).toBeGreaterThanOrEqual(2);
  expect(Number(await inRow(page, /Awards from the meter/, 0))).toBe(meters.awards.count);
  const flush = page.getByRole("row", { name: /^Straight flush/ });
  expect(await flush.getByRole("cell").first().textContent()).toBe("2");
  await checkAccessible(page);
  expect(errors).toEqual([]);
});

/** A sign that no longer hears of its meter, and goes on showing what it last knew. */
async function frozenSign(): Promise<Person> {
  const wall = await person(browser, floor, "/");
  let first: string | undefined;
  await wall.context.route("**/api/links/Megalink", async (route) => {
    first ??= await (await route.fetch()).text();
    await route.fulfill({ contentType: "application/json", body: first });
  });
  await wall.context.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage(() => {});
  });
  await wall.page.goto(`/sign?link=Megalink#key=${encodeURIComponent(KEY)}`);
  await wall.page.locator("[data-testid=sign]").waitFor();
  return wall;
}

const faultAt = (page: Page) => page.getByText(/A sign shows another amount than the meter/).first();

it("says at the desk that a sign stands still, until two people clear it", async () => {
  const callers = await staff(floor);
  const wall = await frozenSign();
  await at(
    callers.dealer,
    "Read",
    { do: "begin-next-round" },
    { do: "open-bets" },
    wager(1, "ante", 5_000, "Ann"),
    wager(1, "jackpot", 500, "Ann"),
  );
  await playUntil(callers.dealer, "Read", "settling", "2s 7d 9c Kd 3c 9s 8h 4c 3d");
  await at(callers.dealer, "Read", { do: "settle" });

  const desk = await person(browser, floor, "/desk?link=Megalink", callers.manager.account);
  await faultAt(desk.page).waitFor();
  await checkAccessible(desk.page);
  await wall.context.close();

  await desk.page.getByRole("button", { name: "Propose to clear…" }).click();
  const clearing = desk.page.getByRole("dialog", { name: /Clear fault/ });
  await clearing.getByRole("textbox").fill("The sign had lost its network; it is plugged in again.");
  await clearing.getByRole("button", { name: "Sign the proposal" }).click();
  const again = desk.page.getByRole("dialog", { name: "Confirm your password" });
  await again.getByLabel("Password").fill(callers.manager.account.password);
  await again.getByRole("button", { name: "Sign", exact: true }).click();
  await clearing.waitFor({ state: "hidden" });
  await faultAt(desk.page).waitFor();
  const { proposals } = await callers.second.get("/api/pit");
  for (const { number } of proposals) {
    await callers.second.send("/api/house/commands", { do: "confirm", number });
  }
  await faultAt(desk.page).waitFor({ state: "hidden" });
  expect(desk.errors).toEqual([]);
});

it("shows a fault and what is pending together, on the sign", async () => {
  const { supervisor } = await staff(floor);
  const wall = await person(browser, floor, "/sign?link=Megalink");
  await wall.page.locator("[data-testid=sign][data-state=pending]").waitFor();
  await supervisor.send("/api/links/Megalink/commands", { do: "lose-table", table: "Read" });
  await wall.page.locator("[data-testid=sign][data-state=fault]").waitFor();
  const status = wall.page.getByRole("status");
  await status.getByText("Fault", { exact: true }).waitFor();
  await status.getByText("Pending", { exact: true }).waitFor();
  await status.getByText("No connection to: Read").waitFor();
  await checkAccessible(wall.page);
  await supervisor.send("/api/links/Megalink/commands", { do: "restore-table", table: "Read" });
  await wall.page.locator("[data-testid=sign][data-state=pending]").waitFor();
  expect(wall.errors).toEqual([]);
});
