// Takes a picture of every page at the size of a phone, a laptop and a wall, into docs/screens: `script/screens`.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { openBrowser } from "../e2e/browser";
import { type Account, Floor } from "../e2e/floor";
import { annAndBob, at, openLiveTable, playUntil, seatPlayer, staff, TWO_STRAIGHT_FLUSHES } from "../e2e/scenes";

const FOLDER = resolve(import.meta.dirname, "../../../docs/screens");
const SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
  wall: { width: 1920, height: 1080 },
};

interface Shot {
  name: string;
  path: string;
  as?: string;
  theme?: "dark" | "light";
  /** What is done on the page before the picture. */
  prepare?: (page: Page) => Promise<void>;
}

const SHOTS: Shot[] = [
  { name: "lobby", path: "/" },
  { name: "table", path: "/table?table=MTHB9-1" },
  { name: "table-stud", path: "/table?table=MSSP9-1" },
  { name: "dealer", path: "/dealer?table=Training", as: "Dealer" },
  { name: "dealer-paying", path: "/dealer?table=Winners", as: "Dealer" },
  { name: "pit", path: "/pit", as: "Gaming Shift Manager" },
  { name: "pit-light", path: "/pit", as: "Gaming Shift Manager", theme: "light" },
  { name: "desk", path: "/desk?link=Megalink", as: "Gaming Shift Manager" },
  { name: "sign", path: "/sign?link=Megalink%20v6" },
  { name: "sign-pending", path: "/sign?link=Megalink" },
  { name: "lab", path: "/lab" },
  { name: "lab-light", path: "/lab", theme: "light" },
  { name: "rules", path: "/rules?book=MTHB9#3.10.2" },
  { name: "replay", path: "/replay?table=Winners&round=1", as: "Gaming Shift Manager" },
  { name: "signin", path: "/signin" },
];

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  floor = await Floor.start();
  browser = await openBrowser();
  const { manager, dealer } = await staff(floor);
  await annAndBob(manager, dealer, "Winners");
  await playUntil(dealer, "Winners", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Winners", { do: "settle" });
  await openLiveTable(manager, { name: "Training", rulebook: "megalink-holdem-v6", link: "Megalink v6", positions: 6 });
  await seatPlayer(manager, dealer, "Training", "Mei", 2);
  await seatPlayer(manager, dealer, "Training", "Omar", 4);
  await at(
    dealer,
    "Training",
    { do: "open_bets" },
    { do: "place_wager", position: 2, area: "ante", amount: 10_000, owner: "Mei" },
    { do: "place_wager", position: 4, area: "ante", amount: 2_500, owner: "Omar" },
  );
  await playUntil(dealer, "Training", "deciding_turn", "Qh Jd 4s 8c 2d Ah Kh 7c 7d Ts 9s");
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

async function take(shot: Shot, size: keyof typeof SIZES, account: Account | undefined): Promise<void> {
  const context = await browser.newContext({ baseURL: floor.address, viewport: SIZES[size], reducedMotion: "reduce" });
  const page = await context.newPage();
  if (account !== undefined) {
    const { name, password } = account;
    await context.request.post("/api/session", { headers: { "X-Megalink": "1" }, data: { name, password } });
  }
  if (shot.theme !== undefined) await page.addInitScript(`localStorage.setItem("theme", "${shot.theme}")`);
  await page.goto(shot.path);
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await page.waitForTimeout(700);
  await shot.prepare?.(page);
  await page.screenshot({ path: resolve(FOLDER, `${shot.name}-${size}.jpg`), type: "jpeg", quality: 82 });
  await context.close();
}

for (const shot of SHOTS) {
  it(`takes ${shot.name}`, async () => {
    const account = shot.as === undefined ? undefined : floor.account(shot.as);
    for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) await take(shot, size, account);
  });
}
