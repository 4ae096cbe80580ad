// What a person sees: the house's money and time, our typeface, and the language that they read.
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, checkEverywhere, openBrowser } from "./browser";
import { englishOn } from "./english";
import { Floor, until } from "./floor";
import { annAndBob, at, playUntil, staff, TWO_STRAIGHT_FLUSHES } from "./scenes";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  // What a round ended with is read before the next one begins.
  floor = await Floor.start({ MEGALINK_FLOOR__PACE__NEXT_ROUND_MS: "120000" });
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

/** Who sits at the tables that are looked at. */
const NAMES = ["Winners", "Ann", "Bob"];

/** The moment that an entry names, and its words, in one look: a newer entry may come first the next moment. */
const momentIn = (entry: Locator): Promise<{ moment: number; words: string }> =>
  entry.evaluate((one) => ({
    moment: Date.parse(one.getAttribute("datetime") ?? ""),
    words: (one as HTMLElement).innerText,
  }));

const lang = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.lang);

it.concurrent("a demonstration says on every amount that it is play money", async () => {
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

it.concurrent("a house of real money has no play money, and its own time zone and currency", async () => {
  const real = await Floor.real({
    MEGALINK_FLOOR__GUESTS: "false",
    MEGALINK_FLOOR__TIME_ZONE: "America/New_York",
    MEGALINK_FLOOR__CURRENCY: "€",
  });
  const page = await visit(`${real.address}/signin`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByText("This program is not approved by any regulator.").waitFor();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("house") ?? "{}").money)).toBe("real");
  expect(await page.locator("body").innerText()).not.toContain("P$");
  const manager = await real.signIn(real.account("Gaming Shift Manager"));
  const { name, password } = manager.account;
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname !== "/signin");
  await page.goto(`${real.address}/pit#audit`);
  const entry = page.locator("time").first();
  const { moment, words } = await momentIn(entry);
  const there = new Intl.DateTimeFormat("en-GB", { timeZone: "America/New_York", timeStyle: "medium" }).format(moment);
  expect(words).toContain(there);
  await page
    .getByText(/€0\.00/)
    .first()
    .waitFor();
  await page.context().close();
  await real.stop();
});

it.concurrent("times are Singapore's, in a browser in New York", async () => {
  const page = await visit("/replay?table=Winners&round=1", { timezoneId: "America/New_York" });
  const { moment, words } = await momentIn(page.locator("time").first());
  const there = new Date(moment + 8 * 60 * 60 * 1000).toISOString().slice(11, 19);
  expect(words).toBe(there);
  await page.context().close();
});

