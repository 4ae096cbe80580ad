// A real browser: the system's Chromium; without its windows where that is a program of its own, in 0.6 of the processor time.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import { type Account, type Floor, until } from "./floor";
import type { Language, State } from "./states";

const PROGRAMS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("Chromium is missing; script/setup tests installs it");
  const folder = process.env.MEGALINK_PAGES;
  // A page that comes from a folder is no page of this machine to Chromium, and asks the floor all the same.
  const elsewhere = folder === undefined ? [] : ["--disable-features=LocalNetworkAccessChecks"];
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      ...elsewhere,
    ],
  });
  return folder === undefined ? browser : withPagesOf(browser, folder);
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** While pages are worked on: they come from the folder that `vite build` writes, and the program need not be built again. */
function withPagesOf(browser: Browser, folder: string): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.route(
      ({ pathname }) => !pathname.startsWith("/api/"),
      (route) => {
        const { pathname } = new URL(route.request().url());
        const name = pathname === "/" ? "index.html" : pathname;
        const path = [join(folder, name), join(folder, `${name}.html`)].find(isFile);
        return path === undefined ? route.fallback() : route.fulfill({ path });
      },
    );
    return context;
  };
  return browser;
}

export interface Person {
  context: BrowserContext;
  page: Page;
  /** What went wrong on the page, which must stay empty. */
  errors: string[];
}

/** A person with a browser of their own, at a page of the floor. */
export async function person(
  browser: Browser,
  floor: Floor,
  path: string,
  signedInAs?: Account,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({
    baseURL: floor.address,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  // Long enough for a machine that is busy with other things; nobody waits for it on one that is not.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text()))
      errors.push(message.text());
  });
  if (signedInAs !== undefined) {
    const answer = await context.request.post("/api/session", {
      headers: { "X-Megalink": "1" },
      data: { name: signedInAs.name, password: signedInAs.password },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  await page.goto(path);
  return { context, page, errors };
}

/** What moves money, people or settings takes the password again. */
export async function repeatPassword(page: Page, password: string): Promise<void> {
  const again = page.getByRole("dialog", { name: "Confirm your password" });
  await again.getByLabel("Password").fill(password);
  await again.getByRole("button", { name: "Sign", exact: true }).click();
  await again.waitFor({ state: "hidden" });
}

/** A page in one of its states, in a browser that asks for a language. */
export async function openState(
  { browser, floor }: { browser: Browser; floor: Floor },
  state: State,
  language: Language,
): Promise<Person> {
  const account = state.as === undefined ? undefined : floor.account(state.as);
  const locale = language === "zh" ? "zh-SG" : "en-SG";
  const somebody = await person(browser, floor, state.path, account, { locale });
  const { page } = somebody;
  await state.prepare?.({ page, floor, language });
  await state.ready(page).waitFor();
  return somebody;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[] }[];
}

/** What keeps people with other senses out of the page as it is now. */
async function violations(page: Page, only?: string): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(AXE);
  const rules = only === undefined ? "" : `, runOnly: ["${only}"]`;
  const found = await page.evaluate(`axe.run(document, { resultTypes: ["violations"]${rules} })`);
  return (found as { violations: Violation[] }).violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
}

/** Looks for what keeps people with other senses out. */
export async function checkAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** From a small phone to a wall. */
export const WIDTHS = [320, 390, 1440, 3840] as const;

/** How far the page reaches past its window, sideways, and what does. */
const overflow = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const pixels = root.scrollWidth - root.clientWidth;
    const past = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5,
    );
    const by = past.map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`);
    // A dialog that scrolls sideways cuts its text off.
    const dialog = document.querySelector("dialog[open]");
    const cut = dialog === null ? 0 : dialog.scrollWidth - dialog.clientWidth;
    if (cut > 0) return `the dialog is ${cut} pixels too narrow`;
    return pixels > 0 ? `${pixels} pixels too wide: ${by.join(", ")}` : undefined;
  });

/** The height of a window of this width: a phone is held upright. */
export const heightOf = (width: number): number => (width < 600 ? 844 : Math.round(width / 1.6));

/** What is drawn after a change of size. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Where something is drawn. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where things are drawn, all of them measured in one frame: the first in which all are there. */
export async function boxes<T extends readonly Locator[]>(
  page: Page,
  ...targets: T
): Promise<{ [At in keyof T]: Box }> {
  let found: Box[] = [];
  await until("everything to be drawn", async () => {
    const handles = await Promise.all(targets.map((target) => target.elementHandles()));
    if (!handles.every(({ length }) => length === 1)) return false;
    found = await page.evaluate(
      (all) => all.map((one) => (one as Element).getBoundingClientRect().toJSON()),
      handles.flat(),
    );
    return found.every(({ width, height }) => width > 0 && height > 0);
  });
  return found as { [At in keyof T]: Box };
}

export const setTheme = (page: Page, theme: "dark" | "light"): Promise<void> =>
  page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);

/** A state of a page at every width: nothing reaches past its window. */
export async function checkFits(page: Page): Promise<void> {
  await checkEverywhere(page, { widths: [] });
}

/** A state of a page at every width, dark and light: nothing overflows, and nobody is kept out. A page with thousands of
 * elements is looked at by axe at one width. */
export async function checkEverywhere(page: Page, { widths = WIDTHS as readonly number[] } = {}): Promise<void> {
  const size = page.viewportSize();
  const wrong: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: heightOf(width) });
    await drawn(page);
    const over = await overflow(page);
    if (over !== undefined) wrong.push(`${width}: ${over}`);
    if (!widths.includes(width)) continue;
    wrong.push(...(await violations(page)).map((one) => `${width}: ${one}`));
    // Themes differ in colours alone.
    await setTheme(page, "light");
    wrong.push(...(await violations(page, "color-contrast")).map((one) => `${width}, light: ${one}`));
    await setTheme(page, "dark");
  }
  if (size !== null) await page.setViewportSize(size);
  expect(wrong).toEqual([]);
}
