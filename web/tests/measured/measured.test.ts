// What is measured, with nothing else running: how heavy the table is and how soon it is there, how smoothly it deals, how
// long a round takes, and what a first visit takes. The pace is the demonstration's, so that it is what people get.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, person } from "../e2e/browser";
import { Floor } from "../e2e/floor";
import { decision, laysAnte, press } from "../e2e/play";
import { framesOf, percentile, type TraceEvent, tasksOf } from "./frames";

/** Compressed, with the typeface. */
const TABLE_BYTES_MAX = 150 * 1024;
/** With a processor four times slower. A machine that is busy with other things gets several tries. */
const FIRST_PAINT_MILLISECONDS_MAX = 500;
const TRIES_MAX = 8;
const SLOWER = 4;
const ROUND_MILLISECONDS_MAX = 8000;
/** Sixty frames a second. While cards fly, few tasks of the page may take longer than a frame: the cards themselves are
 * moved by the compositor, which does not wait for them. */
const FRAME_MILLISECONDS = 1000 / 60;
const LATE_PART_MAX = 0.05;
const DEALS_MAX = 4;
/** `script/bench` holds the frames to their bounds. A test run, which may share the machine with others, only traces them. */
const IS_MEASURED = process.env.MEGALINK_MEASURED !== undefined;
/** From the lobby to the result of the first round, without reading anything else. */
const FIRST_ROUND_CLICKS_MAX = 9;
const FIRST_ROUND_MILLISECONDS_MAX = 30_000;

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start({
    MEGALINK_FLOOR__PACE__BEFORE_BETS_MS: "1000",
    MEGALINK_FLOOR__PACE__DEAL_MS: "600",
    MEGALINK_FLOOR__PACE__EXPOSE_MS: "900",
    MEGALINK_FLOOR__PACE__SHOW_MS: "5000",
    MEGALINK_FLOOR__PACE__SETTLE_MS: "900",
    MEGALINK_FLOOR__PACE__NEXT_ROUND_MS: "6000",
  });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

it("the table's page is small, and soon there on a slow laptop", async () => {
  const { page, context } = await person(browser, floor, "about:blank");
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const paints: number[] = [];
  let bytes = 0;
  while (paints.length < TRIES_MAX && !(Math.min(...paints) < FIRST_PAINT_MILLISECONDS_MAX)) {
    await session.send("Network.clearBrowserCache");
    await page.goto(`${floor.address}/table?table=MTHB9-1`);
    await page.getByRole("button", { name: "Sit down as a guest" }).waitFor();
    const seen = await page.evaluate(() => {
      const fetched = performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming);
      const files = fetched.filter(({ name }) => !name.includes("/api/"));
      return {
        bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY,
      };
    });
    bytes = seen.bytes;
    paints.push(seen.paint);
  }
  console.info(`The table's page: ${bytes} bytes; first paint after ${paints.map(Math.round).join(", ")} ms`);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(TABLE_BYTES_MAX);
  expect(Math.min(...paints)).toBeLessThan(FIRST_PAINT_MILLISECONDS_MAX);
  await context.close();
});

/** Somebody who lets things move, at a table for one. */
async function mover(table: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: floor.address, viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`/table?table=${table}&sit=1`);
  await page
    .getByRole("button", { name: /^Ante, position.*Lay a chip/ })
    .first()
    .waitFor();
  return { context, page };
}

const still = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));

/** One deal with a processor that is slower: the frames that were shown, the task that takes the cards in, and those that
 * run while the cards fly. */
async function tracedDeal(): Promise<{ frames: number[]; taking: number; flying: number[] }> {
  const { page, context } = await mover("MTHB9-SOLO");
  const session = await context.newCDPSession(page);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: /^Deal · / }).waitFor();
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const categories = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline.frame", "__metadata"];
  await browser.startTracing(page, { categories });
  await page.keyboard.press("Enter");
  await decision(page).waitFor();
  await page.waitForFunction(() => document.querySelector(".leaf.up") !== null);
  await still(page);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  // The position is free for the next try.
  await decision(page).getByRole("button", { name: /Fold/ }).click();
  await press(page.getByRole("button", { name: "Leave" }));
  await page.getByRole("button", { name: "Leave" }).waitFor({ state: "hidden" });
  await context.close();
  const tasks = tasksOf(traceEvents);
  const taking = Math.max(...tasks.map(({ milliseconds }) => milliseconds));
  const at = tasks.findIndex(({ milliseconds }) => milliseconds === taking);
  return { frames: framesOf(traceEvents), taking, flying: tasks.slice(at + 1).map(({ milliseconds }) => milliseconds) };
}

