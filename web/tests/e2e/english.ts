// Finds English on a page in Chinese: what is seen, and what a screen reader reads out.
import type { Page } from "playwright-core";
import type { Floor } from "./floor";

/** What stays as it is in every language: the house's own names, clauses, hole cards, keys, hashes, and what the Dealer calls
 * where its meaning stands beside it. */
const KEPT =
  /\b(Megalink( v6)?|MEGALINK( V6)?|Demonstration House|DEMONSTRATION HOUSE|THB6-1 meter|[AKQJT2-9]{2}[so]?|[A-Z]{3,5}\d(-\w+)?|EN|NOWHERE|Guest \w+|Enter|Shift|[0-9a-f]{8,}|\w+( \w+)? \(house\))\b|P\$|“[^”]*”(?=\s?[（\u4e00-\u9fff])/g;

/** The names of the tables and people of a floor, which are never translated. */
export async function namesOf(floor: Floor): Promise<string[]> {
  const manager = await floor.signIn(floor.account("Gaming Shift Manager"));
  const { tables, links } = await manager.get("/api/lobby");
  const views = await Promise.all(
    tables.map(({ table }: { table: string }) => manager.get(`/api/tables/${encodeURIComponent(table)}`)),
  );
  const holders = views.flatMap(({ seats }) => seats.map(({ holder }: { holder: string | null }) => holder ?? ""));
  const named = [
    ...tables.map(({ table }: { table: string }) => table),
    ...links.map(({ link }: { link: string }) => link),
  ];
  const names = [...named, ...holders];
  const plain = holders.map((holder: string) => holder.replace(/ \(house\)$/, ""));
  // The longest first: one name may begin another.
  return [...new Set([...names, ...plain])]
    .filter((name) => name !== "")
    .toSorted((one, other) => other.length - one.length);
}

/** The texts of a page that are seen or read out and have a word in English, apart from `names`. */
export async function englishOn(page: Page, names: readonly string[] = []): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const read = ["aria-label", "title", "placeholder", "alt", "aria-valuetext"];
    const spoken = [...document.querySelectorAll("body *")].flatMap((element) =>
      element.checkVisibility() ? read.map((name) => element.getAttribute(name) ?? "") : [],
    );
    const all = [document.title, ...document.body.innerText.split("\n"), ...spoken];
    return all.map((text) => text.replaceAll("\u00a0", " "));
  });
  const without = (text: string): string =>
    names.reduce((rest, name) => rest.replace(new RegExp(name.replace(/[()]/g, "\\$&"), "gi"), ""), text);
  return [...new Set(texts.filter((text) => /[a-z]{3,}/i.test(without(text).replace(KEPT, ""))))];
}
