// What the staff do beside the deal: call a supervisor, take measures, correct what was keyed wrongly, look back at a round,
// hand out its proof, and search the audit trail.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, openBrowser, person } from "./browser";
import { type Caller, Floor, PROGRAM, until } from "./floor";
import { annAndBob, at, openLiveTable, playUntil, seatPlayer, staff, TWO_STRAIGHT_FLUSHES, wager } from "./scenes";

let floor: Floor;
let browser: Browser;
let manager: Caller;
let supervisor: Caller;
let dealer: Caller;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
  ({ manager, supervisor, dealer } = await staff(floor));
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const next = (page: Page) => page.getByRole("region", { name: "Next" });
const due = (page: Page, heading: string | RegExp) => next(page).getByRole("heading", { name: heading }).waitFor();

it("after a jackpot hand Enter calls a supervisor, the pit is alarmed, and the replay counts the awards", async () => {
  await annAndBob(manager, dealer, "Call");
  await playUntil(dealer, "Call", "settling", TWO_STRAIGHT_FLUSHES);
  const { page, errors, context } = await person(browser, floor, "/dealer?table=Call", dealer.account);
  await due(page, "Settle the round");
  // Enter is for the next step, whatever was clicked before.
  await page.getByText("Also possible").click();
  await page.keyboard.press("Enter");
  await due(page, "Call a supervisor");
  await next(page).getByText("Please wait for a supervisor.").waitFor();
  await page.keyboard.press("Enter");
  await due(page, "Wait for the supervisor");

  const pit = await person(browser, floor, "/pit", supervisor.account);
  await pit.page.getByRole("region", { name: "Alarms" }).getByText("The Dealer calls a supervisor.").click();
  await pit.page.getByRole("button", { name: "A supervisor is here" }).click();
  await pit.page.getByRole("button", { name: "A supervisor is here" }).waitFor({ state: "hidden" });
  const view = await manager.get("/api/tables/Call");
  expect(view.choices.some((choice: { command: { do: string } }) => choice.command.do === "answer-call")).toBe(false);

  // Nothing is swept, whatever is pressed, until the cards of every award are verified.
  await due(page, "Wait for the supervisor");
  await page.keyboard.press("Enter");
  // Whoever wants the next round all the same is told what is lost.
  await page.locator("details", { hasText: "Also possible" }).evaluate((list) => list.setAttribute("open", ""));
  await page.getByRole("button", { name: "Begin the next round" }).click();
  await page.getByText(/nobody can compare and count them any more/).waitFor();
  await page.keyboard.press("Escape");
  const { queue } = await manager.get("/api/links/Megalink/desk");
  const custody = { camera: "camera 4", seal: "S-1", deck_in_order: true, held_by: "Security" };
  for (const { award } of queue)
    await supervisor.send("/api/links/Megalink/commands", {
      do: "verify",
      award: award.number,
      checklist: { cards_checked: true, deck_cards: 52, custody },
    });
  await due(page, "Begin the next round");
  expect((await manager.get("/api/tables/Call")).round).toBe(1);

  const replay = await person(browser, floor, "/replay?table=Call&round=1", supervisor.account);
  const settlement = replay.page.getByRole("region", { name: /^Settlement/ });
  await settlement.getByText("Award 1").waitFor();
  const { awards } = await manager.get("/api/tables/Call/rounds/1");
  const won = awards.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  expect(won).toBeGreaterThan(0);
  const dollars = (won / 2 / 100).toLocaleString("en", { minimumFractionDigits: 2 });
  await settlement.getByText(dollars).first().waitFor();
  // Each seat wins its award and not its wagers alone.
  const seat = replay.page.getByTestId("replay-felt").getByRole("listitem", { name: "Position 1" });
  expect(await seat.innerText()).toMatch(/wins/);
  await checkAccessible(replay.page);
  for (const one of [page, pit.page, replay.page]) expect(one.isClosed()).toBe(false);
  expect([...errors, ...pit.errors, ...replay.errors]).toEqual([]);
  for (const one of [context, pit.context, replay.context]) await one.close();
});

