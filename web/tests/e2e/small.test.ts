// What a person sees on a small screen, on a wall and on the first visit: nothing is cut off, squeezed or said wrongly.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { boxes, drawn, openBrowser, person } from "./browser";
import { Floor, until } from "./floor";
import { at, openLiveTable, seatPlayer, staff, wager } from "./scenes";
import { setStage } from "./stage";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
  await setStage(floor);
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const PHONE = { width: 390, height: 844 };
const SMALL = { width: 320, height: 844 };

it.concurrent("a newcomer finds a table of their own first, and it says what it is", async () => {
  const { page, context } = await person(browser, floor, "/", undefined, { viewport: PHONE });
  const first = page.getByRole("article").first();
  await first.getByText("it deals when you say so").waitFor();
  await first.getByText("Free for you").waitFor();
  await first.getByRole("link", { name: /^Sit down/ }).waitFor();
  await context.close();
});

it.concurrent("whoever has placed nothing is told when they can bet", async () => {
  const { manager, dealer } = await staff(floor);
  await openLiveTable(manager, { name: "Middle", rulebook: "megalink-holdem-v9", link: "Megalink", positions: 3 });
  await seatPlayer(manager, dealer, "Middle", "Nadia", 1);
  await at(dealer, "Middle", { do: "open-bets" }, wager(1, "ante", 5_000, "Nadia"));
  const { page, context } = await person(browser, floor, "/table?table=Middle&sit=1", undefined, { viewport: PHONE });
  await page.getByRole("button", { name: /^Ante, position.*Lay a chip/ }).waitFor();
  await at(dealer, "Middle", { do: "close-bets" });
  await page.getByText("A round is being played. You can bet as soon as it is over.").waitFor();
  await context.close();
});

it.concurrent("a table that waits for its Dealer quotes nobody", async () => {
  const { page, context } = await person(browser, floor, "/table?table=MSSP9-LIVE");
  await page.locator(".call").getByText("Waiting for the Dealer to open the bets.", { exact: true }).waitFor();
  await context.close();
});

it.concurrent("every amount of the demonstration round says its currency", async () => {
  const { page, context } = await person(browser, floor, "/table?table=MTHB9-1");
  await page.getByRole("button", { name: "Show me" }).click();
  const shown = page.getByRole("dialog", { name: "A round in a minute" });
  await shown.getByText("Here it is P$25.00.").waitFor();
  const next = shown.getByRole("button", { name: "Next step" });
  while (await next.isVisible()) await next.click();
  await shown.getByText("you win P$75.00.").waitFor();
  await context.close();
});

it.concurrent("the menu names the coach, and its box says whether it is on", async () => {
  const { page, context } = await person(browser, floor, "/table?table=MTHB9-1", undefined, { viewport: SMALL });
  await page.getByRole("button", { name: "Menu" }).click();
  const coach = page.getByRole("dialog", { name: "Menu" }).getByRole("checkbox", { name: "Coach", exact: true });
  expect(await coach.isChecked()).toBe(false);
  await coach.check();
  expect(await coach.isChecked()).toBe(true);
  await context.close();
});

it.concurrent("the wagers of a phone lie above the controls, with every notice shown", async () => {
  const { page, context } = await person(browser, floor, "/table?table=MTHB9-2&sit=1", undefined, { viewport: PHONE });
  const ante = page.getByRole("button", { name: /^Ante, position.*Lay a chip/ }).first();
  const notices = [page.getByText(/^Pending: /), page.getByRole("button", { name: "Show me" })] as const;
  // Between rounds no chip can be laid: the next round shows the area again.
  const [area, bar] = await boxes(page, ante, page.locator(".bar"), ...notices);
  expect(area.y + area.height).toBeLessThanOrEqual(bar.y);
  await context.close();
});

it.concurrent("whoever watches on a phone sees the cards clear of the timer", async () => {
  const { page, context } = await person(browser, floor, "/table?table=MTHB9-1", undefined, { viewport: PHONE });
  const [board, words] = await boxes(page, page.locator(".board"), page.getByRole("timer").locator(".words"));
  // The names of the streets stand below the cards.
  expect(board.y + board.height + 16).toBeLessThanOrEqual(words.y);
  await context.close();
});

it.concurrent("the guide to irregularities can be read on the smallest phone", async () => {
  const { page, context } = await person(browser, floor, "/dealer?table=Training", floor.account("Dealer"), {
    viewport: SMALL,
  });
  await page.getByRole("button", { name: "Something is wrong" }).click();
  const first = page.getByRole("button", { name: /^Cards were dealt incorrectly/ });
  const [name] = await boxes(page, first.locator("span").first());
  expect(name.width).toBeGreaterThan(180);
  await context.close();
});

it.concurrent("a sign names the first tables without a connection, all of it inside the screen", async () => {
  const { page, context } = await person(browser, floor, "about:blank", undefined, { viewport: SMALL });
  const lost = Array.from({ length: 8 }, (_, number) => `Main pit ${number + 1}`);
  let shown: object = { state: "fault", lost };
  await page.routeWebSocket(/\/api\//, () => undefined);
  await page.route("**/api/links/Megalink", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...shown } });
  });
  await page.goto(`${floor.address}/sign?link=Megalink`);
  const said = page.getByText("No connection to: Main pit 1, Main pit 2, Main pit 3 and 5 more");
  for (const size of [SMALL, { width: 1440, height: 900 }]) {
    await page.setViewportSize(size);
    await drawn(page);
    const [{ x, width }, name, play] = await boxes(
      page,
      said,
      page.getByRole("heading", { level: 1 }),
      page.getByText("Demonstration: play money"),
    );
    expect(x).toBeGreaterThan(4);
    expect(x + width).toBeLessThan(size.width - 4);
    expect(name.y).toBeGreaterThan(0);
    expect(play.y + play.height).toBeLessThan(size.height);
  }
  // A table that nobody follows is no fault of the link.
  shown = { state: "open", unattended: ["HC"] };
  await page.getByText("Nobody is at the console of HC: open it.").waitFor();
  expect(await page.getByTestId("sign").getAttribute("data-state")).toBe("open");
  // The sign goes on asking: what is on its way when the page closes is nobody's error.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
});

it.concurrent.each(["MTHB9", "MTHB6", "MSSP9", "THB6"])("the rulebook %s begins with how to play", async (book) => {
  const { page, context } = await person(browser, floor, `/rules?book=${book}`);
  const how = page.getByRole("region", { name: "How to play" });
  await how.getByRole("listitem").first().waitFor();
  expect(await how.getByRole("listitem").count()).toBe(5);
  await how.getByText("twice the Ante").waitFor();
  const [first, tabs] = await boxes(page, how, page.getByRole("tablist"));
  expect(first.y).toBeLessThan(tabs.y);
  await context.close();
});

it.concurrent("the rounds of a chosen table come before the other tables", async () => {
  const { page, context } = await person(browser, floor, "/replay?table=Winners", undefined, { viewport: PHONE });
  const round = page.getByRole("link", { name: "Round 1", exact: true });
  await until("the round to be in sight", async () => (await boxes(page, round))[0].y < PHONE.height / 2);
  await context.close();
});
