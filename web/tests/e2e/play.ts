// What a Player does on the table's page.
import type { Locator, Page } from "playwright-core";
import { until } from "./floor";

/** Clicks what may be gone the next moment; whether it was there shows afterwards. */
async function click(target: Locator): Promise<void> {
  await target.click({ timeout: 1000 }).catch(() => undefined);
}

export const decision = (page: Page) => page.getByRole("group", { name: /Your decision/ });

/** The way to how the round ended; on a slow machine the next one may have begun by then. */
const result = (page: Page) => page.getByRole("button", { name: /^(Every wager and why|Last round)/ });

/** Lays a chip on the Ante and places it, as soon as bets are open. On a slow machine the round may be further by then. */
export async function wager(page: Page): Promise<void> {
  const ante = page.getByRole("button", { name: /^Ante, position.*Lay a chip/ }).first();
  const place = page.getByRole("button", { name: /^Place P\$/, disabled: false });
  const placed = page
    .getByRole("button", { name: /^Placed/ })
    .or(decision(page))
    .or(result(page));
  await until("the Ante to be placed", async () => {
    if (await placed.first().isVisible()) return true;
    if (await place.isVisible()) await click(place);
    else if (await ante.isVisible()) await click(ante);
    return false;
  });
}

/** Wagers whenever a decision is asked for, until the round is over and every wager's end is shown. */
export async function playOn(page: Page): Promise<void> {
  await until("the round to be settled", async () => {
    if (await result(page).isVisible()) {
      await click(result(page));
      return page.getByRole("dialog", { name: "How the round ended" }).isVisible();
    }
    const wagers = decision(page).getByRole("button").last();
    if (await wagers.isVisible()) await click(wagers);
    return false;
  });
}

/** Waits until a chip may be laid: bets are open, and nothing is on its way any more. The feed may show the position before
 * the answer to who asked for it, and until then the page lays no chip. */
export async function mayLay(page: Page): Promise<void> {
  await page.locator("button.area.open").first().waitFor();
  await page.getByRole("button", { name: /^(Leave|离座)$/, disabled: false }).waitFor();
}

/** Lays a chip on the Ante by its key, once bets are open. */
export async function laysAnte(page: Page): Promise<void> {
  await mayLay(page);
  await page.keyboard.press("a");
}

/** Looks until something may be pressed, and presses it. */
export async function press(target: Locator): Promise<void> {
  await target.waitFor();
  await target.click();
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
export function hand(page: Page): Promise<(string | null)[]> {
  const cards = page.getByRole("group", { name: "Your hand" }).getByRole("img");
  return cards.evaluateAll((all) => all.map((card) => card.getAttribute("aria-label")));
}
