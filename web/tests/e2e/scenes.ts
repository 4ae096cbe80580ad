// Prepares tables through the API, so that a test starts where it matters.
import type { Caller, Floor } from "./floor";

/** What a live table is opened with. */
export interface LiveTable {
  name: string;
  rulebook: string;
  link: string | null;
  positions: number;
}

/** Opens a live table. */
export async function openLiveTable(manager: Caller, table: LiveTable): Promise<void> {
  const setup = {
    rulebook: table.rulebook,
    dealing: "live",
    staffing: "staffed",
    positions: table.positions,
    link: table.link,
    limits: { ante: [1_000, 50_000], ...(table.rulebook.includes("stud") ? {} : { bonus: [1_000, 50_000] }) },
  };
  await manager.send("/api/house/commands", { do: "open-table", table: table.name, setup });
}

/** Registers a Player with credits and gives them a position. */
export async function seatPlayer(
  manager: Caller,
  dealer: Caller,
  table: string,
  player: string,
  position: number,
): Promise<void> {
  await manager.send("/api/house/commands", { do: "register-player", player, kind: "member" });
  await manager.send("/api/house/commands", { do: "grant-credits", player, amount: 400_000, means: "credits" });
  await dealer.send(`/api/tables/${table}/commands`, { do: "take-position", position, player });
}

/** The command to place a wager. */
export const wager = (position: number, area: string, amount: number, owner: string, means = "credits") => ({
  do: "place-wager",
  position,
  area,
  amount,
  owner,
  means,
});

/** A stage in one or two words: "settling", "deciding turn". */
const stageOf = ({ stage }: { stage: { at: string; what?: string } }): string =>
  stage.what === undefined ? stage.at : `${stage.at} ${stage.what}`;

export async function at(caller: Caller, table: string, ...commands: object[]): Promise<void> {
  for (const command of commands) await caller.send(`/api/tables/${table}/commands`, command);
}

/** Deals cards in the order of the shoe. */
export async function deal(dealer: Caller, table: string, cards: string): Promise<void> {
  for (const card of cards.split(" ")) await at(dealer, table, { do: "deal-card", card });
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

/** Does the next step until the table is at `stage`. Every decision is to wager. */
export async function playUntil(dealer: Caller, table: string, stage: string, cards = ""): Promise<void> {
  const shoe = cards.split(" ");
  for (let step = 0; step < 200; step += 1) {
    const view = await dealer.get(`/api/tables/${table}`);
    if (stageOf(view) === stage) return;
    const next = view.choices.find((choice: { next?: boolean }) => choice.next);
    if (next === undefined) throw new Error(`nothing can be done at ${stageOf(view)}`);
    const command = { ...next.command };
    if (command.do === "decide") command.decision = "wager";
    if (command.do === "deal-card") command.card = shoe.shift();
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
  await at(dealer, table, { do: "open-bets" });
  for (const [position, owner] of [
    [1, "Ann"],
    [2, "Bob"],
  ] as const) {
    await at(dealer, table, wager(position, "ante", 5_000, owner), wager(position, "jackpot", 500, owner));
  }
}

/** The board, the hands of positions 1 and 2, the Dealer's: both Players make a Straight flush with the flop. */
export const TWO_STRAIGHT_FLUSHES = "7s 6s 5s Kd 2c 9s 8s 4s 3s Ah Ad";
