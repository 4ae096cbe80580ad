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

/** The texts of a page, or of a part of it, that have Latin letters, without names and clauses. */
async function latin(page: Page, part = "body"): Promise<string[]> {
  const text = (await page.locator(part).allInnerTexts()).join("\n");
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

const THEMES = ["dark", "light"] as const;

it.each(["/", "/table?table=MTHB9-1", "/table?table=MSSP9-1", "/sign?link=Megalink", "/sheet?link=Megalink"])(
  "%s fits every screen in Chinese and is for everybody, dark and light",
  async (path) => {
    for (const theme of THEMES) {
      const page = await visit("about:blank", { locale: "zh-SG" });
      await page.addInitScript(`localStorage.setItem("theme", "${theme}")`);
      await page.goto(floor.address + path);
      await page.locator("html[lang=zh-Hans]").waitFor();
      await until("the page to be all there", async () => (await page.locator("main").innerText()).length > 30);
      await checkAccessible(page);
      const over: string[] = [];
      for (const width of [320, 390, 1440, 3840]) {
        await page.setViewportSize({ width, height: width < 600 ? 844 : Math.round(width / 1.6) });
        const pixels = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (pixels > 0) over.push(`${pixels} pixels too wide at ${width}, ${theme}`);
      }
      expect(over).toEqual([]);
      await page.context().close();
    }
  },
);

it("a guest plays a round in Chinese: only the Dealer's calls, names and clauses are in English", async () => {
  const page = await visit("/table?table=MTHB9-2&sit=1", { locale: "zh-CN", viewport: { width: 390, height: 844 } });
  const ante = page.getByRole("button", { name: /^底注，.*放筹码/ }).first();
  const place = page.getByRole("button", { name: /^下注 P\$/ });
  const decision = page.getByRole("group", { name: /^请决定/ });
  const banner = page.getByRole("button", { name: "每笔注码及原因" });
  const seen: string[] = [];
  await until("the round to be settled", async () => {
    seen.push(...(await latin(page, ".bar")), ...(await latin(page, ".matters")));
    if (await banner.isVisible()) return true;
    for (const target of [decision.getByRole("button").last(), place, ante]) {
      if (!(await target.isEnabled({ timeout: 200 }).catch(() => false))) continue;
      await target.click({ timeout: 1000 }).catch(() => undefined);
      break;
    }
    return false;
  });
  await banner.click();
  const dialog = page.getByRole("dialog", { name: "本局结果" });
  await dialog.getByRole("button", { name: "原因" }).first().click();
  await dialog
    .getByRole("link", { name: /^MTHB9 \d/ })
    .first()
    .waitFor();
  seen.push(...(await latin(page, "dialog[open]")));
  expect([...new Set(seen)]).toEqual([]);
  expect(await page.locator(".call").innerText()).toMatch(/^“.+” .*[\u4e00-\u9fff]/);
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
