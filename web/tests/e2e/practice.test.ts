// A practice floor as people meet it: a mock table with a late bet, a misdeal and a jackpot, watched on the trainer's screen;
// a link of the theatre; and a floor that is not one says so.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, checkFits, openBrowser, person } from "./browser";
import { Floor, until } from "./floor";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.practice();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const next = (page: Page) => page.getByRole("region", { name: "Next" });
const scene = (page: Page) => page.getByRole("region", { name: "At the table" });
const alarm = (page: Page, words: RegExp) => scene(page).getByRole("alert").filter({ hasText: words });

/** What is the shoe's or a house player's to do, not the Dealer's. */
const NOT_OURS = /^(Take and pay|Position|Board|Dealer|Read|Hands|Deal|Nothing|The table)/;

interface Seat {
  holder?: string | null;
  areas: { area: string }[];
}

/** The table as the console shows it. */
async function look(page: Page, table: string): Promise<{ stage: { at: string }; round: number; seats: Seat[] }> {
  return (await page.request.get(`/api/tables/${table}`)).json();
}

/** Whether all three house players have sat down and wagered, as far as the stage asks for it. */
function isReady({ stage, seats }: { stage: { at: string }; seats: Seat[] }): boolean {
  if (stage.at === "before-bets") return seats.filter(({ holder }) => holder != null).length === 3;
  if (stage.at !== "bets-open") return true;
  return seats.filter(({ areas }) => areas.some(({ area }) => area === "ante")).length === 3;
}

interface Step {
  position: number;
  area: string;
  owner: string;
  does: "take" | "pay" | "return";
  amount: number;
}

/** Takes, pays or returns a wager on the console of a mock table, which has no list to read it from. */
async function pay(page: Page, { position, area, owner, does, amount }: Step): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/paying"));
  await page.locator(`input[name=wager][value="${position} ${area} ${owner}"]`).check();
  if (does === "pay") {
    await page.getByLabel("Amount to pay").fill((amount / 100).toFixed(2));
    await page.getByLabel("Amount to pay").press("Enter");
  } else {
    await page.getByRole("button", { name: does === "take" ? "Take it" : "Return it" }).click();
  }
  expect((await answered).ok()).toBe(true);
  // Until the page has taken the answer in, it takes no other step and forgets an amount.
  await next(page)
    .getByRole("button", { name: /^(Take it|Settle the round)/, disabled: false })
    .waitFor();
}

const paying = async (page: Page, table: string): Promise<Step[]> =>
  (await (await page.request.get(`/api/tables/${table}`)).json()).paying;

/** Presses Enter for a step that the console still shows: looked at and pressed at once, because the step after it may be
 * somebody else's. */
const pressEnter = (page: Page, step: string): Promise<void> =>
  next(page)
    .getByRole("heading")
    .first()
    .evaluate((heading, meant) => {
      if (heading.textContent !== meant) return;
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }, step);

/** Does the next step by its key whenever it is the Dealer's, until something holds. */
async function dealUntil(page: Page, table: string, what: string, holds: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await holds()) return true;
    const heading = (await next(page).getByRole("heading").first().textContent()) ?? "";
    if (heading === "Take and pay") for (const step of await paying(page, table)) await pay(page, step);
    const isOurs = !NOT_OURS.test(heading) && (await alarm(page, /./).count()) === 0;
    if (isOurs && isReady(await look(page, table))) await pressEnter(page, heading);
    return false;
  });
}

const happens = (page: Page, words: RegExp) => async () => (await alarm(page, words).count()) === 1;

