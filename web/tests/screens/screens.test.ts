// Takes a picture of every page at the size of a phone, a laptop and a wall, into docs/screens: `script/screens`.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { openBrowser } from "../e2e/browser";
import { Floor } from "../e2e/floor";
import { SHOTS, type Shot, SIZES, type Size } from "./shots";
import { setStage } from "../e2e/stage";

const FOLDER = resolve(import.meta.dirname, "../../../docs/screens");

const sizesOf = (shot: Shot): Size[] => shot.sizes ?? (Object.keys(SIZES) as Size[]);
const fileOf = (shot: Shot, size: Size): string => `${shot.name}-${size}.jpg`;

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  const wanted = new Set(SHOTS.flatMap((shot) => sizesOf(shot).map((size) => fileOf(shot, size))));
  for (const file of readdirSync(FOLDER)) if (!wanted.has(file)) rmSync(resolve(FOLDER, file));
  // A table waits for its guest's decision while the pictures are taken.
  floor = await Floor.start({ MEGALINK_FLOOR__PACE__DECIDE_MS_MAX: "600000" });
  browser = await openBrowser();
  await setStage(floor);
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

async function open(shot: Shot, size: Size): Promise<Page> {
  const context = await browser.newContext({
    baseURL: floor.address,
    viewport: SIZES[size],
    reducedMotion: "reduce",
    colorScheme: shot.theme ?? "dark",
    locale: shot.locale ?? "en-SG",
  });
  context.setDefaultTimeout(60_000);
  if (shot.as !== undefined) {
    const { name, password } = floor.account(shot.as);
    await context.request.post("/api/session", { headers: { "X-Megalink": "1" }, data: { name, password } });
  }
  const page = await context.newPage();
  if (shot.theme !== undefined) await page.addInitScript(`localStorage.setItem("theme", "${shot.theme}")`);
  await page.goto(shot.path);
  return page;
}

/** Nothing moves, and everything is drawn. */
async function isStill(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

async function prepared(shot: Shot, size: Size): Promise<Page> {
  const page = await open(shot, size);
  await shot.prepare?.(page, floor);
  return page;
}

async function take(page: Page, shot: Shot, size: Size): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await shot.ready(page).waitFor();
  const top = shot.scrollTo?.(page) ?? page.locator("body");
  await top.evaluate((element) => element.scrollIntoView());
  await isStill(page);
  await page.screenshot({ path: resolve(FOLDER, fileOf(shot, size)), type: "jpeg", quality: 66 });
}

for (const shot of SHOTS) {
  it(`takes ${shot.name}`, async () => {
    const kept = shot.once ? await prepared(shot, "laptop") : undefined;
    for (const size of sizesOf(shot)) {
      const page = kept ?? (await prepared(shot, size));
      await take(page, shot, size);
      if (kept === undefined) await page.context().close();
    }
    await kept?.context().close();
  });
}
