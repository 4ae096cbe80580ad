// A guest comes in by one click and plays a whole round, at a table of each rulebook.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAccessible, openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { playOn, wager } from "./play";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

describe.concurrent.each(["MTHB9-1", "MTHB6-1", "MSSP9-1", "THB6-1"])("a guest at %s", (table) => {
  it("sits down in one click, wagers, decides, and sees why", async () => {
    const { page, errors, context } = await person(browser, floor, "/");
    await page.getByRole("link", { name: `Sit down at ${table}` }).click();
    await page.waitForURL(/\/table\?/);
    await wager(page);
    await playOn(page);
    await page.getByRole("button", { name: "Why?" }).first().click();
    const clause = page.getByRole("dialog").getByRole("link", { name: new RegExp(`^${table.split("-")[0]} \\d`) });
    await clause.first().waitFor();
    await checkAccessible(page);
    expect(errors).toEqual([]);
    await context.close();
  });
});
