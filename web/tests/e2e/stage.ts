// Prepares the floor for the pictures, and what is done on a page before its picture.
import type { Page } from "playwright-core";
import { type Caller, type Floor, until } from "./floor";
import { decision } from "./play";
import { annAndBob, at, openLiveTable, playUntil, seatPlayer, staff, TWO_STRAIGHT_FLUSHES, wager } from "./scenes";

/** Live rounds, each stopped where its picture is taken. */
export async function setStage(floor: Floor): Promise<void> {
  const people = await staff(floor);
  const { manager, supervisor, dealer } = people;
  await supervisor.stepUp();
  await annAndBob(manager, dealer, "Winners");
  await playUntil(dealer, "Winners", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Winners", { do: "settle" });
  await supervisor.send("/api/links/Megalink/commands", { ...VERIFIED, award: 1 });
  await payAward(people);
  await manager.send("/api/house/commands", {
    do: "propose",
    proposal: { kind: "reject-award", link: "Megalink", award: 2, cause: "entered-in-error" },
  });
  await company(manager, dealer, "Training", ["Mei", "Omar", "Lucía"]);
  await playUntil(dealer, "Training", "deciding turn", CARDS);
  await company(manager, dealer, "Main pit 4", ["Joseph", "Nurul", "Kaito"]);
  await playUntil(dealer, "Main pit 4", "settling", CARDS);
  await company(manager, dealer, "Main pit 5", ["Amara", "Wei Jie", "Sofia"]);
}

const CUSTODY = { camera: "camera 4, 21:07", seal: "S-00417", deck_in_order: true, held_by: "Security" };
const VERIFIED = { do: "verify", checklist: { cards_checked: true, deck_cards: 52, custody: CUSTODY } };

/** One Player wagers on Ante and Jackpot, and the round is dealt and settled. */
async function playAlone(
  dealer: Caller,
  table: string,
  who: { position: number; owner: string },
  cards: string,
): Promise<void> {
  const { position, owner } = who;
  await at(
    dealer,
    table,
    { do: "open-bets" },
    wager(position, "ante", 5_000, owner),
    wager(position, "jackpot", 500, owner),
  );
  await playUntil(dealer, table, "settling", cards);
  await at(dealer, table, { do: "settle" });
}

/** An award of the other link that everybody has signed, for its sign to show. */
async function payAward({ manager, second, supervisor, dealer }: Awaited<ReturnType<typeof staff>>): Promise<void> {
  const [table, owner] = ["Salon 2", "Hana"];
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v6", link: "Megalink v6", positions: 6 });
  await seatPlayer(manager, dealer, table, owner, 3);
  await playAlone(dealer, table, { position: 3, owner }, "Jh Th 9h Kd 2c 8h 7h Ah Ad");
  const link = "/api/links/Megalink%20v6/commands";
  await supervisor.send(link, { ...VERIFIED, award: 1 });
  await manager.send(link, { do: "approve", award: 1 });
  await manager.send(link, { do: "record-due-diligence", award: 1, reference: "Cage, folder 12" });
  await second.send(link, { do: "pay", award: 1 });
}

/** The board, the hands of positions 2, 4 and 5, the Dealer's: two pairs, a pair and a Straight against lower two pairs. */
const CARDS = "Qh Jd 4s 8c 2d Qd Jh 7c 7d Th 9d Js 4c";

/** Three Players with wagers in chips on a hold'em table of version 6; bets are closed. */
async function company(manager: Caller, dealer: Caller, table: string, names: [string, string, string]): Promise<void> {
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v6", link: "Megalink v6", positions: 6 });
  const antes = [10_000, 2_500, 5_000];
  const wagers = names.map((owner, at) => wager([2, 4, 5][at] ?? 0, "ante", antes[at] ?? 0, owner, "chips"));
  for (const { owner, position } of wagers) {
    await seatPlayer(manager, dealer, table, owner, position);
    await manager.send("/api/house/commands", { do: "grant-credits", player: owner, amount: 100_000, means: "chips" });
  }
  await at(dealer, table, { do: "open-bets" }, ...wagers);
  await at(dealer, table, { ...wagers[0], area: "bonus", amount: 2_500 });
  await at(dealer, table, { ...wagers[2], area: "jackpot", amount: 500, means: "credits" }, { do: "close-bets" });
}

const area = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^${name}, position.*Lay a chip`) }).first();

/** Sits at a table with wagers on every area that takes one, the coach looking on, and decides until `areas` are done. */
export async function playTo(page: Page, ...areas: string[]): Promise<void> {
  await page.getByRole("button", { name: "Coach off" }).click();
  const placed = page.getByRole("button", { name: /^Placed/ }).or(decision(page));
  await until("wagers to be placed", async () => {
    if (await placed.first().isVisible()) return true;
    await layAll(page).catch(() => undefined);
    return false;
  });
  for (const name of areas)
    await decision(page)
      .getByRole("button", { name: new RegExp(`^${name}`) })
      .click();
  await decision(page).getByText("best").waitFor();
}

async function layAll(page: Page): Promise<void> {
  const hurry = { timeout: 1000 };
  for (const name of ["Ante", "Bonus", "Jackpot"]) {
    const target = area(page, name);
    if ((await target.count()) > 0 && !(await target.getAttribute("aria-label", hurry))?.includes("not placed yet")) {
      await target.click(hurry);
    }
  }
  await page.getByRole("button", { name: /^Place P\$/ }).click(hurry);
}

/** A guest sits down at a table that people deal, and is dealt a Straight flush. */
export async function winJackpot(floor: Floor, page: Page, table: string): Promise<void> {
  const { manager, dealer } = await staff(floor);
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  await page.goto(`/table?table=${encodeURIComponent(table)}&sit=1`);
  let guest: { position: number; holder: string } | undefined;
  await until("the guest to sit down", async () => {
    const { seats } = await dealer.get(`/api/tables/${encodeURIComponent(table)}`);
    guest = seats.find(({ holder }: { holder: string | null }) => holder !== null);
    return guest !== undefined;
  });
  await playAlone(
    dealer,
    table,
    { position: guest?.position ?? 0, owner: guest?.holder ?? "" },
    "7s 6s 5s Kd 2c 9s 8s Ah Ad",
  );
}
