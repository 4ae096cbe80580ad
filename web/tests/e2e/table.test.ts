// The Player's table tells the truth: clocks run, awards arrive, hands have names, and a tap does only what it says.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxes, checkAccessible, checkEverywhere, openBrowser, person } from "./browser";
import { Floor, until } from "./floor";
import { decision, hand, laysAnte, mayLay, playOn, press } from "./play";
import { at, openLiveTable, playUntil, staff, wager } from "./scenes";

let floor: Floor;
let browser: Browser;

// The pace of the demonstration where it matters, so that what is measured is what people get.
const PACE = {
  MEGALINK_FLOOR__PACE__DEAL_MS: "600",
  MEGALINK_FLOOR__PACE__EXPOSE_MS: "900",
  MEGALINK_FLOOR__PACE__SHOW_MS: "5000",
  MEGALINK_FLOOR__PACE__SETTLE_MS: "900",
  MEGALINK_FLOOR__PACE__NEXT_ROUND_MS: "6000",
  MEGALINK_FLOOR__PACE__BETS_MS_MAX: "9000",
  // A hand that is being decided is looked at in every size first.
  MEGALINK_FLOOR__PACE__DECIDE_MS_MAX: "90000",
};

beforeAll(async () => {
  floor = await Floor.start(PACE);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

const own = async (page: Page): Promise<{ name: string; position: number | undefined }> => {
  const answer = await page.request.get("/api/me");
  const me = answer.ok() ? await answer.json() : {};
  return { name: me.name, position: me.positions?.[0]?.position };
};

/** A guest's page at a table, once they have a position there. */
async function guestAt(table: string, size = { width: 1280, height: 800 }) {
  const guest = await person(browser, floor, "/");
  await guest.page.setViewportSize(size);
  await guest.page.goto(`/table?table=${encodeURIComponent(table)}&sit=1`);
  await until(`a position at ${table}`, async () => (await own(guest.page)).position !== undefined);
  const { name, position = 0 } = await own(guest.page);
  return { ...guest, name, position };
}

/** Opens a table with the pace of the demonstration, for one Player alone unless it has more `positions`. */
async function ownTable(name: string, rulebook = "megalink-holdem-v9", positions = 1): Promise<string> {
  const { manager } = await staff(floor);
  const limits = { ante: [1_000, 50_000], ...(rulebook.includes("stud") ? {} : { bonus: [500, 10_000] }) };
  const setup = { rulebook, dealing: "software", staffing: "automatic", positions, link: "Megalink", limits };
  await manager.send("/api/house/commands", { do: "open-table", table: name, setup });
  return name;
}

const STUD = "megalink-stud-v9";

/** A live hold'em table for one guest, with its cards to come. */
async function liveTable(name: string, over: object = {}) {
  const people = await staff(floor);
  await openLiveTable(people.manager, {
    name,
    rulebook: "megalink-holdem-v9",
    link: "Megalink",
    positions: 7,
    ...over,
  });
  return people;
}

/** The board and the Player's hand make a Straight flush with the flop, against the Dealer's Aces. */
const STRAIGHT_FLUSH = "7s 6s 5s Kd 2c 9s 8s Ah Ad";

describe("the clock and the pace", () => {
  it("counts down second by second while nothing else happens", async () => {
    const { page, context } = await guestAt(await ownTable("Clock"));
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    await decision(page).waitFor();
    // Of the decision alone: a clock that shows something else has not counted down.
    const seconds = async (): Promise<number> => {
      const [words = ""] = await page.getByRole("timer").allTextContents();
      return Number(/^(\d+) s to decide$/.exec(words.trim())?.[1]);
    };
    let first = Number.NaN;
    await until("the clock", async () => {
      first = await seconds();
      return first > 0;
    });
    for (const later of [1, 2, 3]) {
      await until(`the clock to show ${first - later}`, async () => (await seconds()) <= first - later);
    }
    await context.close();
  });

  it("counts chips that lie there when bets close, takes chips back and doubles them", async () => {
    const table = await ownTable("Counts", undefined, 2);
    const { page, context, position } = await guestAt(table);
    // A timer begins with the first wager, which is somebody else's: until then nothing happens by itself.
    const other = await floor.guest();
    const { name } = other.account;
    const beside = 3 - position;
    await at(other, table, { do: "take-position", position: beside, player: name });
    const ante = page.getByRole("button", { name: new RegExp(`^Ante, position ${position}\\b`) });
    await mayLay(page);
    await page.keyboard.press("3");
    await page.keyboard.press("a");
    await ante.and(page.getByLabel(/not placed yet/)).waitFor();
    const laid = async () =>
      Number(/, P\$([\d,]+)\.00/.exec((await ante.getAttribute("aria-label")) ?? "")?.[1]?.replace(",", "") ?? 0);
    const one = await laid();
    await page.keyboard.press("d");
    await until("the chips to be doubled", async () => (await laid()) === 2 * one);
    await page.keyboard.press("u");
    await until("the chips to be taken back", async () => (await laid()) === one);
    // Nobody presses Place: the chips count when the timer ends.
    await at(other, table, wager(beside, "ante", 5_000, name));
    await until("the laid chips to be on the table", async () => {
      const view = await other.get(`/api/tables/${table}`);
      const seat = view.seats.find((each: { position: number }) => each.position === position);
      return seat.areas.some(
        (each: { area: string; total: number }) => each.area === "ante" && each.total === one * 100,
      );
    });
    await context.close();
  });
});

describe("an award", () => {
  it("is paid while the winner looks on, and told of after a reload", async () => {
    const { manager, second, supervisor, dealer } = await liveTable("Lucky");
    const { page, context, name, position, errors } = await guestAt("Lucky");
    await at(
      dealer,
      "Lucky",
      { do: "open-bets" },
      wager(position, "ante", 5_000, name),
      wager(position, "jackpot", 500, name),
    );
    await playUntil(dealer, "Lucky", "settling", STRAIGHT_FLUSH);
    await at(dealer, "Lucky", { do: "settle" });
    await page.getByRole("button", { name: "Thank you" }).waitFor();
    await checkEverywhere(page);
    await press(page.getByRole("button", { name: "Thank you" }));
    const banner = page.getByRole("status").filter({ hasText: "You win" });
    await banner.getByText("A Straight flush, Nine high, beats a pair of Aces.").waitFor();
    await banner.getByText(/PENDING/).waitFor();
    // The five cards that count are lit in both hands: of the board three for the Player, three for the Dealer, two in common.
    expect(await page.getByRole("group", { name: "Community cards" }).locator(".lit").count()).toBe(4);
    expect(await page.getByRole("group", { name: "The Dealer's hand" }).locator(".lit").count()).toBe(2);
    const { queue } = await manager.get("/api/links/Megalink/desk");
    const award = queue.map((each: { award: { number: number; amount: number } }) => each.award).at(-1);
    const balance = async () => Number((await page.getByTestId("balance").textContent())?.replace(/[^\d.]/g, "")) * 100;
    // What the page shows may be older than what the books have.
    const before = (await (await page.request.get("/api/me")).json()).balance;

    const link = "/api/links/Megalink/commands";
    const custody = { camera: "camera 4", seal: "S-1", deck_in_order: true, held_by: "Security" };
    const checklist = { cards_checked: true, deck_cards: 52, custody };
    await supervisor.send(link, { do: "verify", award: award.number, checklist });
    await manager.send(link, { do: "approve", award: award.number });
    await manager.send(link, { do: "record-due-diligence", award: award.number, reference: "Cage, folder 1" });
    await second.send(link, { do: "pay", award: award.number });

    await page.getByText(new RegExp(`^Award ${award.number} of .* was paid`)).waitFor();
    await banner.getByText(/Paid/).waitFor();
    await until("the balance to grow", async () => Math.round((await balance()) - before) === award.amount);
    await press(page.getByRole("button", { name: "Every wager and why" }));
    const jackpot = page.getByRole("dialog").getByRole("row", { name: /^Jackpot/ });
    expect(await jackpot.textContent()).not.toMatch(/−5/);
    await page.keyboard.press("Escape");

    await at(dealer, "Lucky", { do: "begin-next-round" });
    await page.reload();
    await press(page.getByRole("button", { name: /^Last round \+/ }));
    const dialog = page.getByRole("dialog", { name: "How the round ended" });
    const told = dialog.getByRole("row", { name: new RegExp(`Award ${award.number}`) });
    await told.getByText(/Paid/).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the Player decides", () => {
  it("declines only after being told what is lost", async () => {
    const { dealer } = await liveTable("Shy");
    const { page, context, name, position } = await guestAt("Shy");
    await at(dealer, "Shy", { do: "open-bets" }, wager(position, "ante", 5_000, name));
    await playUntil(dealer, "Shy", "showing", "7s 6s 5s Kd 2c 9d 8d Ah Ad");
    const decline = page.getByRole("button", { name: "Decline to show…" });
    await decline.click();
    const asked = page.getByRole("dialog", { name: "Decline to show your hand?" });
    await asked.getByText(/250\.00/).waitFor();
    await checkEverywhere(page);
    await asked.getByRole("button", { name: "Show my hand" }).click();
    const state = async () => {
      const view = await dealer.get("/api/tables/Shy");
      return view.seats.find((seat: { position: number }) => seat.position === position).state;
    };
    expect(await state()).toBe("showing");
    await decline.click();
    await asked.getByRole("button", { name: "Decline and lose" }).click();
    await until("the hand to be declined", async () => (await state()) === "declined");
    await context.close();
  });

  it("looks at the cards before deciding, and only by choice where there is staff", async () => {
    const { manager, dealer } = await staff(floor);
    const setup = {
      rulebook: "megalink-holdem-v9",
      dealing: "software",
      staffing: "staffed",
      positions: 7,
      link: null,
      limits: { ante: [1_000, 50_000], bonus: [1_000, 50_000] },
    };
    await manager.send("/api/house/commands", { do: "open-table", table: "Look", setup });
    const { page, context, name, position } = await guestAt("Look", { width: 390, height: 800 });
    const other = position === 1 ? 2 : 1;
    await at(
      dealer,
      "Look",
      { do: "inform-player", player: name },
      { do: "take-position", position: other, player: name },
      { do: "open-bets" },
    );
    for (const each of [position, other]) await at(dealer, "Look", wager(each, "ante", 5_000, name));
    await playUntil(dealer, "Look", "deciding flop");
    await decision(page).waitFor();
    expect(await decision(page).getByRole("button", { name: /Fold/ }).count()).toBe(0);
    const view = async () => (await dealer.get("/api/tables/Look")).seats;
    expect((await view()).some((seat: { viewed: boolean }) => seat.viewed)).toBe(false);
    await decision(page)
      .getByRole("button", { name: /View hand/ })
      .click();
    // With two hands every button says which one it is about.
    const fold = decision(page).getByRole("button", { name: /^Position \d: Fold/ });
    await fold.waitFor();
    expect((await hand(page)).filter((card) => card !== null && / of /.test(card))).toHaveLength(2);
    const first = (await fold.textContent()) ?? "";
    await fold.click();
    await until("the other hand to be in front", async () => ((await fold.textContent()) ?? first) !== first);
    await context.close();
  });

  it("wagers nothing by a key that was pressed for something else", async () => {
    const { dealer } = await liveTable("Rests");
    const { page, context, name, position } = await guestAt("Rests");
    await at(dealer, "Rests", { do: "open-bets" }, wager(position, "ante", 5_000, name));
    await playUntil(dealer, "Rests", "deciding flop", STRAIGHT_FLUSH);
    await decision(page).getByRole("button", { name: "Look at your cards", disabled: false }).waitFor();
    // Enter is pressed again and again from the moment on in which the other buttons are there.
    await page.evaluate(() => {
      const watch = new MutationObserver(() => {
        if (document.querySelectorAll(".decision .figures").length === 0) return;
        watch.disconnect();
        const began = performance.now();
        const press = () => {
          if (300 < performance.now() - began) {
            document.body.dataset.pressed = "often";
            return;
          }
          window.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
          requestAnimationFrame(press);
        };
        press();
      });
      watch.observe(document.body, { subtree: true, childList: true });
    });
    await page.keyboard.press("Enter");
    await page.locator("body[data-pressed]").waitFor({ state: "attached" });
    const flop = decision(page).getByRole("button", { name: /^Flop/ });
    await until("the wager may be pressed", () => flop.isEnabled());
    const { seats } = await dealer.get("/api/tables/Rests");
    expect(seats[position - 1].decisions).toEqual([]);
    await context.close();
  });

  it("has no button for what the page does by itself", async () => {
    const { page, context } = await guestAt(await ownTable("Looks"));
    await laysAnte(page);
    await page.evaluate(() => {
      const watch = new MutationObserver(() => {
        const first = document.querySelector(".decision button .label")?.textContent;
        if (first != null && document.body.dataset.first === undefined) document.body.dataset.first = first;
      });
      watch.observe(document.body, { subtree: true, childList: true });
    });
    await press(page.getByRole("button", { name: /^Deal · / }));
    await decision(page).waitFor();
    expect(await page.locator("body").getAttribute("data-first")).toBe("Fold");
    await context.close();
  });
});

describe("where things are", () => {
  it("has position 1 at the Dealer's left, on the viewer's right", async () => {
    const { page, context } = await person(browser, floor, "/");
    const dots = page.getByRole("article", { name: "MTHB9-1", exact: true }).locator("circle");
    const expectOrder = async (left: Locator, right: Locator): Promise<void> => {
      const [one, other] = await boxes(page, left, right);
      expect(one.x).toBeLessThan(other.x);
    };
    const lobby = await (await page.request.get("/api/lobby")).json();
    const { free } = lobby.tables.find((table: { table: string }) => table.table === "MTHB9-1");
    expect(free).toContain(1);
    await expectOrder(dots.last(), dots.first());
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/table?table=MTHB9-1");
      const seat = (position: number) =>
        width === 1440
          ? page.locator(`[data-seat="${position}"]`)
          : page.getByRole("group", { name: "Positions" }).getByText(String(position), { exact: true });
      await expectOrder(seat(6).first(), seat(1).first());
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/replay?table=MTHB9-1&round=1");
    const place = (position: number) =>
      page.getByTestId("replay-felt").getByRole("listitem", { name: `Position ${position}`, exact: true });
    await expectOrder(place(5), place(2));
    await context.close();
  });

  it("shows how much lies on the Jackpot area", async () => {
    const { page, context } = await guestAt(await ownTable("Lamp"));
    const jackpot = page.getByRole("button", { name: /^Jackpot, position 1/ });
    await mayLay(page);
    await page.keyboard.press("j");
    const amount = jackpot.locator(".units");
    await amount.getByText(/^P\$5$/).waitFor();
    await page.keyboard.press("j");
    await amount.getByText(/^P\$10$/).waitFor();
    await context.close();
  });

  it("fits a small phone: all five cards of the Dealer, Leave and the way to the lobby within reach", async () => {
    const { page, context } = await guestAt(await ownTable("Small", STUD), { width: 320, height: 640 });
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    await decision(page).waitFor();
    const places = page.getByRole("group", { name: "The Dealer's hand" }).locator(".place");
    const [lobby, ...cards] = await boxes(
      page,
      page.getByRole("link", { name: /go to the lobby/ }),
      ...(await places.all()),
    );
    expect(cards).toHaveLength(5);
    for (const { x, width } of cards) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(320);
    }
    expect(Math.min(lobby.width, lobby.height)).toBeGreaterThanOrEqual(44);
    await decision(page).getByRole("button", { name: /Fold/ }).click();
    const [{ x, width }] = await boxes(page, page.getByRole("button", { name: "Leave" }));
    expect(x + width).toBeLessThanOrEqual(320);
    await checkAccessible(page);
    // A notice comes from the top: it covers nothing that is pressed.
    await page.goto(`/table?table=${encodeURIComponent("Small")}&sit=1`);
    const limited = { headers: { "X-Megalink": "1", "Idempotency-Key": crypto.randomUUID() }, data: { loss: 100 } };
    expect((await page.request.post("/api/me/limits", limited)).ok()).toBe(true);
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    const [notice, bar] = await boxes(page, page.locator(".notices .refusal"), page.locator(".bar"));
    expect(notice.y + notice.height).toBeLessThanOrEqual(bar.y);
    await context.close();
  });

  it("reaches the Ante by three keys, and Enter places what lies there", async () => {
    // Until the first wager no timer runs: Enter places the chips, and nothing else does.
    const { page, context } = await guestAt(await ownTable("Reached", undefined, 2));
    await mayLay(page);
    await page.locator("#content").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^Ante, position/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page
      .getByRole("button", { name: /^(Placed|Deal now)/ })
      .or(decision(page))
      .first()
      .waitFor();
    await context.close();
  });
});

describe("what the table says", () => {
  it("waits for a Dealer where there is none, in the lobby too", async () => {
    const { page, context } = await person(browser, floor, "/");
    await page.getByRole("article", { name: "MTHB9-LIVE" }).getByText("Waiting for the Dealer").waitFor();
    await page.goto("/table?table=MTHB9-LIVE");
    await page.getByText("Waiting for the Dealer to open the bets.").first().waitFor();
    // Other tables feed the meter: it moves here too, although nothing happens at this table.
    const meter = page.locator("header").getByRole("img", { name: /\d/ });
    const before = await meter.getAttribute("aria-label");
    await until("the meter to move", async () => (await meter.getAttribute("aria-label")) !== before);
    await context.close();
  });

  it("gives two guests who come at once a position each, without a word", async () => {
    const guests = await Promise.all([guestAt("MSSP9-2"), guestAt("MSSP9-2")]);
    expect(new Set(guests.map(({ position }) => position)).size).toBe(2);
    for (const { page, context } of guests) {
      expect(await page.locator(".notices .refusal").count()).toBe(0);
      await context.close();
    }
  });

  it("names the hands of a round that was played", async () => {
    // A table for one deals when its Player says so: nobody waits for the others.
    const { page, context, errors } = await guestAt(await ownTable("Named"));
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    await playOn(page);
    const dialog = page.getByRole("dialog", { name: "How the round ended" });
    await dialog
      .getByText(/ beats? |^Both hands are|You folded/)
      .first()
      .waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("asks before a key folds", async () => {
    const { page, context } = await guestAt(await ownTable("Asks"));
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    const fold = decision(page).getByRole("button", { name: /^Fold/ });
    await until("a fold to be possible", () => fold.isEnabled());
    const asked = page.getByRole("dialog", { name: "Fold this hand?" });
    const decisions = async () => (await (await page.request.get("/api/tables/Asks")).json()).seats[0].decisions;
    await page.keyboard.press("f");
    await asked.waitFor();
    await page.keyboard.press("f");
    expect(await decisions()).toEqual([]);
    await page.keyboard.press("Enter");
    await until("the hand to be folded", async () => (await decisions())[0] === "fold");
    await context.close();
  });
});

describe("every state of a table", () => {
  it("is for everybody, from a small phone to a wall, dark and light", async () => {
    const { page, context, errors } = await guestAt(await ownTable("States"));
    await press(page.getByRole("button", { name: "Coach off" }));
    await laysAnte(page);
    await page.keyboard.press("j");
    await checkEverywhere(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    await page.getByTestId("coach").waitFor();
    await checkEverywhere(page);
    // The next round begins by itself; what is open stays.
    await playOn(page);
    await page.getByRole("dialog").getByRole("button", { name: "Why?" }).first().click();
    await checkEverywhere(page);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("learning", () => {
  it("steps through a demonstration and explains areas, pays and hands over the table", async () => {
    const { page, context, errors } = await person(browser, floor, "/table?table=MTHB9-1");
    await press(page.getByRole("button", { name: "Show me" }));
    const shown = page.getByRole("dialog", { name: "A round in a minute" });
    await shown.getByText("Step 1 of 7").waitFor();
    await checkEverywhere(page);
    for (let step = 2; step <= 7; step += 1) {
      await shown.getByRole("button", { name: "Next step" }).click();
      await shown.getByText(`Step ${step} of 7`).waitFor();
    }
    await shown.getByRole("button", { name: "Play" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Help" }).waitFor();
    expect(await page.getByRole("button", { name: "Show me" }).count()).toBe(0);
    await page.getByRole("button", { name: "Help" }).click();
    const help = page.getByRole("dialog", { name: "Help" });
    for (const text of ["The Ante opens the round", "Royal flush", "Ten to Ace of one suit"])
      await help.getByText(text).first().waitFor();
    await help.getByRole("table").first().waitFor();
    await checkEverywhere(page);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("coaches in words and in money", async () => {
    const { page, context } = await guestAt(await ownTable("Coached", STUD));
    await press(page.getByRole("button", { name: "Coach off" }));
    await laysAnte(page);
    await press(page.getByRole("button", { name: /^Deal · / }));
    const words = page.getByTestId("coach");
    await words.waitFor();
    expect(await words.textContent()).toMatch(/^(Fold|Wager on the Bet): .+; the Dealer shows an? \w+\.Rule: .+\.$/);
    const fold = decision(page).getByRole("button", { name: /^Fold/ });
    expect(await fold.getAttribute("title")).toMatch(/−1\.000 Antes/);
    await context.close();
  });

  it("is silent until asked", async () => {
    const { page, context } = await person(browser, floor, "/table?table=MTHB9-1");
    await press(page.getByRole("button", { name: "Menu" }));
    const menu = page.getByRole("dialog", { name: "Menu" });
    expect(await menu.getByLabel("Sound").isChecked()).toBe(false);
    await menu.getByLabel("Sound").check();
    expect(await menu.getByLabel("Volume").isEnabled()).toBe(true);
    await page.reload();
    await press(page.getByRole("button", { name: "Menu" }));
    expect(await menu.getByLabel("Sound").isChecked()).toBe(true);
    await checkEverywhere(page);
    await context.close();
  });
});
