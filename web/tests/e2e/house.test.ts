// A house of real money from its first start to its first signed day, by its pages alone. Its clock and the browsers' are moved
// from outside.
import { execFileSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, checkEverywhere, openBrowser, type Person, person, repeatPassword } from "./browser";
import { type Account, Floor, until } from "./floor";

/** Whether something here moves the clock of a program. */
const MOVES = (() => {
  try {
    execFileSync("faketime", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

let floor: Floor;
let browser: Browser;
let account: Account;
let manager: Person;
let accountant: Person;

/** Noon in Singapore, ten minutes later, and noon of the next day. */
const [NOON, LATER, NEXT_DAY] = ["2031-03-03 04:00:00", "2031-03-03 04:10:00", "2031-03-04 04:00:00"] as const;

/** Somebody of the staff at a page, whose clock is moved too. */
async function comes(office: string, path: string, now: string, which = 0): Promise<Person> {
  const somebody = await person(browser, floor, "about:blank", floor.account(office, which));
  if (MOVES) await somebody.context.clock.setSystemTime(new Date(`${now.replace(" ", "T")}Z`));
  await somebody.page.goto(path);
  return somebody;
}

beforeAll(async () => {
  // Where nothing moves clocks, the house is run until the evening.
  floor = await Floor.real({ MEGALINK_SESSIONS__STEP_UP_MINUTES: "60" }, undefined, MOVES ? NOON : undefined);
  browser = await openBrowser();
  account = floor.account("Gaming Shift Manager");
  manager = await comes("Gaming Shift Manager", "/pit", NOON);
  accountant = await comes("Accounting", "/pit", NOON);
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const form = (page: Page, title: string | RegExp) => page.getByRole("dialog", { name: title });
const step = (page: Page, words: string) =>
  page
    .getByRole("region", { name: "Before the first round" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: words }) });

/** Sends a form, with the password where it is asked for again. */
async function send(page: Page, title: string | RegExp, act: string, password?: string): Promise<void> {
  await form(page, title).getByRole("button", { name: act }).click();
  if (password !== undefined) await repeatPassword(page, password);
  await form(page, title).waitFor({ state: "hidden" });
}

/** Confirms the only proposal there is. */
async function confirm({ page }: Person, password?: string): Promise<void> {
  const waiting = page.getByRole("region", { name: "Waiting for a second signature" });
  await waiting.getByRole("button", { name: "Confirm and sign" }).click();
  if (password !== undefined) await repeatPassword(page, password);
  await waiting.getByText("Nothing is waiting for a second person.").waitFor();
}

it("a Dealer is appointed by the defaults of the form, and confirmed by a second person", async () => {
  const { page } = manager;
  await step(page, "People").getByText("none yet").waitFor();
  await checkEverywhere(page);
  await checkAccessible(page);
  await step(page, "People").getByRole("link").click();
  await page.getByRole("button", { name: "Appoint somebody…" }).click();
  await form(page, "Appoint somebody").getByLabel("Name").fill("Dan Dealer");
  await send(page, "Appoint somebody", "Sign the proposal", account.password);
  await step(page, "People").getByText("waits for a second signature").waitFor();
  await accountant.page.goto("/pit#staff");
  await confirm(accountant, floor.account("Accounting").password);
  await step(page, "People").getByText("1", { exact: true }).waitFor();
  await page.getByText("Dan Dealer").waitFor();
  await page.getByRole("button", { name: "Invitation… Dan Dealer" }).waitFor();
});

it("the four steps lead to the first wager, with chips bought at the table", async () => {
  const { page, errors } = manager;
  await page.goto("/pit");
  await step(page, "A link").getByRole("link").click();
  await page.getByRole("button", { name: "Open a link…" }).click();
  const link = form(page, "Open a link");
  await link.getByLabel("Name").fill("Pier");
  await link.getByLabel(/MTHB9/).check();
  await link.getByLabel("Opens with").fill("100000");
  await send(page, "Open a link", "Sign the proposal");
  await accountant.page.goto("/pit#links");
  await confirm(accountant);
  await step(page, "A link").getByText("1", { exact: true }).waitFor();

  await step(page, "Tables").getByRole("link").click();
  await page.getByRole("button", { name: "Open a table…" }).click();
  const table = form(page, "Open a table");
  await table.getByLabel("Name").fill("Pier-1");
  expect(await table.getByLabel("Cards").inputValue()).toBe("live");
  expect(await table.getByLabel("Run by").inputValue()).toBe("staffed");
  await send(page, "Open a table", "Open the table");
  await step(page, "Players").getByText("none yet").waitFor();

  await page.goto("/dealer?table=Pier-1");
  const next = page.getByRole("region", { name: "Next" });
  await next.getByRole("heading", { name: "Open the bets" }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("p");
  await page.keyboard.type("Ann");
  await page.keyboard.press("Enter");
  await send(page, "Register Ann?", "Register and seat");
  const seat = page.getByRole("region", { name: "Position 1" });
  await seat.getByText("Ann", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await next.getByRole("heading", { name: "Close the bets" }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("a");
  await page.keyboard.type("50");
  await page.keyboard.press("Enter");
  await seat.getByRole("button", { name: "Buy in…" }).waitFor();
  await page.keyboard.press("g");
  const bought = form(page, "Buy in: Ann");
  expect(await bought.getByLabel("Amount").inputValue()).toBe("50.00");
  expect(await bought.getByLabel("As").inputValue()).toBe("chips");
  await bought.getByLabel("Amount").fill("1000");
  await checkAccessible(page);
  await send(page, "Buy in: Ann", "Buy in");
  const wagers = page.getByRole("list", { name: "Wagers" }).getByRole("listitem");
  await wagers.filter({ hasText: /Ante.*chips.*50\.00/s }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await wagers.filter({ hasText: /Jackpot.*chips.*5\.00/s }).waitFor();

  await page.goto("/pit");
  await page.getByText("No table needs attention.").waitFor();
  expect(await page.getByRole("region", { name: "Before the first round" }).count()).toBe(0);
  expect([...errors, ...accountant.errors]).toEqual([]);
});

const next = (page: Page) => page.getByRole("region", { name: "Next" });

/** Does what the console says comes next, until it says this. Ann wagers whenever she may. */
async function deal(page: Page, cards: string[], last: RegExp): Promise<void> {
  const heading = next(page).getByRole("heading").first();
  const act = next(page)
    .getByRole("button", { name: /(W|Enter)$/, disabled: false })
    .first();
  await until(`${last} to be next`, async () => {
    const said = await heading.innerText();
    if (last.test(said)) return true;
    if (/^(Board|Position \d|Dealer), /.test(said)) {
      await page.getByLabel("Scanner or text").fill(cards.shift() ?? "");
      await page.getByLabel("Scanner or text").press("Enter");
      await until("the card to be dealt", async () => (await heading.innerText()) !== said);
    } else if (await act.isVisible()) {
      await act.click();
    }
    return false;
  });
}

it.skipIf(!MOVES)("a round is dealt, the power fails in it, and play goes on to the settlement", async () => {
  const { page, errors } = manager;
  const cards = ["Kd", "Qs", "7h", "5c", "Td", "Kh", "Ks", "As", "3c"];
  await page.goto("/dealer?table=Pier-1");
  await deal(page, cards, /^Turn the flop/);
  await floor.kill();
  await page.getByText("Connection lost").waitFor();
  await floor.start(LATER);
  await next(page).getByText("Ask each Player: Ann").waitFor();
  await next(page)
    .getByRole("button", { name: /Ann plays on/ })
    .click();
  await deal(page, cards, /^Begin the next round/);
  expect(errors).toEqual([]);
});

it.skipIf(!MOVES)("the day that is over is signed by two, and everything of it is there the day after", async () => {
  await floor.kill();
  await floor.start(NEXT_DAY);
  const first = await comes("Gaming Shift Manager", "/reports", NEXT_DAY);
  const second = await comes("Gaming Shift Manager", "/pit", NEXT_DAY, 1);
  await first.page.getByRole("heading", { name: "Pier 9, gaming day 2031-03-03" }).waitFor();
  await first.page.getByRole("button", { name: "Sign for this day…" }).click();
  await send(first.page, "Sign for gaming day 2031-03-03", "Sign the proposal", account.password);
  await confirm(second, floor.account("Gaming Shift Manager", 1).password);
  await first.page.reload();
  await first.page
    .getByText(`Signed by ${account.name} and ${floor.account("Gaming Shift Manager", 1).name}`)
    .waitFor();
  expect(await first.page.getByRole("button", { name: "Sign for this day…" }).count()).toBe(0);
  await checkEverywhere(first.page);
  await first.page.goto("/replay?table=Pier-1&round=1");
  await first.page
    .getByText(/Power failure/i)
    .first()
    .waitFor();
  expect([...first.errors, ...second.errors]).toEqual([]);
});
