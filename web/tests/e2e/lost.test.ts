// The plug is pulled in the middle of a round: the page says so, and comes back to the same round and the same hand.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { decision, hand, playOn, round, wager } from "./play";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start({ MEGALINK_FLOOR__PACE__DECIDE_MS_MAX: "60000" });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

it("survives the loss of its server in the middle of a round", async () => {
  const { page, errors } = await person(browser, floor, "/table?table=MTHB9-1&sit=1");
  await wager(page);
  await decision(page).waitFor();
  const before = { round: await round(page), hand: await hand(page) };
  expect(before.hand).toHaveLength(2);

  await floor.kill();
  await page.getByText("Connection lost.").waitFor();
  await floor.start();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  await decision(page).waitFor();
  expect({ round: await round(page), hand: await hand(page) }).toEqual(before);

  await playOn(page);
  expect(errors).toEqual([]);
});

it("shows the same meter to everybody, growing", async () => {
  const sign = await person(browser, floor, "/sign?link=Megalink");
  const lobby = await person(browser, floor, "/");
  const meter = (page: typeof sign.page) =>
    page
      .getByRole("img", { name: /^P\$[\d,]+\.\d\d$/ })
      .first()
      .getAttribute("aria-label");
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const [one, other] = await Promise.all([meter(sign.page), meter(lobby.page)]);
        if (one !== null && one === other) seen.add(one);
        return seen.size;
      },
      { timeout: 50_000, interval: 200 },
    )
    .toBeGreaterThan(1);
});
