// Staff run live-dealt rounds on the Dealer's console, by keys and by the pad: one with a misdeal that is corrected, one
// that becomes void, one with a misread card.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAccessible, openBrowser, person, repeatPassword } from "./browser";
import { type Caller, Floor, until } from "./floor";
import { at, deal, openLiveTable, playUntil, seatPlayer, staff, wager } from "./scenes";

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

/** Waits until the console says what comes next. */
async function due(page: Page, heading: string | RegExp): Promise<void> {
  await next(page).getByRole("heading", { name: heading }).waitFor();
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Seats a Player by the keys. */
async function seat(page: Page, position: number, player: string): Promise<void> {
  await press(page, String(position), "p");
  await page.keyboard.type(player);
  await press(page, "Enter");
  await page
    .getByRole("region", { name: `Position ${position}` })
    .getByText(player, { exact: true })
    .waitFor();
}

/** Places a wager by the keys at the position that is chosen. */
async function place(page: Page, key: string, amount: string, shown: RegExp): Promise<void> {
  await press(page, key);
  await page.keyboard.type(amount);
  await press(page, "Enter");
  await page.getByRole("list", { name: "Wagers" }).getByRole("listitem").filter({ hasText: shown }).waitFor();
}

/** The list in paying order: what to do, with which area, how much. */
async function paying(page: Page): Promise<string[]> {
  const rows = await page.getByRole("region", { name: "Take and pay" }).getByRole("row").all();
  const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole("cell").allInnerTexts()));
  return cells.map(([, what, area, amount]) => `${what} ${area} ${amount}`.replace(/\s+/g, " "));
}

/** Opens what to do when something is wrong. A key is not taken while a command is on its way or a dialog closes. */
async function somethingIsWrong(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Something is wrong" });
  await until("the dialog of what is wrong", async () => {
    if (await dialog.isVisible()) return true;
    await press(page, "!");
    return dialog.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  });
}

/** Reports that hands are at wrong positions, with the number of cards at each. */
async function reportPiles(page: Page, piles: Record<number, number>): Promise<void> {
  await somethingIsWrong(page);
  await press(page, "a");
  for (const [position, cards] of Object.entries(piles)) {
    await page.getByLabel(`Cards at position ${position}`).fill(String(cards));
  }
  await press(page, "Enter");
  await page.getByRole("group", { name: "What the rules allow" }).waitFor();
}

/** Opens a question of "Something is wrong" by its letter: its radio buttons, those that are chosen, and the way on. */
async function asked(page: Page, letter: string, title: string) {
  await somethingIsWrong(page);
  await press(page, letter);
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return {
    offered: await dialog.getByRole("radio").evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    chosen: await dialog.getByRole("radio", { checked: true }).count(),
    mayGoOn: await dialog.getByRole("button", { name: "What do the rules allow?" }).isEnabled(),
  };
}

/** What Players hold in credits, as the books have it. */
async function credits(...players: string[]): Promise<string[]> {
  const { accounts } = await manager.get("/api/accounts");
  const wallets = players.map((player) => `wallet/${player}`);
  return accounts
    .filter(({ account }: { account: string }) => wallets.includes(account))
    .map(({ account, holds }: { account: string; holds: object }) => `${account} ${JSON.stringify(holds)}`);
}