it("deals at sixty frames a second on a machine four times slower", async () => {
  let part = 1;
  let middle = 0;
  for (let tries = 0; tries < (IS_MEASURED ? DEALS_MAX : 1); tries += 1) {
    const { frames, taking, flying } = await tracedDeal();
    const late = flying.filter((milliseconds) => milliseconds > FRAME_MILLISECONDS);
    expect(frames.length).toBeGreaterThan(30);
    middle = percentile(frames, 0.5);
    part = late.length / flying.length;
    const [half, most] = [0.5, 0.95].map((share) => percentile(frames, share).toFixed(1));
    console.info(
      `Dealing, ${SLOWER} times slower: ${frames.length} frames, half of them within ${half} ms and nineteen of twenty within ${most} ms. Taking the cards in: ${taking.toFixed(1)} ms. While they fly: ${flying.length} tasks, ${late.length} of them longer than a frame (${late.map((one) => one.toFixed(1)).join(", ")})`,
    );
    if (part < LATE_PART_MAX && middle < 1.1 * FRAME_MILLISECONDS) break;
  }
  if (!IS_MEASURED) return;
  expect(middle).toBeLessThan(1.1 * FRAME_MILLISECONDS);
  expect(part).toBeLessThan(LATE_PART_MAX);
});

it("plays a round of a solo table in under eight seconds", async () => {
  const { page, context, errors } = await person(browser, floor, "/");
  for (const [table, decisions] of [
    ["MSSP9-SOLO", 1],
    ["MTHB9-SOLO", 3],
  ] as const) {
    await page.goto(`/table?table=${table}&sit=1`);
    await laysAnte(page);
    const deal = page.getByRole("button", { name: /^Deal · / });
    await deal.waitFor();
    const began = Date.now();
    await deal.click();
    for (let made = 0; made < decisions; made += 1) {
      await press(decision(page).getByRole("button", { disabled: false }).last());
      await decision(page).waitFor({ state: "hidden" });
    }
    await press(decision(page).getByRole("button", { name: /^Show/ }));
    await press(page.getByRole("button", { name: "Next round" }));
    await page.getByRole("button", { name: /^Repeat / }).waitFor();
    expect(Date.now() - began, table).toBeLessThan(ROUND_MILLISECONDS_MAX);
    // The position is free for the next visitor.
    await press(page.getByRole("button", { name: "Leave" }));
    await page.getByRole("button", { name: "Leave" }).waitFor({ state: "hidden" });
  }
  expect(errors).toEqual([]);
  await context.close();
});

/** Somebody who has never been here, with a finger and a phone: presses what is large, and counts. */
async function firstRound(table: string): Promise<{ clicks: number; milliseconds: number }> {
  const { page, context, errors } = await person(browser, floor, "/");
  await page.setViewportSize({ width: 390, height: 844 });
  const sit = page.getByRole("link", { name: `Sit down at ${table}`, exact: true });
  await sit.waitFor();
  const began = Date.now();
  await sit.click();
  const ante = page.getByRole("button", { name: /^Ante, position.*Lay a chip/ }).first();
  const primary = page.locator(".bar button.primary:enabled");
  const over = page.getByRole("button", { name: "Every wager and why" });
  let clicks = 1;
  await press(ante);
  clicks += 1;
  while (!(await over.isVisible())) {
    await primary.or(over).first().waitFor();
    if (await over.isVisible()) break;
    const pressed = await primary
      .first()
      .click({ timeout: 1000 })
      .then(
        () => true,
        () => false,
      );
    if (pressed) clicks += 1;
    await page.waitForFunction(() => document.querySelector(".bar button.primary:enabled, .banner") !== null);
  }
  expect(
    await page
      .getByRole("status")
      .filter({ hasText: /^(You (win|lose)|Nothing won)/ })
      .count(),
  ).toBe(1);
  const milliseconds = Date.now() - began;
  expect(errors).toEqual([]);
  await context.close();
  return { clicks, milliseconds };
}

it("takes a newcomer from the lobby to the end of the first round in few clicks", async () => {
  for (const table of ["MTHB9-SOLO", "MSSP9-SOLO", "MTHB9-2"]) {
    const { clicks, milliseconds } = await firstRound(table);
    console.info(`A first round at ${table}: ${clicks} clicks, ${(milliseconds / 1000).toFixed(1)} s`);
    expect(clicks, table).toBeLessThanOrEqual(FIRST_ROUND_CLICKS_MAX);
    expect(milliseconds, table).toBeLessThan(FIRST_ROUND_MILLISECONDS_MAX);
  }
});
