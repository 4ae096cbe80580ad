// The plug is pulled in the middle of a round: the page says so, and comes back to the same round and the same hand.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { decision, hand, laysAnte, playOn, press, round, wager } from "./play";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** A floor for one test: what a test leaves behind is nothing to begin with. */
async function startFloor(settings: Record<string, string> = {}): Promise<Floor> {
  const floor = await Floor.start(settings);
  onTestFinished(() => floor.stop());
  return floor;
}

it("survives the loss of its server in the middle of a round", async () => {
  const floor = await startFloor({ MEGALINK_FLOOR__PACE__DECIDE_MS_MAX: "60000" });
  const { page, errors } = await person(browser, floor, "/table?table=MTHB9-1&sit=1");
  await wager(page);
  await decision(page).waitFor();
  const before = { round: await round(page), hand: await hand(page) };
  expect(before.hand).toHaveLength(2);

  await floor.kill();
  await page.getByText("Connection lost.").waitFor();
  await floor.start();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  // Players may withdraw first (5.16), and what was on the page before is drawn anew meanwhile.
  await decision(page).waitFor();
  await expect
    .poll(async () => ({ round: await round(page), hand: await hand(page) }), { timeout: 60_000 })
    .toEqual(before);

  await playOn(page);
  expect(errors).toEqual([]);
});

it("shows a page that was left open what may be chosen after a crash", async () => {
  const floor = await startFloor({
    MEGALINK_FLOOR__PACE__DECIDE_MS_MAX: "60000",
    MEGALINK_FLOOR__PACE__WITHDRAW_MS: "60000",
  });
  // Nobody else plays here: a hand that somebody folded would establish an outcome (5.16.2), and nobody might withdraw.
  const { page, errors } = await person(browser, floor, "/table?table=MTHB9-SOLO&sit=1");
  const isDealtIn = async () => {
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    await decision(page).waitFor();
  };
  await isDealtIn();
  await playOn(page);
  await page.keyboard.press("Escape");
  // A guest brings a salt to every round from the second on.
  await isDealtIn();

  await floor.kill();
  await page.getByText("Connection lost.").waitFor();
  await floor.start();
  await page.getByRole("button", { name: "Take all wagers back" }).waitFor();
  await page.getByRole("button", { name: "Leave the wagers" }).waitFor();
  expect(errors).toEqual([]);
});

it("shows the same meter to everybody, growing", async () => {
  const floor = await startFloor();
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
      { timeout: 120_000, interval: 200 },
    )
    .toBeGreaterThan(1);
});
