// What a Player does on the table's page.
import type { Page } from "playwright-core";
import { until } from "./floor";

/** Clicks what may be gone the next moment; whether it was there shows afterwards. */
async function click(target: ReturnType<Page["getByRole"]>): Promise<void> {
  await target.click({ timeout: 1000 }).catch(() => undefined);
}

/** Lays a chip on the Ante and places it, as soon as bets are open. */
export async function wager(page: Page): Promise<void> {
  const ante = page.getByRole("button", { name: /^Ante, position/ }).first();
  const place = page.getByRole("button", { name: /^Place \d/ });
  await until("the Ante to be placed", async () => {
    if (await page.getByRole("button", { name: /^Placed/ }).isVisible()) return true;
    if (await place.isVisible()) await click(place);
    else if (await ante.isVisible()) await click(ante);
    return false;
  });
}

export const decision = (page: Page) => page.getByRole("group", { name: /Your decision/ });

/** Wagers whenever a decision is asked for, until the round is over and every wager's end is shown. */
export async function playOn(page: Page): Promise<void> {
  const result = page.getByRole("button", { name: "Every wager, and why" });
  await until("the round to be settled", async () => {
    if (await result.isVisible()) {
      await click(result);
      return page.getByRole("dialog", { name: "How the round ended" }).isVisible();
    }
    const wagers = decision(page).getByRole("button").last();
    if (await wagers.isVisible()) await click(wagers);
    return false;
  });
}

/** The round that the page is at. */
export async function round(page: Page): Promise<string> {
  return (
    (await page
      .getByText(/^Round \d+$/)
      .first()
      .textContent()) ?? ""
  );
}

/** The cards of the Player's own hand, by name. */
export async function hand(page: Page): Promise<(string | null)[]> {
  const cards = await page.getByRole("group", { name: "Your hand" }).getByRole("img").all();
  return Promise.all(cards.map((card) => card.getAttribute("aria-label")));
}
