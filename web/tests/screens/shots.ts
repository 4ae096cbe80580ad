// Which pictures are taken: of which page, as whom, after what has been done on it.
import type { Locator, Page } from "playwright-core";
import type { Floor } from "../e2e/floor";
import { playTo, winJackpot } from "../e2e/stage";

export const SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
  wall: { width: 1920, height: 1080 },
};
export type Size = keyof typeof SIZES;

export interface Shot {
  name: string;
  path: string;
  as?: string;
  theme?: "dark" | "light";
  /** The language that the browser asks for, if not English. */
  locale?: "zh-SG";
  /** All of them, where nothing is said. */
  sizes?: Size[];
  /** Whether the one page is shown at every size, because what was done on it is done but once. */
  once?: boolean;
  /** What is done on the page before the picture. */
  prepare?: (page: Page, floor: Floor) => Promise<void>;
  /** What is seen when the page is all there. */
  ready: (page: Page) => Locator;
  /** What stands at the top of the picture, if not the top of the page. */
  scrollTo?: (page: Page) => Locator;
}

const MANAGER = "Gaming Shift Manager";
const next = (page: Page) => page.getByRole("region", { name: "Next" });

export const SHOTS: Shot[] = [
  { name: "lobby", path: "/", ready: (page) => page.getByRole("link", { name: /^Sit down at/ }).first() },
  {
    name: "lobby-light",
    path: "/",
    theme: "light",
    sizes: ["laptop"],
    ready: (page) => page.getByRole("link", { name: /^Sit down at/ }).first(),
  },
  {
    name: "lobby-chinese",
    path: "/",
    locale: "zh-SG",
    sizes: ["phone", "laptop"],
    ready: (page) => page.getByRole("link", { name: /^入座/ }).first(),
  },
  {
    name: "table",
    once: true,
    path: "/table?table=MTHB9-1&sit=1",
    prepare: (page) => playTo(page, "Flop", "Turn"),
    ready: (page) => page.getByText("best").first(),
  },
  {
    name: "table-stud",
    once: true,
    path: "/table?table=MSSP9-1&sit=1",
    prepare: (page) => playTo(page),
    ready: (page) => page.getByText("best").first(),
  },
  {
    name: "table-jackpot",
    once: true,
    path: "/",
    prepare: (page, floor) => winJackpot(floor, page, "High limit"),
    ready: (page) => page.getByRole("button", { name: "Thank you" }),
  },
  { name: "dealer", path: "/dealer?table=Training", as: "Dealer", ready: next },
  {
    name: "dealer-cards",
    path: "/dealer?table=Main%20pit%205",
    as: "Dealer",
    sizes: ["phone", "laptop"],
    prepare: async (page) => {
      await next(page).getByRole("heading", { name: "Board, first flop card" }).waitFor();
      await page.keyboard.type("qhjd4s");
    },
    ready: (page) => page.getByRole("button", { name: "Deal 3 cards" }),
  },
  {
    name: "dealer-paying",
    path: "/dealer?table=Main%20pit%204",
    as: "Dealer",
    ready: (page) => page.getByRole("region", { name: "Take and pay" }),
  },
  {
    name: "dealer-irregularity",
    path: "/dealer?table=Training",
    as: "Dealer",
    sizes: ["phone", "laptop"],
    prepare: async (page) => {
      await page.getByRole("button", { name: "Something is wrong" }).click();
      await page.getByRole("button", { name: "Cards were exposed by mistake" }).click();
      await page.getByLabel("Cards exposed by mistake").fill("2");
      await page.getByRole("button", { name: "What do the rules allow?" }).click();
    },
    ready: (page) => page.getByRole("region", { name: "What happens to each wager" }),
  },
  {
    name: "pit",
    path: "/pit",
    as: MANAGER,
    ready: (page) => page.getByRole("button", { name: "Every cent accounted for: no difference" }),
  },
  {
    name: "pit-light",
    path: "/pit",
    as: MANAGER,
    theme: "light",
    sizes: ["laptop"],
    ready: (page) => page.getByRole("button", { name: "Every cent accounted for: no difference" }),
  },
  {
    name: "desk",
    path: "/desk?link=Megalink&award=1",
    as: MANAGER,
    ready: (page) => page.getByRole("article", { name: "Slip of award 1" }),
  },
  { name: "sign", path: "/sign?link=Megalink%20v6", ready: (page) => page.getByText("Last awards") },
  {
    name: "sign-pending",
    path: "/sign?link=Megalink",
    sizes: ["phone", "wall"],
    ready: (page) => page.getByText("Pending"),
  },
  { name: "lab", path: "/lab", ready: (page) => page.locator("canvas").first() },
  {
    name: "lab-light",
    path: "/lab",
    theme: "light",
    sizes: ["laptop"],
    ready: (page) => page.locator("canvas").first(),
  },
  {
    name: "lab-strategy",
    path: "/lab#play",
    sizes: ["phone", "laptop"],
    ready: (page) => page.getByRole("gridcell").first(),
    scrollTo: (page) => page.getByRole("tablist"),
  },
  { name: "rules", path: "/rules?book=MTHB9", ready: (page) => page.getByRole("link", { name: "3.4.1" }).first() },
  { name: "docs", path: "/docs", ready: (page) => page.getByRole("heading", { name: "Types" }) },
  {
    name: "replay",
    path: "/replay?table=Winners&round=1",
    as: MANAGER,
    prepare: (page) => page.getByRole("button", { name: "Settlement" }).click(),
    ready: (page) => page.getByRole("list", { name: "Entries of the round" }),
  },
  { name: "signin", path: "/signin", ready: (page) => page.getByRole("button", { name: "Continue as a guest" }) },
];
