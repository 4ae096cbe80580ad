// Opened from another machine by plain HTTP: a phone on the same network.
import { networkInterfaces } from "node:os";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { playOn, wager } from "./play";

/** The machine's own address on its network: to a browser it is another machine. */
const HOST = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => browser?.close());

it.skipIf(HOST === undefined)("a guest at a demonstration plays a round", async () => {
  const floor = await Floor.start({}, HOST);
  const { page, errors, context } = await person(browser, floor, "/");
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByRole("link", { name: "Sit down at MTHB9-1" }).click();
  await page.waitForURL(/\/table\?/);
  await wager(page);
  await playOn(page);
  // Of every page by plain HTTP the browser says that it leaves one header out.
  expect(errors.filter((error) => !error.startsWith("The Cross-Origin-Opener-Policy header has been ignored"))).toEqual(
    [],
  );
  await context.close();
  await floor.stop();
});

it.skipIf(HOST === undefined)("a house of real money asks for no password, and says what to do", async () => {
  const floor = await Floor.real({}, HOST);
  const { page, context } = await person(browser, floor, "/signin");
  await page.getByText("certificate, or a proxy with TLS").waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  await context.close();
  await floor.stop();
});
