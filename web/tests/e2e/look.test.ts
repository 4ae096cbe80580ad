// What a person sees: the house's money and time, our typeface, and the language that they read.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, openBrowser } from "./browser";
import { Floor, until } from "./floor";
import { annAndBob, at, playUntil, staff, TWO_STRAIGHT_FLUSHES } from "./scenes";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
  const { manager, dealer } = await staff(floor);
  await annAndBob(manager, dealer, "Winners");
  await playUntil(dealer, "Winners", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Winners", { do: "settle" });
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

/** Somebody with a browser that asks for a language, somewhere in the world. */
async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: floor.address,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const lang = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.lang);

/** The texts of a page that have Latin letters, without names and clauses. */
async function latin(page: Page): Promise<string[]> {
  const text = await page.locator("body").innerText();
  const known = /Megalink|Demonstration House|P\$|[A-Z]{3,5}\d?(-\w+)?|v\d|EN|“[^”]*”|Winners|meter/g;
  return text
    .split("\n")
    .map((line) => line.replace(known, ""))
    .filter((line) => /[a-z]{3,}/i.test(line));
}

it("a demonstration says on every amount that it is play money", async () => {
  const page = await visit("/");
  const meter = page.getByRole("img", { name: /^P\$[\d,]+\.\d\d$/ }).first();
  await meter.waitFor();
  await page.getByText("Demonstration: play money (P$)").waitFor();
  await page.getByText("P$10 – 500").first().waitFor();
  await page.goto("/sign?link=Megalink");
  await page.getByRole("img", { name: /^P\$[\d,]+\.\d\d$/ }).waitFor();
  await page.goto("/sheet?link=Megalink");
  await page.getByRole("cell", { name: /^P\$5\.00$/ }).waitFor();
  const text = (await page.locator("main").innerText()).replace(/\([A-Z]+\d [\d.]+\)/g, "");
  expect(text.match(/(?<!P\$)(?<![\d.,])\d[\d,]*\.\d\d(?![\d%])/g), "an amount without its currency").toBeNull();
  await page.context().close();
});

it("a house of real money has dollars, and no play money", async () => {
  const real = await Floor.start({ MEGALINK_FLOOR__DEMONSTRATION: "false", MEGALINK_FLOOR__GUESTS: "false" });
  const page = await visit(`${real.address}/signin`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByText("This program is not approved by any regulator.").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("house-money"))).toBe("real");
  expect(await page.locator("body").innerText()).not.toContain("P$");
  await page.context().close();
  await real.stop();
});

it("times are Singapore's, in a browser in New York", async () => {
  const page = await visit("/replay?table=Winners&round=1", { timezoneId: "America/New_York" });
  const time = page.locator("time").first();
  await time.waitFor();
  const moment = Date.parse((await time.getAttribute("datetime")) ?? "");
  const there = new Date(moment + 8 * 60 * 60 * 1000).toISOString().slice(11, 19);
  expect(await time.innerText()).toBe(there);
  await page.context().close();
});

it("the typeface is our own: preloaded, kept for good, with its licence, and nothing moves when it comes", async () => {
  const page = await visit("about:blank");
  await page.route("**/*.woff2", async (route) => {
    await new Promise((late) => setTimeout(late, 1500));
    await route.continue();
  });
  const fetched = page.waitForResponse(/instrument-sans-latin-wght-normal.*\.woff2$/);
  await page.goto(`${floor.address}/signin`);
  await page.getByRole("button", { name: "Continue as a guest" }).waitFor();
  const measure = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main *")].map((one) => Math.round(one.getBoundingClientRect().y)),
    );
  const before = await measure();
  const font = await fetched;
  expect(await font.headerValue("content-type")).toBe("font/woff2");
  expect(await font.headerValue("cache-control")).toContain("immutable");
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check('600 16px "Instrument Sans"'))).toBe(true);
  const moved = (await measure()).filter((y, at) => Math.abs(y - (before[at] ?? 0)) > 1);
  expect(moved).toEqual([]);
  expect(await page.locator("link[rel=preload][as=font]").count()).toBe(1);
  const widths = await page.evaluate(() => {
    const probe = document.createElement("span");
    probe.className = "figures";
    probe.style.fontSize = "100px";
    document.body.append(probe);
    return ["1111", "8888", "4070"].flatMap((digits) =>
      ["400", "700"].map((weight) => {
        probe.textContent = digits;
        probe.style.fontWeight = weight;
        return probe.getBoundingClientRect().width;
      }),
    );
  });
  expect(new Set(widths).size, "figures of one width in every weight").toBe(1);
  const licence = await page.request.get(`${floor.address}/licences/instrument-sans.txt`);
  expect(await licence.text()).toContain("SIL Open Font License");
  await page.context().close();
});

it.each(["/", "/sheet?link=Megalink", "/signin"])("%s is Chinese for those whose browser asks for it", async (path) => {
  const page = await visit(path, { locale: "zh-CN" });
  await page.getByRole("button", { name: "EN", exact: true }).waitFor();
  await until("the page to be all there", async () => (await page.locator("main").innerText()).length > 40);
  expect(await lang(page)).toBe("zh-Hans");
  expect(await latin(page)).toEqual([]);
  await checkAccessible(page);
  await page.context().close();
});

it("the language is changed by hand and kept; pages for the staff stay in English", async () => {
  const page = await visit("/", { locale: "en-SG" });
  await page
    .getByRole("link", { name: /^Sit down at/ })
    .first()
    .waitFor();
  expect(await lang(page)).toBe("en");
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("link", { name: /^入座/ }).first().waitFor();
  expect(await lang(page)).toBe("zh-Hans");
  await page.reload();
  await page.getByRole("link", { name: /^入座/ }).first().waitFor();
  await page.goto("/rules?book=MTHB9");
  await page.getByRole("searchbox").waitFor();
  expect(await lang(page)).toBe("en");
  await page.getByRole("link", { name: "Lobby", exact: true }).waitFor();
  await page.goto("/");
  await page.getByRole("button", { name: "EN", exact: true }).click();
  await page
    .getByRole("link", { name: /^Sit down at/ })
    .first()
    .waitFor();
  await page.context().close();
});

it("a sign on a wall takes its language from the address", async () => {
  const page = await visit("/sign?link=Megalink&lang=zh", { locale: "en-SG", viewport: { width: 1920, height: 1080 } });
  await page.getByText("待派发", { exact: true }).waitFor();
  expect(await lang(page)).toBe("zh-Hans");
  await checkAccessible(page);
  await page.context().close();
});

it("what the server refuses is said in the language of the page", async () => {
  const page = await visit("/signin", { locale: "zh-CN" });
  await page.getByLabel("姓名").fill("Nobody");
  await page.getByLabel("密码").fill("not the password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "姓名或密码不正确" }).waitFor();
  await page.context().close();
});
