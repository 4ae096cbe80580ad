// Every page in every state that a person may find it in. They are walked by axe, and their pictures are looked at.
import type { Locator, Page } from "playwright-core";
import { type Floor, until } from "./floor";
import { mayLay } from "./play";
import { openLiveTable, playUntil, seatPlayer, staff, wager, at } from "./scenes";

export type Language = "en" | "zh";

/** Where a state is shown. */
export interface Place {
  page: Page;
  floor: Floor;
  language: Language;
}

export interface State {
  name: string;
  path: string;
  /** The office of whoever looks; nobody is signed in where there is none. */
  as?: string;
  /** Whether a guest has come in. */
  guest?: boolean;
  /** Pages for Players are in both languages. */
  languages?: readonly Language[];
  /** What is done on the page. */
  prepare?: (place: Place) => Promise<void>;
  /** What is seen when the page is all there. */
  ready: (page: Page) => Locator;
}

const BOTH = ["en", "zh"] as const;
const MANAGER = "Gaming Shift Manager";
const HOLDEM = "megalink-holdem-v9";
const STUD = "megalink-stud-v9";

const people = new WeakMap<Floor, ReturnType<typeof staff>>();
/** The staff of a floor, signed in once. */
function staffOf(floor: Floor): ReturnType<typeof staff> {
  const known = people.get(floor) ?? staff(floor);
  people.set(floor, known);
  return known;
}

interface Round {
  rulebook: string;
  /** Where the round stands when the page is looked at. */
  stage: string;
  cards: string;
}

/** The board, the guest's hand, Mei's, Omar's and the Dealer's: the guest wins with two pairs, against a lower two. */
const HOLDEM_CARDS = "Qh Jd 4s 8c 2d Qd Jh 7c 7d Th 9d Js 4c";
/** The guest's hand, Mei's, Omar's and the Dealer's, five cards each. */
const STUD_CARDS = "Qh Qd 4s 4c 2d 7c 7d Th 9d 3s Ah Kh 8c 6s 5d Ac Kd 9s 8s 3c";

/** A guest at a table that people deal, between two others, with wagers on every area. */
async function sitAt({ page, floor, language }: Place, name: string, round: Round): Promise<void> {
  const { manager, dealer } = await staffOf(floor);
  const table = `${name}-${language}`.toUpperCase();
  await openLiveTable(manager, { name: table, rulebook: round.rulebook, link: "Megalink", positions: 7 });
  await page.goto(`/table?table=${table}&sit=1`);
  let guest: { position: number; holder: string } | undefined;
  await until("the guest to sit down", async () => {
    const { seats } = await dealer.get(`/api/tables/${table}`);
    guest = seats.find(({ holder }: { holder: string | null }) => holder !== null);
    return guest !== undefined;
  });
  const { position, holder } = guest ?? { position: 0, holder: "" };
  const others = [1, 2, 3, 4, 5, 6, 7].filter((one) => one > position).slice(0, 2);
  for (const [index, other] of others.entries())
    await seatPlayer(manager, dealer, table, `${["Mei", "Omar"][index]} ${table}`, other);
  await at(dealer, table, { do: "open-bets" }, wager(position, "ante", 5_000, holder));
  await at(dealer, table, wager(position, "jackpot", 500, holder));
  if (round.rulebook === HOLDEM) await at(dealer, table, wager(position, "bonus", 1_000, holder));
  for (const [index, other] of others.entries())
    await at(dealer, table, wager(other, "ante", 2_500, `${["Mei", "Omar"][index]} ${table}`));
  if (round.stage === "bets-open") return;
  await playUntil(dealer, table, round.stage, round.cards);
  if (round.stage === "settling") await at(dealer, table, { do: "settle" });
}

const coach = (page: Page) => page.locator(".tools button[aria-pressed]").first();
const tool = (page: Page, number: number) => page.locator(".tools .acts button").nth(number);
const dialog = (page: Page) => page.getByRole("dialog");
const primary = (page: Page) => page.locator(".bar button.primary:enabled").first();
const banner = (page: Page) => page.locator(".banner");

