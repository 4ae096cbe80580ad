// Every page in every state, from the width of a small phone to that of a wall: nothing overflows, nothing fails, nobody is kept
// out, and nothing in Chinese is in English. A test run opens each state once, in Chinese where Players read it so, and has axe look
// at it at one width, a phone's or a laptop's in turn. With MEGALINK_EVERY=1 (`script/soak pages`) it is every language at every width.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkEverywhere, drawn, openBrowser, openState } from "./browser";
import { englishOn, namesOf } from "./english";
import { Floor } from "./floor";
import { setStage } from "./stage";
import { PLAYERS, STAFF } from "./states";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
  await setStage(floor);
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const EVERY = process.env.MEGALINK_EVERY !== undefined;

const all = [...PLAYERS, ...STAFF].flatMap((state) =>
  (state.languages ?? ["en" as const]).slice(EVERY ? 0 : -1).map((language) => ({ name: state.name, state, language })),
);

/** Nothing is in English, on a wide screen and on a phone, which says some things in other words. */
async function checkChinese(page: Page): Promise<void> {
  const names = await namesOf(floor);
  const found = await englishOn(page, names);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await drawn(page);
  found.push(...(await englishOn(page, names)));
  if (size !== null) await page.setViewportSize(size);
  expect([...new Set(found)]).toEqual([]);
}

describe.each(all.map((one, at) => ({ ...one, at })))("$name, $language", ({ state, language, at }) => {
  it("fits every screen and is for everybody", async () => {
    const { page, errors, context } = await openState({ browser, floor }, state, language);
    if (language === "zh") await checkChinese(page);
    await checkEverywhere(page, EVERY ? undefined : { widths: [at % 4 < 2 ? 390 : 1440] });
    expect(errors).toEqual([]);
    await context.close();
  });
});