it.concurrent("the typeface is our own: preloaded, kept for good, with its licence, and nothing moves when it comes", async () => {
  const page = await visit("about:blank");
  let release = () => {};
  const held = new Promise<void>((comes) => {
    release = comes;
  });
  await page.route("**/*.woff2", async (route) => {
    await held;
    await route.continue();
  });
  const fetched = page.waitForResponse(/instrument-sans-latin-wght-normal.*\.woff2$/);
  // The page has loaded only when its font has.
  await page.goto(`${floor.address}/signin`, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Continue as a guest" }).waitFor();
  const measure = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main *")].map((one) => Math.round(one.getBoundingClientRect().y)),
    );
  const before = await measure();
  release();
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

it.concurrent.each([
  "/",
  "/table?table=MTHB9-1",
  "/table?table=MSSP9-1",
  "/sign?link=Megalink",
  "/sheet?link=Megalink",
  "/me",
])("%s fits every screen in Chinese and is for everybody, dark and light", async (path) => {
  const page = await visit(path, { locale: "zh-SG" });
  await page.locator("html[lang=zh-Hans]").waitFor();
  await until("the page to be all there", async () => (await page.locator("main").innerText()).length > 20);
  await checkEverywhere(page);
  await page.context().close();
});

/** Opens a panel of the table, reads it and closes it again. */
async function readPanel(page: Page, button: string, title: string): Promise<string[]> {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  const found = await englishOn(page, NAMES);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  return found;
}

it.concurrent.each(["MTHB9-SOLO", "MSSP9-SOLO"])(
  "a guest walks through the house at %s in Chinese and reads no English but calls, names and clauses",
  async (table) => {
    const page = await visit("/", { locale: "zh-CN", viewport: { width: 390, height: 844 } });
    const seen: Record<string, string[]> = {};
    const read = async (where: string) => {
      seen[where] = [...(seen[where] ?? []), ...(await englishOn(page, NAMES))];
    };
    await page.getByRole("link", { name: `入座 ${table}` }).waitFor();
    await read("lobby");
    await page.getByRole("link", { name: `入座 ${table}` }).click();
    const ante = page.getByRole("button", { name: /^底注，.*放筹码/ }).first();
    await ante.waitFor();
    await read("table");
    await page.getByRole("button", { name: "开始演示" }).click();
    const shown = page.getByRole("dialog", { name: "一分钟看一局" });
    await shown.waitFor();
    for (const next = shown.getByRole("button", { name: "下一步" }); await next.isVisible(); await next.click())
      await read("demonstration");
    await shown.getByRole("button", { name: "开始游戏" }).click();
    seen.help = await readPanel(page, "帮助", "帮助");
    seen.menu = await readPanel(page, "菜单", "菜单");
    await page.getByRole("button", { name: "教练已关闭" }).click();
    await ante.click();
    await page
      .getByRole("button", { name: /^奖池，.*放筹码/ })
      .first()
      .click();
    await read("wagers");
    await page.getByRole("button", { name: /^发牌 · / }).click();
    const decide = page.getByRole("group", { name: /^请决定/ });
    const every = page.getByRole("button", { name: "每笔注码及原因" });
    await until("the round to be settled", async () => {
      if (await every.isVisible()) return true;
      const button = decide.getByRole("button").last();
      if (await button.isVisible()) {
        await read("decisions");
        await button.click({ timeout: 1000 }).catch(() => undefined);
      }
      return false;
    });
    await read("settled");
    expect(await page.locator(".call").innerText()).toMatch(/^“.+” .*[\u4e00-\u9fff]/);
    await every.click();
    const result = page.getByRole("dialog", { name: "本局结果" });
    const why = result.getByRole("button", { name: "原因" });
    for (const one of await why.all()) {
      await one.click();
      await result.getByText(/^(底注|翻牌注|转牌注|河牌注|跟注|奖池注) P\$.*：.{4}/).waitFor();
      await read("result");
    }
    await result.getByRole("link", { name: "回放本局" }).click();
    await page.getByRole("heading", { name: "分析" }).waitFor();
    await page.getByRole("button", { name: /^如果/ }).first().click();
    await read("replay");
    await page.goto(`/replay?table=${table}`);
    await page.getByRole("link", { name: "第 1 局", exact: true }).waitFor();
    await read("rounds");
    await page.goto("/me");
    await page.getByText(/^底注及其后的注码共输赢/).waitFor();
    await page
      .getByRole("link", { name: `${table}，第 1 局` })
      .first()
      .waitFor();
    await page.getByLabel("最多可输").fill("nothing");
    await page.getByText("请写成 1,250.50").waitFor();
    await page.getByLabel("最多可输").fill("500");
    await page.getByRole("button", { name: "设定限额" }).click();
    await page.getByText("目前：最多输 P$500.00，时间不限。").waitFor();
    await read("me");
    for (const path of ["/sign?link=Megalink", "/sheet?link=Megalink", "/signin"]) {
      await page.goto(path);
      await until("the page to be all there", async () => (await page.locator("main").innerText()).length > 20);
      await read(path);
    }
    const found = Object.entries(seen).map(([where, texts]) => [where, [...new Set(texts)]] as const);
    expect(found.filter(([, texts]) => texts.length > 0)).toEqual([]);
    await page.context().close();
  },
);

it.concurrent("the language is changed by hand and kept; pages for the staff stay in English", async () => {
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

it.concurrent("a sign on a wall takes its language from the address", async () => {
  const page = await visit("/sign?link=Megalink&lang=zh", { locale: "en-SG", viewport: { width: 1920, height: 1080 } });
  await page.getByText("待派发", { exact: true }).waitFor();
  expect(await lang(page)).toBe("zh-Hans");
  await checkAccessible(page);
  await page.context().close();
});

it.concurrent("what the server refuses is said in the language of the page", async () => {
  const page = await visit("/signin", { locale: "zh-CN" });
  await page.getByLabel("姓名").fill("Nobody");
  await page.getByLabel("密码").fill("not the password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "姓名或密码不正确" }).waitFor();
  await page.context().close();
});