it("a late bet, a misdeal and a jackpot are dealt with at a mock table, and the trainer sees each mark", async () => {
  const { page, errors, context } = await person(browser, floor, "/practice");
  await page.getByText("PRACTICE FLOOR").waitFor();
  expect(await page.title()).toContain("PRACTICE");
  await page.getByRole("button", { name: "A late bet, a misdeal and a jackpot" }).click();
  await page.waitForURL(/table=PRACTICE-/);
  await page.getByText("PRACTICE FLOOR").waitFor();
  const table = new URL(page.url()).searchParams.get("table") ?? "";
  const trainer = await person(browser, floor, `/practice?trainer=${table}`);
  const moves = trainer.page.getByRole("list", { name: "Moves and marks" }).getByRole("listitem");

  await dealUntil(page, table, "a late bet", happens(page, /Wait, that is mine!/));
  await trainer.page.getByText(/Waits for the Dealer: .*Wait, that is mine!/).waitFor();
  await page.getByRole("button", { name: "Something is wrong" }).click();
  await page.getByRole("button", { name: "A wager came after “No more bets”" }).click();
  await page.getByRole("radio", { name: /^2 / }).check();
  await page.getByRole("button", { name: "What do the rules allow?" }).click();
  await scene(page)
    .getByText(/✓ Named “late wager”.*MTHB9 5\.5/)
    .waitFor();
  await page.keyboard.press("Escape");
  await moves.filter({ hasText: "Named “late wager”" }).filter({ hasText: "✓ Right" }).waitFor();

  await dealUntil(page, table, "a misdeal", happens(page, /The hand of position 3 lies at position 4/));
  await checkAccessible(page);
  await page.keyboard.press("!");
  await page.getByRole("dialog", { name: "Something is wrong" }).waitFor();
  await page.keyboard.press("a");
  await page.getByLabel("Cards at position 3").fill("0");
  await page.getByLabel("Cards at position 4").fill("2");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "What the rules allow" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await next(page).getByRole("heading", { name: "Move the hands" }).waitFor();
  await page.keyboard.press("Enter");
  await moves.filter({ hasText: "MTHB9 5.2" }).filter({ hasText: "✓ Right" }).first().waitFor();

  const isWon = async () => {
    const { pending } = await (await page.request.get("/api/links/PRACTICE%20Megalink")).json();
    return pending.some((award: { table: string }) => award.table === table);
  };
  await dealUntil(page, table, "a jackpot", isWon);
  await page
    .getByText(/Straight flush/)
    .first()
    .waitFor();
  await scene(page)
    .getByText(/^Your marks: \d+ right, \d+ wrong or missed$/)
    .click();
  await scene(page)
    .getByRole("table", { name: "How it went" })
    .getByRole("row", { name: /^Session/ })
    .waitFor();
  await checkAccessible(trainer.page);
  expect(errors).toEqual([]);
  expect(trainer.errors).toEqual([]);
  await trainer.context.close();
  await context.close();
});

it("a trainer makes something happen, and what is passed over is missed", async () => {
  const { page, errors, context } = await person(browser, floor, "/practice");
  await page.getByRole("button", { name: "Open a table" }).waitFor();
  await checkFits(page);
  await page.getByRole("button", { name: "Open a table" }).click();
  await page.waitForURL(/table=PRACTICE-/);
  const table = new URL(page.url()).searchParams.get("table") ?? "";
  const trainer = await person(browser, floor, `/practice?trainer=${table}`);
  await trainer.page.getByRole("button", { name: "A wager is taken off" }).click();
  await trainer.page.getByText("Still to come: A wager is taken off.").waitFor();
  const missed = trainer.page.getByRole("listitem").filter({ hasText: "✗ Missed" });
  const isSeen = happens(page, /quietly takes the Ante off/);
  // It may happen while the next step is on its way: then the Dealer has passed over it already.
  await dealUntil(page, table, "it happens", async () => (await isSeen()) || (await missed.count()) !== 0);
  if ((await missed.count()) === 0) {
    await page.getByText("Also possible").click();
    await page.getByRole("button", { name: /Call/ }).click();
  }
  await missed.getByRole("link", { name: "MTHB9 5.6" }).waitFor();
  await checkFits(trainer.page);
  expect([...errors, ...trainer.errors]).toEqual([]);
  await trainer.context.close();
  await context.close();
});

it("a link of the theatre leads to the situation it names", async () => {
  const words = encodeURIComponent("power failure after a fold");
  const { page, errors, context } = await person(browser, floor, `/practice?say=${words}`);
  await page.waitForURL(/table=PRACTICE-/);
  await alarm(page, /The lights go out/).waitFor();
  await page.getByText(/fold/i).first().waitFor();
  await page.goto("/practice?hands=1:AsKs&board=QsJsTs&dealer=2c2d&until=settling");
  await page.waitForURL(/table=PRACTICE-/);
  await next(page).getByRole("heading", { name: "Take and pay" }).waitFor();
  // The engine marks order and amounts: the second step before the first, a wrong amount, then the rest.
  const table = new URL(page.url()).searchParams.get("table") ?? "";
  const [first, second, ...rest] = await paying(page, table);
  if (first === undefined || second === undefined) throw new Error("there is nothing to pay");
  const marked = (words: RegExp) => scene(page).locator(".last").filter({ hasText: words }).waitFor();
  await pay(page, second);
  await marked(/^✗ .*Something else comes before it/);
  expect(await page.getByRole("region", { name: "Take and pay" }).getByRole("row").count()).toBe(0);
  await pay(page, first);
  await marked(/^✓ .*It is the next step/);
  const large = rest.find(({ does }) => does === "pay");
  if (large === undefined) throw new Error("nobody is paid");
  for (const step of rest) {
    await pay(page, step === large ? { ...step, amount: step.amount + 500 } : step);
    if (step === large) await marked(/^✗ .*It is another amount/);
  }
  await next(page).getByRole("heading", { name: "Settle the round" }).waitFor();
  await page.goto(`/practice?say=${encodeURIComponent("award race on two tables")}`);
  const tables = page.getByRole("region", { name: "Tables" });
  await tables.getByRole("listitem").nth(3).waitFor();
  await checkAccessible(page);
  expect(errors).toEqual([]);
  await context.close();
});
