// Pictures of every page in every state, to be looked at: all widths, both themes, both languages where Players read it.
// `script/screens every FOLDER` takes them.
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { drawn, heightOf, openBrowser, openState, setTheme, WIDTHS } from "../e2e/browser";
import { Floor } from "../e2e/floor";
import { setStage } from "../e2e/stage";
import { type Language, PLAYERS, STAFF, type State } from "../e2e/states";

const FOLDER = process.env.MEGALINK_PICTURES;
/** Only those whose name begins so. */
const ONLY = process.env.MEGALINK_PICTURES_OF ?? "";

let floor: Floor;
let browser: Browser;

/** How much smaller a picture is than its page, so that it can be looked at as a whole. */
const scaleOf = (width: number): number => Math.min(1, 800 / width);

async function take(state: State, language: Language): Promise<void> {
  const { page, context } = await openState({ browser, floor }, state, language);
  const session = await context.newCDPSession(page);
  for (const width of WIDTHS) {
    const size = { width, height: heightOf(width), deviceScaleFactor: scaleOf(width), mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", size);
    for (const theme of ["dark", "light"] as const) {
      await setTheme(page, theme);
      await drawn(page);
      const { data } = await session.send("Page.captureScreenshot", { format: "jpeg", quality: 80 });
      const path = resolve(FOLDER ?? "", `${state.name}-${language}-${width}-${theme}.jpg`);
      writeFileSync(path, Buffer.from(data, "base64"));
    }
  }
  await context.close();
}

const shown = [...PLAYERS, ...STAFF]
  .filter(({ name }) => name.startsWith(ONLY))
  .flatMap((state) => (state.languages ?? ["en"]).map((language) => ({ name: state.name, state, language }) as const));

if (FOLDER !== undefined) {
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    floor = await Floor.start();
    browser = await openBrowser();
    await setStage(floor);
  });
  afterAll(async () => {
    await browser?.close();
    await floor?.stop();
  });
}

it.skipIf(FOLDER === undefined).each(shown)("takes $name, $language", ({ state, language }) => take(state, language));
