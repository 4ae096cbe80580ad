// A person of the staff enrols a second factor on the account page, signs in with its code, and signs with a recovery code.
import { createHmac } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, openBrowser, person } from "./browser";
import { Floor } from "./floor";

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

/** What an authenticator shows, so many steps of thirty seconds from now (RFC 6238). */
function shows(secret: string, steps: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replaceAll(" ", "")]
    .map((sign) => letters.indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE((digest[19] ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

it("is enrolled, asked for at sign-in and for a signature, and the limits of the house are proposed with it", async () => {
  const manager = floor.account("Gaming Shift Manager");
  const { page, errors } = await person(browser, floor, "/signin");
  const signIn = async () => {
    await page.getByLabel("Name").fill(manager.name);
    await page.getByLabel("Password").fill(manager.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await signIn();
  await page.waitForURL(/\/pit/);

  await page.getByRole("link", { name: manager.name }).click();
  await page.getByRole("button", { name: "Second factor" }).click();
  await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
  const secret = (await page.locator(".secret").textContent()) ?? "";
  expect(secret.replaceAll(" ", "")).toMatch(/^[A-Z2-7]{32}$/);
  await checkAccessible(page);
  await page.getByLabel("Password").fill(manager.password);
  await page.getByRole("textbox", { name: "Code", exact: true }).fill("000000");
  await page.getByRole("button", { name: "Enrol" }).click();
  await page.getByText("This is not the code of this secret.").waitFor();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(shows(secret, 0));
  await page.getByRole("button", { name: "Enrol" }).click();
  const codes = page.locator(".codes li");
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const recovery = (await codes.first().textContent()) ?? "";
  await page.getByRole("button", { name: "I have kept them" }).click();

  await page.getByRole("button", { name: "Sign in as somebody else" }).click();
  await signIn();
  const code = page.getByLabel("Code of your authenticator, or a recovery code");
  await code.fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("The code is wrong.").waitFor();
  await code.fill(shows(secret, 1));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/pit/);

  await page.goto("/pit#limits");
  await page.getByRole("button", { name: "Propose other limits…" }).click();
  const dialog = page.getByRole("dialog", { name: "Propose other limits of the house" });
  await dialog.getByLabel("Rulings and corrections of one round").fill("500.00");
  await dialog.getByText("P$1,000.00", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Sign the proposal" }).click();
  const again = page.getByRole("dialog", { name: "Confirm your password" });
  await again.getByLabel("Password").fill(manager.password);
  await again.getByLabel("Code of your authenticator, or a recovery code").fill(recovery);
  await again.getByRole("button", { name: "Sign", exact: true }).click();
  await again.waitFor({ state: "hidden" });
  await dialog.waitFor({ state: "hidden" });

  const second = await (await floor.signIn(floor.account("Accounting"))).stepUp();
  const { proposals } = await second.get("/api/pit");
  const [proposed] = proposals;
  expect(proposed.proposal).toMatchObject({ kind: "change-house-limits", limits: { ruling: 50_000 } });
  await second.send("/api/house/commands", { do: "confirm", number: proposed.number });
  await page.getByRole("row", { name: /Rulings and corrections of one round P\$500\.00/ }).waitFor();
  expect(errors).toEqual([]);
});