it("a proof downloaded from the page is verified by the program", async () => {
  const table = "Proved";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await seatPlayer(manager, dealer, table, "Pia", 1);
  await at(dealer, table, { do: "open-bets" }, wager(1, "ante", 5_000, "Pia"));
  await playUntil(dealer, table, "settling", "Kd Qs 7h 5c 2d Kh 4c As 3c");
  await at(dealer, table, { do: "settle" }, { do: "begin-next-round" });
  const path = `/api/audit/rounds/${table}/1/proof`;
  await until(
    "a checkpoint to seal the round",
    async () => (await manager.get(path).catch(() => undefined)) !== undefined,
  );
  const { page, errors, context } = await person(browser, floor, `/replay?table=${table}&round=1`, supervisor.account);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the proof" }).click();
  const download = await downloading;
  const folder = mkdtempSync(join(tmpdir(), "megalink-proof-"));
  try {
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    const said = execFileSync(PROGRAM, ["audit", "verify", file], { encoding: "utf8" });
    expect(said).not.toContain("no proof");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(errors).toEqual([]);
  await context.close();
});

it("the statistics list who played, open their evidence with rounds to replay, and are closed to Players", async () => {
  const table = "Judged";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await seatPlayer(manager, dealer, table, "Stu", 1);
  await at(dealer, table, { do: "open-bets" }, wager(1, "ante", 5_000, "Stu"));
  await playUntil(dealer, table, "settling", "Kd Qs 7h 5c 2d Kh 4c As 3c");
  await at(dealer, table, { do: "settle" }, { do: "begin-next-round" });
  const { page, errors, context } = await person(browser, floor, "/statistics", manager.account);
  await page.getByRole("heading", { name: "Nothing stands out." }).waitFor();
  const row = page.locator("#players").getByRole("row", { name: /Stu/ });
  // A pair of Kings on the flop: every wager was the best, and nothing was lost by a mistake.
  await row.getByText("0 of 3").waitFor();
  await row.getByRole("button", { name: "Stu" }).click();
  const evidence = page.getByRole("complementary", { name: "Evidence: Stu" });
  for (const hidden of ["Dealer's card 1", "Dealer's card 2", "turn card", "river card", "all hidden cards"]) {
    await evidence.getByRole("heading", { name: `${hidden}:` }).waitFor();
  }
  const link = evidence.getByRole("link", { name: "Judged, round 1" }).first();
  expect(await link.getAttribute("href")).toBe("/replay?table=Judged&round=1");
  await checkAccessible(page);
  await evidence.getByRole("button", { name: "Close" }).click();
  await evidence.waitFor({ state: "hidden" });
  expect(errors).toEqual([]);
  await context.close();

  const player = await person(browser, floor, "/");
  await player.context.request.post("/api/session/guest", { headers: { "X-Megalink": "1" }, data: {} });
  expect((await player.context.request.get("/api/statistics?from=2026-01-01")).status()).toBe(403);
  await player.page.goto("/statistics");
  await player.page.getByText("This page is for the staff, from a Pit Manager up.").waitFor();
  await player.context.close();
});

it("a Player is prohibited with a reason and a confirmation, and is told why", async () => {
  const table = "Measure";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  const guest = await person(browser, floor, "/");
  const begun = await guest.context.request.post("/api/session/guest", { headers: { "X-Megalink": "1" }, data: {} });
  const { name } = (await begun.json()).who;
  await at(dealer, table, { do: "take-position", position: 3, player: name });
  await guest.page.goto(`/table?table=${table}`);
  const pit = await person(browser, floor, "/pit", manager.account);
  await pit.page.getByRole("button", { name: table }).first().click();
  await pit.page.getByRole("region", { name: "Positions" }).getByText(name).click();
  await pit.page.getByRole("button", { name: "Prohibit from play…" }).click();
  const dialog = pit.page.getByRole("dialog", { name: /Prohibit from play/ });
  expect(await dialog.getByRole("button", { name: "Prohibit from play" }).isDisabled()).toBe(true);
  expect((await manager.get("/api/pit")).prohibited).not.toContain(name);
  await dialog.getByLabel(/Why/).fill("Talked about the hand");
  await checkAccessible(pit.page);
  await dialog.getByRole("button", { name: "Prohibit from play" }).click();
  await dialog.waitFor({ state: "hidden" });
  await guest.page.getByRole("alert").getByText("Talked about the hand").waitFor();
  await guest.page.reload();
  await guest.page.getByRole("alert").getByText("Talked about the hand").waitFor();
  expect([...guest.errors, ...pit.errors]).toEqual([]);
  await guest.context.close();
  await pit.context.close();
});

it("the Dealer corrects a decision until the next card, and is told who gives out the chips that are missing", async () => {
  const table = "Keyed";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await seatPlayer(manager, dealer, table, "Kay", 2);
  await at(dealer, table, { do: "open-bets" }, wager(2, "ante", 5_000, "Kay"));
  await playUntil(dealer, table, "deciding flop", "Kd Qs 7h 5c 2d Kh 4c As 3c");
  await at(dealer, table, { do: "decide", position: 2, decision: "fold" });
  const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, dealer.account);
  await page.getByRole("button", { name: "Something is wrong" }).click();
  // Nothing is taken as answered.
  await page.getByRole("button", { name: "The cards themselves are wrong" }).click();
  expect(await page.getByRole("button", { name: "What do the rules allow?" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "A hand has too many or too few cards" }).click();
  expect(await page.getByRole("radio").count()).toBe(1);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "A decision was entered wrongly" }).click();
  await page.getByRole("button", { name: "What do the rules allow?" }).click();
  await page.getByRole("button", { name: /Correct to a wager/ }).waitFor();
  await checkAccessible(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  const view = await dealer.get(`/api/tables/${table}`);
  expect(view.seats[1].decisions).toEqual(["wager"]);
  expect(view.stage.at).toBe("exposing");
  await at(dealer, table, { do: "expose" });
  await page.getByRole("button", { name: "Something is wrong" }).click();
  await page.getByRole("button", { name: "A decision was entered wrongly" }).click();
  await page.getByRole("button", { name: "What do the rules allow?" }).click();
  await page.getByText("the decision stands").first().waitFor();
  await page.keyboard.press("Escape");
  expect((await manager.get("/api/accounts")).figure).toEqual({ cents: 0 });

  // Chips that nobody has given out: the console says who can.
  const chips = "NoChips";
  await openLiveTable(manager, { name: chips, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await dealer.send(`/api/tables/${chips}/commands`, { do: "take-position", position: 1, player: "Kay" });
  await at(dealer, chips, { do: "open-bets" });
  await page.goto(`/dealer?table=${chips}`);
  await due(page, "Close the bets");
  await page.keyboard.press("1");
  await page.keyboard.press("a");
  await page.keyboard.type("500");
  await page.keyboard.press("Enter");
  await page.getByText(new RegExp(`^A Pit Manager gives out chips: .*${manager.account.name}`)).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it("a round is analysed decision by decision, and another decision is tried", async () => {
  const table = "Analysed";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await seatPlayer(manager, dealer, table, "Ada", 1);
  await at(dealer, table, { do: "open-bets" }, wager(1, "ante", 5_000, "Ada"));
  // Two Kings after the flop: to check on the Turn is a mistake.
  await playUntil(dealer, table, "deciding turn", "Kd Qs 7h 5c 2d Kh 4c As 3c");
  await at(dealer, table, { do: "decide", position: 1, decision: "check" });
  await playUntil(dealer, table, "settling");
  await at(dealer, table, { do: "settle" });
  const { page, errors, context } = await person(browser, floor, `/replay?table=${table}&round=1`);
  const analysis = page.getByRole("region", { name: "Analysis" });
  await analysis
    .getByTestId("analysis-sum")
    .getByText(/decisions cost/)
    .waitFor();
  const turn = analysis.getByRole("row").filter({ hasText: "Turn: checks" });
  expect(await turn.innerText()).toContain("wager");
  await turn.getByRole("button", { name: "What if wager?" }).click();
  // A pair of Kings beats the Dealer's Ace high: the wager that was not made would have been paid.
  await analysis.getByText(/with the cards as they fell the hand brings/).waitFor();
  const { hands } = await manager.get(`/api/tables/${table}/rounds/1/analysis`);
  expect(hands[0].decisions[1].instead.result).toBe(hands[0].result + 5_000);
  await turn.getByRole("button", { name: "Turn: checks" }).click();
  await page.waitForURL(/step=\d+/);
  await checkAccessible(page);
  expect(errors).toEqual([]);
  await context.close();
});

it("the pit shows the gaming day, and the audit trail is searched", async () => {
  const { page, errors, context } = await person(browser, floor, "/pit", supervisor.account);
  await page.getByText("Win today").first().waitFor();
  const row = page.getByRole("row").filter({ hasText: "Analysed" });
  await row.getByText(dealer.account.name).waitFor();
  await page.goto("/pit#audit");
  await page.getByLabel("Stream").selectOption("table/Analysed");
  await page.getByLabel("Words").fill("checks");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText(/found among the newest/).waitFor();
  const found = page.getByRole("region", { name: "Audit trail" }).getByRole("listitem");
  for (const entry of await found.allInnerTexts()) expect(entry.toLowerCase()).toContain("checks");
  await checkAccessible(page);
  expect(errors).toEqual([]);
  await context.close();
});

it("new limits of a table are shown as those of the next round, and limits that cannot be are named", async () => {
  const table = "Limits";
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  const limits = { ante: [2_000, 60_000], bonus: [1_000, 50_000] };
  await manager.stepUp();
  await at(manager, table, { do: "open-bets" }, { do: "change-limits", limits });
  const view = await dealer.get(`/api/tables/${table}`);
  expect(view.limits.ante).toEqual([1_000, 50_000]);
  expect(view.next_limits.ante).toEqual([2_000, 60_000]);
  const { page, errors, context } = await person(browser, floor, "/pit", manager.account);
  await page.getByRole("button", { name: table }).first().click();
  await page.getByText("next round").first().waitFor();
  await page.getByRole("button", { name: "Change limits…" }).click();
  await page.getByLabel("Ante up to").fill("5.00");
  await page.getByRole("alert").getByText("The Ante goes up to less than it begins with").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it("the slip of an award is in Singapore time", async () => {
  const { page, context } = await person(browser, floor, "/desk?link=Megalink", supervisor.account);
  const slip = page.getByRole("article", { name: "Slip of award 1" });
  await slip.getByText("(UTC+8)").first().waitFor();
  await context.close();
});

it("in the lab a figure that cannot be paid is named beside its field, and Back returns to the tab before", async () => {
  const { page, errors, context } = await person(browser, floor, "/lab");
  await page.getByRole("tab", { name: "Strategy" }).click();
  await page.getByRole("tab", { name: "Session" }).click();
  await page.waitForURL(/#session/);
  await page.goBack();
  await page.getByRole("tab", { name: "Strategy", selected: true }).waitFor();
  await page.goBack();
  await page.getByRole("tab", { name: "Jackpot", selected: true }).waitFor();
  await page.locator("summary").filter({ hasText: "Bonus" }).first().click();
  const field = page.getByLabel(/^Bonus, .*: pays/).first();
  await field.fill("lots");
  await field.press("Tab");
  const wrong = page.getByRole("alert").filter({ hasText: "This cannot be paid" });
  await wrong.waitFor();
  expect(await page.getByText(/holdem\.bonus/).count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

it("a Player's own page keeps the day, the limits and the rounds", async () => {
  const guest = await person(browser, floor, "/");
  await guest.context.request.post("/api/session/guest", { headers: { "X-Megalink": "1" }, data: {} });
  await guest.page.goto("/me");
  await guest.page.getByLabel("Most you may lose").fill("50.00");
  await guest.page.getByRole("button", { name: "Set the limits" }).click();
  await guest.page.getByText("Now: at most P$50.00 lost").waitFor();
  await guest.page.getByLabel("Most you may lose").fill("500.00");
  await guest.page.getByText("it holds 24 hours after you set it").waitFor();
  await guest.page.getByRole("button", { name: "Set the limits" }).click();
  await guest.page.getByText(/^From .*: at most P\$500\.00 lost/).waitFor();
  await checkAccessible(guest.page);
  expect(guest.errors).toEqual([]);
  await guest.context.close();
});
