// Every page, from the width of a small phone to that of a wall, dark and light: nothing overflows, nothing fails, nobody
// is kept out, and the keyboard gets to what matters.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkEverywhere, openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { annAndBob, at, playUntil, staff, TWO_STRAIGHT_FLUSHES } from "./scenes";

interface PageCase {
  name: string;
  path: string;
  as?: string;
  /** The widths at which axe looks at a page with thousands of elements. */
  widths?: number[];
  /** The main action of the page. */
  main: (page: Page) => Locator;
}

const PAGES: PageCase[] = [
  { name: "lobby", path: "/", main: (page) => page.getByRole("link", { name: /^Sit down at/ }).first() },
  {
    name: "table",
    path: "/table?table=MTHB9-1",
    main: (page) => page.getByRole("button", { name: "Sit down as a guest" }),
  },
  {
    name: "dealer",
    path: "/dealer?table=MTHB9-LIVE",
    as: "Dealer",
    main: (page) => page.getByRole("button", { name: /^Open the bets/ }),
  },
  {
    name: "pit",
    path: "/pit",
    as: "Gaming Shift Manager",
    main: (page) => page.getByRole("navigation", { name: "Parts of the pit" }).getByRole("link").first(),
  },
  {
    name: "desk",
    path: "/desk?link=Megalink",
    as: "Pit Supervisor",
    main: (page) => page.getByLabel("The winning cards are the hand claimed"),
  },
  {
    name: "reports",
    path: "/reports",
    as: "Gaming Shift Manager",
    main: (page) => page.getByRole("button", { name: "Show", exact: true }),
  },
  {
    name: "statistics",
    path: "/statistics",
    as: "Gaming Shift Manager",
    main: (page) => page.getByRole("button", { name: "Show", exact: true }),
  },
  {
    name: "drill",
    path: "/drill?book=MTHB9&kind=read-the-hand&seed=7",
    main: (page) => page.getByRole("checkbox").first(),
  },
  { name: "lab", path: "/lab", main: (page) => page.getByRole("slider").first() },
  { name: "rules", path: "/rules?book=MTHB9", widths: [320, 1440], main: (page) => page.getByRole("searchbox") },
  { name: "docs", path: "/docs", widths: [390], main: (page) => page.getByRole("searchbox") },
  {
    name: "replay",
    path: "/replay?table=Winners&round=1",
    as: "Gaming Shift Manager",
    main: (page) => page.getByRole("button", { name: "Play", exact: true }),
  },
  {
    name: "rounds of a table",
    path: "/replay?table=Winners",
    main: (page) => page.getByRole("link", { name: "Round 1", exact: true }),
  },
  {
    name: "sheet",
    path: "/sheet?link=Megalink",
    main: (page) => page.getByRole("link", { name: "Lobby", exact: true }),
  },
  { name: "signin", path: "/signin", main: (page) => page.getByRole("button", { name: "Continue as a guest" }) },
];

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
  const { manager, dealer } = await staff(floor);
  await annAndBob(manager, dealer, "Winners");
  await playUntil(dealer, "Winners", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Winners", { do: "settle" });
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

/** Goes through the page by the Tab key until it is at what matters. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("the Tab key does not get there");
}

describe.concurrent.each(PAGES)("the page $name", ({ path, as, widths, main }) => {
  it("fits every screen, is for everybody, and has its main action by the keyboard", async () => {
    const account = as === undefined ? undefined : floor.account(as);
    const { page, errors, context } = await person(browser, floor, path, account);
    await main(page).waitFor();
    await tabTo(page, main(page));
    await checkEverywhere(page, widths && { widths });
    expect(errors).toEqual([]);
    await context.close();
  });
});

it("the sign fits every screen and is for everybody", async () => {
  const { page, errors, context } = await person(browser, floor, "/sign?link=Megalink");
  await page.locator("[data-testid=sign][data-state=pending]").waitFor();
  await checkEverywhere(page);
  expect(errors).toEqual([]);
  await context.close();
});

it("the theme is changed by hand and kept", async () => {
  const { page, context } = await person(browser, floor, "/signin");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: "Light theme" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Dark theme" }).waitFor();
  expect(await ground()).not.toBe(dark);
  await context.close();
});