describe.concurrent("on the Dealer's console", () => {
  it("a round is dealt, a misdeal corrected, and everybody paid", async () => {
    const table = "Keys";
    await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
    for (const player of ["Ann", "Bob"]) {
      await manager.send("/api/house/commands", { do: "register-player", player, kind: "member" });
      await manager.send("/api/house/commands", { do: "grant-credits", player, amount: 100_000, means: "credits" });
      await manager.send("/api/house/commands", { do: "grant-credits", player, amount: 100_000, means: "chips" });
    }
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, dealer.account);
    await due(page, "Open the bets");
    await next(page).getByText("“Place your bets, please.”").waitFor();
    await seat(page, 1, "Ann");
    // Whoever mistypes a name is asked before somebody new is registered.
    await press(page, "2", "p");
    await page.keyboard.type("Bobb");
    await press(page, "Enter");
    const asks = page.getByRole("dialog", { name: "Register Bobb?" });
    await asks.getByRole("button", { name: "Cancel" }).click();
    await asks.waitFor({ state: "hidden" });
    const second = page.getByRole("region", { name: "Position 2" });
    await second.getByLabel("Player").fill("Bob");
    await second.getByRole("button", { name: "Seat the Player" }).click();
    await second.getByText("Bob", { exact: true }).waitFor();
    const { players } = await manager.get("/api/house?name=Bob");
    expect(players.map(({ player }: { player: string }) => player)).toEqual(["Bob"]);
    await press(page, "Enter");
    await due(page, "Close the bets");
    await press(page, "1");
    await place(page, "a", "50", /Ante.*50\.00/);
    await place(page, "j", "5", /Jackpot.*5\.00/);
    await press(page, "2");
    await place(page, "a", "25", /Ante.*25\.00/);
    await next(page).getByText("“No more bets.”").waitFor();
    await press(page, "Enter");

    await due(page, "Board, first flop card");
    await page.keyboard.type("kdqs7h5c10d");
    await press(page, "Enter");
    await due(page, "Position 1, first card");
    const pad = page.getByRole("group", { name: "Card pad" });
    await pad.getByRole("button", { name: "10 of Diamonds" }).waitFor({ state: "hidden" });
    for (const card of ["King of Hearts", "King of Spades", "9 of Spades", "8 of Spades"]) {
      await pad.getByRole("button", { name: card }).click();
    }
    await next(page).getByRole("button", { name: "Deal 4 cards" }).click();
    await due(page, "Dealer, first card");
    await page.getByLabel("Scanner or text").fill("As 3c");
    await page.getByLabel("Scanner or text").press("Enter");

    await due(page, /^Position 1/);
    await reportPiles(page, { 2: 0, 3: 2 });
    await page.getByText("Record the misdeal").waitFor();
    await page.getByText("Every wager stays.").waitFor();
    await press(page, "Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await due(page, "Move the hands");
    await next(page).getByText("The hand at 3 belongs to 2").waitFor();
    await next(page).getByRole("link", { name: "MTHB9 5.2" }).waitFor();
    await press(page, "Enter");

    await due(page, /^Position 1/);
    await press(page, "w", "Enter");
    await due(page, /^Position 2/);
    await press(page, "f", "Enter");
    await due(page, "Turn the flop");
    await press(page, "Enter");
    await due(page, /^Position 1/);
    await press(page, "w", "Enter");
    await due(page, /^Turn the turn/);
    await press(page, "Enter");
    await due(page, /^Position 1/);
    await press(page, "c", "Enter");
    await due(page, /^Turn the river/);
    await press(page, "Enter");
    await due(page, "Turn the Dealer's hand");
    await press(page, "Enter");
    await due(page, /^Position 1/);
    await press(page, "Enter");

    await due(page, "Take and pay");
    expect(await paying(page)).toEqual([
      "Take Jackpot P$5.00",
      "Pay Flop P$100.00",
      "Pay Turn P$50.00",
      "Return Ante P$50.00",
      "Return Flop P$100.00",
      "Return Turn P$50.00",
      "Take Ante P$25.00",
    ]);
    await page.getByRole("link", { name: "MTHB9 3.10.2" }).first().waitFor();
    await checkAccessible(page);
    await press(page, "Shift+Enter");
    await due(page, "Settle the round");
    await press(page, "Enter");
    await due(page, "Begin the next round");
    await press(page, "Enter");
    await due(page, "Open the bets");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("a misdeal beyond repair makes the round void, and every wager is returned", async () => {
    const table = "Void";
    await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
    await seatPlayer(manager, dealer, table, "Cara", 1);
    await seatPlayer(manager, dealer, table, "Dan", 2);
    await manager.send("/api/house/commands", { do: "grant-credits", player: "Cara", amount: 10_000, means: "chips" });
    const before = await credits("Cara", "Dan");
    await at(
      dealer,
      table,
      { do: "open-bets" },
      wager(1, "ante", 5_000, "Cara", "chips"),
      wager(1, "jackpot", 500, "Cara"),
      wager(2, "ante", 2_500, "Dan"),
      { do: "close-bets" },
    );
    await deal(dealer, table, "Kd Qs 7h 5c Td Kh Ks 9s 8s As 3c");
    expect(await credits("Cara", "Dan")).not.toEqual(before);
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, dealer.account);
    await due(page, /^Position 1/);
    // Nothing is answered for the Dealer, and a hand is sought only where cards are.
    expect(await asked(page, "f", "The cards themselves are wrong")).toEqual({
      offered: ["extra", "missing", "foreign", "unshuffled"],
      chosen: 0,
      mayGoOn: false,
    });
    await press(page, "Escape");
    expect(await asked(page, "b", "A Player touched the cards")).toEqual({
      offered: ["1", "2"],
      chosen: 0,
      mayGoOn: false,
    });
    await press(page, "Escape");
    await reportPiles(page, { 1: 1, 2: 3 });
    await page.getByText("3 wagers are returned.").waitFor();
    expect(await page.getByRole("cell", { name: "is returned" }).count()).toBe(3);
    await checkAccessible(page);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await due(page, "Return the wagers");
    expect((await paying(page)).toSorted()).toEqual([
      "Return Ante P$25.00",
      "Return Ante P$50.00",
      "Return Jackpot P$5.00",
    ]);
    await press(page, "Enter");
    await due(page, "Begin the next round");
    await page.getByText("The round is void. Return all wagers.").waitFor();
    await page.getByRole("link", { name: "MTHB9 5.2" }).first().waitFor();
    expect(await credits("Cara", "Dan")).toEqual(before);
    // What was not done is not ticked, and no wager lies there any more, in the pit either.
    const steps = page.getByRole("region", { name: "Procedure" }).getByRole("listitem");
    const notDone = await steps.filter({ hasText: "not done" }).locator("span:nth-child(2)").allInnerTexts();
    expect(notDone).toEqual([
      "Decisions on the Flop",
      "Turn the flop",
      "Decisions on the Turn",
      "Turn the turn card",
      "Decisions on the River",
      "Turn the river card",
      "Turn the Dealer's hand",
      "Hands shown",
      "Take and pay",
    ]);
    const pit = await person(browser, floor, "/pit", supervisor.account);
    const open = pit.page.getByRole("button", { name: /^Void\b/ });
    const row = pit.page.getByRole("row").filter({ has: open });
    await row.locator(".stage").getByText("Void").waitFor();
    expect(await row.locator(".felt").innerText()).toBe("P$0.00");
    await open.click();
    const seat = pit.page.getByRole("complementary", { name: "Table Void" }).getByRole("group").first();
    await seat.click();
    await seat.getByText("No wager here.").waitFor();
    expect(await seat.innerText()).not.toMatch(/Ante|50\.00/);
    await pit.context.close();
    await press(page, "Enter");
    await due(page, "Open the bets");
    expect((await manager.get("/api/accounts")).figure).toEqual({ cents: 0 });
    expect(errors).toEqual([]);
    await context.close();
  });

  it("what no rule covers is ruled on by a Gaming Shift Manager, who signs on the console", async () => {
    const table = "Ruling";
    await openLiveTable(manager, { name: table, rulebook: "megalink-stud-v9", link: "Megalink", positions: 7 });
    await seatPlayer(manager, dealer, table, "Eve", 4);
    await at(dealer, table, { do: "open-bets" }, wager(4, "ante", 5_000, "Eve"), { do: "close-bets" });
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, dealer.account);
    await due(page, /^Position 4, first card/);
    await page.getByRole("button", { name: "Something is wrong" }).click();
    await page.getByRole("button", { name: "No rule covers it" }).click();
    await page.getByLabel("In a sentence").fill("Water was spilt over the layout.");
    await page.getByRole("button", { name: "What do the rules allow?" }).click();
    await page.getByRole("button", { name: /Make a ruling.*the round is void/ }).click();
    await page.getByText("may not decide this").waitFor();
    await page.getByLabel("Name of the Gaming Shift Manager").fill(manager.account.name);
    await page.getByLabel("Password").fill(manager.account.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /Make a ruling.*the round is void/ }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await repeatPassword(page, manager.account.password);
    await due(page, "Begin the next round");
    await page.getByText("The round is void. Return all wagers.").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("cards dealt face down are read where it is asked, and a single wager is ruled on", async () => {
    const table = "Reading";
    await openLiveTable(manager, { name: table, rulebook: "megalink-stud-v9", link: "Megalink", positions: 7 });
    await seatPlayer(manager, dealer, table, "Fay", 2);
    await at(dealer, table, { do: "open-bets" }, wager(2, "ante", 5_000, "Fay"), { do: "close-bets" });
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, manager.account);
    await due(page, "Position 2, first card");
    await press(page, "Shift+Enter");
    await due(page, "Read the Dealer's cards");
    await page.keyboard.type("9c");
    await press(page, "Enter");
    await due(page, "Turn the Dealer's last card");
    await press(page, "Enter");
    await due(page, /^Position 2/);

    await page.getByRole("button", { name: "Something is wrong" }).click();
    await page.getByRole("button", { name: "No rule covers it" }).click();
    await page.getByLabel("In a sentence").fill("A chip rolled off the layout.");
    await page.getByRole("button", { name: "What do the rules allow?" }).click();
    await page.getByRole("button", { name: /Make a ruling.*Ante wager at position 2 is returned/ }).click();
    await page.getByLabel("Outcome").selectOption("stand-off");
    await page.getByText("One wager stands off.").waitFor();
    await checkAccessible(page);
    await page.getByRole("button", { name: "Confirm" }).click();
    await repeatPassword(page, manager.account.password);
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const { rulings } = await dealer.get(`/api/tables/${table}`);
    expect(rulings).toEqual([{ words: "A chip rolled off the layout.", effects: 1 }]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("a Pit Supervisor corrects a misread card, and the settlement follows the right one", async () => {
    const table = "Misread";
    await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
    await seatPlayer(manager, dealer, table, "Gus", 1);
    await at(dealer, table, { do: "open-bets" }, wager(1, "ante", 5_000, "Gus"));
    // Gus holds the King of Hearts, and with it a pair; the Nine is entered.
    await playUntil(dealer, table, "settling", "Kd Qs 7h 5c 2d 9h 4c As 3c");
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, supervisor.account);
    await due(page, "Settle the round");
    expect(await paying(page)).toContain("Take Flop P$100.00");

    await press(page, "!");
    await page.getByRole("button", { name: "Correct a card" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct a card" });
    await dialog.getByRole("radio", { name: "Position 1, first card: Nine of Hearts" }).check();
    await page.keyboard.type("kd");
    await dialog.getByText("Kd is on the table already.").waitFor();
    await checkAccessible(page);
    await page.keyboard.type("kh");
    await dialog.getByRole("button", { name: "Correct to King of Hearts" }).waitFor();
    await press(page, "Enter");
    await dialog.waitFor({ state: "hidden" });

    const flop = page.getByRole("region", { name: "Take and pay" }).getByRole("row");
    await flop.filter({ hasText: /Pay\s*Flop/ }).waitFor();
    await press(page, "Enter");
    await due(page, "Begin the next round");
    expect(await paying(page)).toEqual(expect.arrayContaining(["Pay Flop P$100.00", "Return Ante P$50.00"]));
    expect(errors).toEqual([]);
    await context.close();
  });

  it("gives a shoe a key, and stops play when it missed a card", async () => {
    const table = "Live shoe";
    await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
    await seatPlayer(manager, dealer, table, "Kim", 1);
    await at(dealer, table, { do: "open-bets" }, wager(1, "ante", 5_000, "Kim"), { do: "close-bets" });
    const pit = await person(browser, floor, "/pit#devices", manager.account);
    await pit.page.getByText("No device has a key.").waitFor();
    await pit.page.getByRole("button", { name: "Make a key…" }).click();
    const form = pit.page.getByRole("dialog", { name: "Make a key for a device" });
    await form.getByLabel("Name of the device").fill("Shoe 7");
    await form.getByLabel(/^Table/).selectOption(table);
    await checkAccessible(pit.page);
    await form.getByRole("button", { name: "Make the key" }).click();
    await repeatPassword(pit.page, manager.account.password);
    const once = pit.page.getByRole("dialog", { name: "The key of Shoe 7" });
    const key = await once.getByLabel("Key").inputValue();
    await once.getByRole("button", { name: "Done" }).click();
    const devices = pit.page.getByRole("list", { name: "Devices" });
    await devices.getByText(`enters the cards of table ${table}`).waitFor();

    const shoe = async (command: object): Promise<number> => {
      const answer = await fetch(`${floor.address}/api/tables/${encodeURIComponent(table)}/commands`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          "Idempotency-Key": crypto.randomUUID(),
          "X-Megalink": "1",
        },
        body: JSON.stringify(command),
      });
      return answer.status;
    };
    expect(await shoe({ do: "deal-card", card: "Kd" })).toBe(200);
    const { page, errors, context } = await person(browser, floor, `/dealer?table=${table}`, dealer.account);
    await due(page, "Board, second flop card");
    expect(await shoe({ do: "stop-reader", fault: "lost", seen: "Read 3 came, but read 2 did not." })).toBe(200);
    await due(page, "The card reader stopped");
    await next(page).getByText("Read 3 came, but read 2 did not.").waitFor();
    await checkAccessible(page);
    expect(await shoe({ do: "deal-card", card: "Qs" })).toBe(409);
    await next(page).getByRole("button", { name: "Enter the cards by hand" }).click();
    await due(page, "Board, second flop card");
    await page.getByText("The cards of this round are entered by hand.").first().waitFor();
    await page.keyboard.type("qs");
    await press(page, "Enter");
    await due(page, "Board, third flop card");
    expect(errors).toEqual([]);
    await context.close();

    await devices.getByRole("button", { name: "Revoke the key of Shoe 7" }).click();
    await pit.page
      .getByRole("dialog", { name: "Revoke the key of Shoe 7" })
      .getByRole("button", { name: "Revoke it now" })
      .click();
    await pit.page.getByText("No device has a key.").waitFor();
    expect(await shoe({ do: "deal-card", card: "2c" })).toBe(401);
    expect(pit.errors).toEqual([]);
    await pit.context.close();
  });
});
