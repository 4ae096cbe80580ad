// Scenes that are set through the API, so that a test begins where it matters.
import type { Caller, Floor } from "./floor";

/** What a live table is opened with. */
export interface LiveTable {
  name: string;
  rulebook: string;
  link: string | null;
  positions: number;
}

/** The shift manager opens a table whose cards people deal. */
export async function openLiveTable(manager: Caller, table: LiveTable): Promise<void> {
  const setup = {
    rulebook: table.rulebook,
    dealing: "live",
    staffing: "staffed",
    positions: table.positions,
    link: table.link,
    limits: { ante: [1_000, 50_000], bonus: table.rulebook.includes("stud") ? null : [1_000, 50_000] },
  };
  await manager.tell("/api/house/commands", { do: "open_table", table: table.name, setup });
}

/** Somebody registered with something to wager. */
export async function seatPlayer(
  manager: Caller,
  dealer: Caller,
  table: string,
  player: string,
  position: number,
): Promise<void> {
  await manager.tell("/api/house/commands", { do: "register_player", player });
  await manager.tell("/api/house/commands", { do: "buy_in", player, amount: 400_000 });
  await dealer.tell(`/api/tables/${table}/commands`, { do: "take_position", position, player });
}

export async function at(caller: Caller, table: string, ...commands: object[]): Promise<void> {
  for (const command of commands) await caller.tell(`/api/tables/${table}/commands`, command);
}

/** Deals cards in the order in which they leave the shoe. */
export async function deal(dealer: Caller, table: string, cards: string): Promise<void> {
  for (const card of cards.split(" ")) await at(dealer, table, { do: "deal_card", card });
}

export async function staff(
  floor: Floor,
): Promise<{ manager: Caller; second: Caller; supervisor: Caller; dealer: Caller }> {
  return {
    manager: await (await floor.signIn(floor.account("Gaming Shift Manager", 0))).stepUp(),
    second: await (await floor.signIn(floor.account("Gaming Shift Manager", 1))).stepUp(),
    supervisor: await floor.signIn(floor.account("Pit Supervisor")),
    dealer: await floor.signIn(floor.account("Dealer")),
  };
}

/** The Dealer does what comes next, and Players wager whenever they are asked, until the table is at `stage`. */
export async function playUntil(dealer: Caller, table: string, stage: string, cards = ""): Promise<void> {
  const shoe = cards.split(" ");
  for (let step = 0; step < 200; step += 1) {
    const view = await dealer.look(`/api/tables/${table}`);
    if (view.stage.name === stage) return;
    const next = view.choices.find((choice: { next: boolean }) => choice.next);
    if (next === undefined) throw new Error(`nothing can be done at ${view.stage.name}`);
    const command: Record<string, unknown> = { do: next.does };
    if (next.position) command.position = next.position;
    if (next.does === "decide") command.decision = "wager";
    if (next.does === "deal_card") command.card = shoe.shift();
    await at(dealer, table, command);
  }
  throw new Error(`${table} never came to ${stage}`);
}

/** Ann and Bob at positions 1 and 2 of a live hold'em table, each with an Ante and a Jackpot wager. */
export async function annAndBob(manager: Caller, dealer: Caller, table: string): Promise<void> {
  await openLiveTable(manager, { name: table, rulebook: "megalink-holdem-v9", link: "Megalink", positions: 7 });
  for (const [position, player] of [
    [1, "Ann"],
    [2, "Bob"],
  ] as const) {
    await seatPlayer(manager, dealer, table, player, position);
  }
  await at(dealer, table, { do: "open_bets" });
  for (const [position, owner] of [
    [1, "Ann"],
    [2, "Bob"],
  ] as const) {
    await at(
      dealer,
      table,
      { do: "place_wager", position, area: "ante", amount: 5_000, owner },
      { do: "place_wager", position, area: "jackpot", amount: 500, owner },
    );
  }
}

/** The board, the hands of positions 1 and 2, the Dealer's: both Players make a Straight flush with the flop. */
export const TWO_STRAIGHT_FLUSHES = "7s 6s 5s Kd 2c 9s 8s 4s 3s Ah Ad";
