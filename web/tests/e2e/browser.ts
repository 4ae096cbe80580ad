// A real browser: the system's Chromium.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Account, Floor } from "./floor";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("Chromium is missing; script/setup tests installs it");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
}

export interface Person {
  context: BrowserContext;
  page: Page;
  /** What went wrong on the page, which must stay empty. */
  errors: string[];
}

/** A person with a browser of their own, at a page of the floor. */
export async function person(browser: Browser, floor: Floor, path: string, signedInAs?: Account): Promise<Person> {
  const context = await browser.newContext({
    baseURL: floor.address,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 800 },
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

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Looks for what keeps people with other senses out. */
export async function checkAccessible(page: Page): Promise<void> {
  const found = await page.evaluate(`(() => { ${AXE}; return axe.run(document, { resultTypes: ["violations"] }); })()`);
  const serious = (found as { violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect(serious).toEqual([]);
}