/** A guest who has a table alone, before the first chip. */
async function solo({ page, floor, language }: Place, name: string, rulebook: string): Promise<void> {
  const { manager } = await staffOf(floor);
  const table = `${name}-${language}`.toUpperCase();
  const limits = { ante: [1_000, 50_000], ...(rulebook === STUD ? {} : { bonus: [500, 10_000] }) };
  const setup = { rulebook, dealing: "software", staffing: "automatic", positions: 1, link: "Megalink", limits };
  await manager.send("/api/house/commands", { do: "open-table", table, setup });
  await page.goto(`/table?table=${table}&sit=1`);
  await mayLay(page);
}

/** Looks at the own cards where they lie face down. */
async function lookAtCards(page: Page): Promise<void> {
  await page.locator(".decision button.primary").click();
  await page.locator(".leaf.up").first().waitFor();
}

const next = (page: Page) => page.getByRole("region", { name: "Next" });

/** What Players see. */
const players: State[] = [
  { name: "lobby", path: "/", ready: (page) => page.locator("a[href*='sit=1']").first() },
  { name: "table-watched", path: "/table?table=MTHB9-1", ready: (page) => page.locator(".bar button.primary") },
  { name: "table-watched-v6", path: "/table?table=MTHB6-1", ready: (page) => page.locator(".bar button.primary") },
  { name: "table-watched-thb6", path: "/table?table=THB6-1", ready: (page) => page.locator(".bar button.primary") },
  { name: "table-watched-stud", path: "/table?table=MSSP9-1", ready: (page) => page.locator(".bar button.primary") },
  { name: "table-none", path: "/table?table=NOWHERE", ready: (page) => page.locator(".none") },
  { name: "table-live", path: "/table?table=MTHB9-LIVE", ready: (page) => page.locator(".bar button.primary") },
  {
    name: "solo-empty",
    path: "/",
    prepare: (place) => solo(place, "SOLO1", HOLDEM),
    ready: (page) => page.locator("button.area.first"),
  },
  {
    name: "solo-laid",
    path: "/",
    prepare: async (place) => {
      await solo(place, "SOLO2", STUD);
      await place.page.keyboard.press("a");
      await place.page.keyboard.press("j");
    },
    ready: (page) => primary(page),
  },
  {
    name: "holdem-bets",
    path: "/",
    prepare: (place) => sitAt(place, "BETS", { rulebook: HOLDEM, stage: "bets-open", cards: "" }),
    ready: (page) => page.locator(".rack"),
  },
  {
    name: "holdem-unseen",
    path: "/",
    prepare: (place) => sitAt(place, "UNSEEN", { rulebook: HOLDEM, stage: "deciding flop", cards: HOLDEM_CARDS }),
    ready: (page) => page.locator(".decision"),
  },
  {
    name: "holdem-deciding",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "FLOP", { rulebook: HOLDEM, stage: "deciding flop", cards: HOLDEM_CARDS });
      await coach(place.page).click();
      await lookAtCards(place.page);
    },
    ready: (page) => page.getByTestId("coach"),
  },
  {
    name: "holdem-river",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "RIVER", { rulebook: HOLDEM, stage: "deciding river", cards: HOLDEM_CARDS });
      await lookAtCards(place.page).catch(() => undefined);
    },
    ready: (page) => page.locator(".decision"),
  },
  {
    name: "holdem-settled",
    path: "/",
    prepare: (place) => sitAt(place, "END", { rulebook: HOLDEM, stage: "settling", cards: HOLDEM_CARDS }),
    ready: banner,
  },
  {
    name: "holdem-result",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "RESULT", { rulebook: HOLDEM, stage: "settling", cards: HOLDEM_CARDS });
      await banner(place.page).getByRole("button").first().click();
      await dialog(place.page)
        .getByRole("button", { name: /Why|原因/ })
        .first()
        .click();
    },
    ready: dialog,
  },
  {
    name: "stud-deciding",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "STUD", { rulebook: STUD, stage: "deciding bet", cards: STUD_CARDS });
      await coach(place.page).click();
      await lookAtCards(place.page);
    },
    ready: (page) => page.getByTestId("coach"),
  },
  {
    name: "stud-settled",
    path: "/",
    prepare: (place) => sitAt(place, "STUDEND", { rulebook: STUD, stage: "settling", cards: STUD_CARDS }),
    ready: banner,
  },
  {
    name: "jackpot-won",
    path: "/",
    prepare: async (place) => {
      const cards = "7s 6s 5s Kd 2c 9s 8s 4s 3d Th 9d Ah Ad";
      await sitAt(place, "WON", { rulebook: HOLDEM, stage: "settling", cards });
    },
    ready: dialog,
  },
  ...(["help", "menu", "rounds", "shuffle"] as const).map((panel) => ({
    name: `table-${panel}`,
    path: "/table?table=MTHB9-1",
    prepare: async ({ page }: Place) => {
      await page.locator(".bar button.primary").waitFor();
      await tool(page, { menu: 0, help: 1, rounds: 3, shuffle: 4 }[panel]).click();
      if (panel === "help") await dialog(page).locator("table").first().waitFor();
    },
    ready: dialog,
  })),
  ...[0, 3, 6].map((step) => ({
    name: `demonstration-${step + 1}`,
    path: step === 3 ? "/table?table=MSSP9-1" : "/table?table=MTHB9-1",
    prepare: async ({ page }: Place) => {
      await page.locator(".offer button.primary").click();
      for (let done = 0; done < step; done += 1) await dialog(page).locator("button.primary").click();
    },
    ready: dialog,
  })),
  { name: "sign", path: "/sign?link=Megalink%20v6", ready: (page) => page.locator("[data-testid=sign]") },
  { name: "sign-pending", path: "/sign?link=Megalink", ready: (page) => page.locator("[data-testid=sign]") },
  { name: "sheet", path: "/sheet?link=Megalink", ready: (page) => page.locator("main table").first() },
  { name: "signin", path: "/signin", ready: (page) => page.locator("main form button").first() },
  { name: "me-signed-out", path: "/me", ready: (page) => page.locator("main a, main button").first() },
  {
    name: "me",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "MINE", { rulebook: HOLDEM, stage: "settling", cards: HOLDEM_CARDS });
      await place.page.goto("/me");
    },
    ready: (page) => page.locator("a[href*='round=1']").first(),
  },
  { name: "rounds", path: "/replay?table=Winners", ready: (page) => page.locator("a[href*='round=1']").first() },
  { name: "replay-choose", path: "/replay", ready: (page) => page.locator("main a, main button").first() },
  {
    name: "replay",
    path: "/",
    prepare: async (place) => {
      await sitAt(place, "REPLAY", { rulebook: HOLDEM, stage: "settling", cards: HOLDEM_CARDS });
      await place.page.goto(`/replay?table=REPLAY-${place.language.toUpperCase()}&round=1`);
      await place.page.getByTestId("analysis-sum").waitFor();
    },
    ready: (page) => page.getByTestId("replay-felt"),
  },
  { name: "train", path: "/train?book=MTHB9&seed=4", ready: (page) => page.locator(".choice").first() },
  {
    name: "train-answered",
    path: "/train?book=MSSP9&seed=4",
    prepare: async ({ page }) => page.locator(".choice").first().click(),
    ready: (page) => page.locator("button.primary").first(),
  },
];

export const PLAYERS: State[] = players.map((state) => ({ ...state, languages: BOTH }));

const pit = (part: string, ready: (page: Page) => Locator): State => ({
  name: `pit-${part}`,
  path: `/pit#${part}`,
  as: MANAGER,
  ready,
});
const tab = (page: string, name: string): State => ({
  name: `${page}-${name}`,
  path: page === "lab" ? `/lab#${name}` : `/rules?book=MTHB9#${name}`,
  ready: (shown) => shown.getByRole("tabpanel"),
});
const drill = (kind: string): State => ({
  name: `drill-${kind}`,
  path: `/drill?book=MTHB9&kind=${kind}&seed=7`,
  ready: (page) => page.locator("fieldset").first(),
});

/** What the staff, mathematicians and auditors see. */
export const STAFF: State[] = [
  { name: "dealer-choose", path: "/dealer", as: "Dealer", ready: (page) => page.locator("main a").first() },
  { name: "dealer-bets", path: "/dealer?table=MTHB9-LIVE", as: "Dealer", ready: next },
  { name: "dealer-cards", path: "/dealer?table=Main%20pit%205", as: "Dealer", ready: next },
  { name: "dealer-deciding", path: "/dealer?table=Training", as: "Dealer", ready: next },
  { name: "dealer-paying", path: "/dealer?table=Main%20pit%204", as: "Dealer", ready: next },
  {
    name: "dealer-wrong",
    path: "/dealer?table=Training",
    as: "Dealer",
    prepare: async ({ page }) => page.getByRole("button", { name: "Something is wrong" }).click(),
    ready: dialog,
  },
  {
    name: "dealer-irregularity",
    path: "/dealer?table=Training",
    as: "Dealer",
    prepare: async ({ page }) => {
      await page.getByRole("button", { name: "Something is wrong" }).click();
      await page.getByRole("button", { name: "Cards were exposed by mistake" }).click();
      await page.getByLabel("Cards exposed by mistake").fill("2");
      await page.getByRole("button", { name: "What do the rules allow?" }).click();
    },
    ready: (page) => page.getByRole("region", { name: "What happens to each wager" }),
  },
  pit("tables", (page) => page.getByRole("row").nth(3)),
  ...["players", "staff", "devices", "links", "limits", "rules", "audit"].map((part) =>
    pit(part, (page) => page.locator("nav.parts a[aria-current=page]")),
  ),
  {
    name: "pit-drawer",
    path: "/pit",
    as: MANAGER,
    prepare: async ({ page }) => page.getByRole("button", { name: /^Training/ }).click(),
    ready: (page) => page.getByRole("complementary", { name: "Table Training" }),
  },
  {
    name: "desk-slip",
    path: "/desk?link=Megalink&award=1",
    as: MANAGER,
    ready: (page) => page.getByRole("article", { name: "Slip of award 1" }),
  },
  {
    name: "desk-verify",
    path: "/desk?link=Megalink&award=2",
    as: "Pit Supervisor",
    ready: (page) => page.getByRole("article", { name: "Slip of award 2" }),
  },
  {
    name: "reports",
    path: "/reports",
    as: MANAGER,
    prepare: async ({ page }) => page.getByRole("button", { name: "Show", exact: true }).click(),
    ready: (page) => page.locator("main table").first(),
  },
  {
    name: "statistics",
    path: "/statistics",
    as: MANAGER,
    prepare: async ({ page }) => page.getByRole("button", { name: "Show", exact: true }).click(),
    ready: (page) => page.locator("main table").first(),
  },
  {
    name: "meters",
    path: "/meters?link=Megalink",
    as: "Regulator",
    ready: (page) => page.getByRole("heading", { name: "Megalink", exact: true }),
  },
  { name: "class", path: "/class", as: "Pit Supervisor", ready: (page) => page.locator("main table, main h2").first() },
  { name: "practice-not", path: "/practice", ready: (page) => page.locator("main p").first() },
  ...["read-the-hand", "pay-the-table", "what-comes-next", "something-is-wrong", "jackpot", "limits"].map(drill),
  ...["meter", "play", "rules", "advice", "session", "compare", "sheet"].map((name) => tab("lab", name)),
  ...["clauses", "pays", "readings", "differences"].map((name) => tab("rules", name)),
  { name: "docs", path: "/docs", ready: (page) => page.getByRole("heading", { name: "Types" }) },
  {
    name: "replay-audit",
    path: "/replay?table=Winners&round=1",
    as: MANAGER,
    ready: (page) => page.getByRole("list", { name: "Entries of the round" }),
  },
];
