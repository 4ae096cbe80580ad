// A Player's page never receives a card too early: not in the feed, not in an answer, not on the page.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { face } from "../../src/lib/cards";
import { openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { playOn, wager } from "./play";
import { cardsIn, type View, Watch } from "./watch";

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

/** What came too early in the last round that was settled, and how often something was looked at. */
function lookThrough({ sent, held }: Watch): { early: string[]; texts: number; pages: number } {
  const views = sent.flatMap(({ view }, at) => (view === undefined ? [] : [{ view, at }]));
  const settled = views.filter(({ view }) => view.settlement != null);
  const round = Math.max(...settled.map(({ view }) => view.round));
  const played = views.filter(({ view }) => view.round === round);
  const begun = played[0]?.at ?? 0;
  const last = played.reduce<View | undefined>(
    (latest, { view }) => (latest === undefined || latest.version < view.version ? view : latest),
    undefined,
  );
  if (last === undefined) throw new Error("the page received nothing about its table");
  const ofRound = held.filter(({ content }) => content.includes(`>Round ${round}<`));
  const result = { early: [] as string[], texts: 0, pages: 0 };
  for (const [place, card] of cardsIn(last)) {
    if (card === null) continue;
    const shown = played.filter(({ view }) => cardsIn(view).get(place) === card);
    const version = Math.min(...shown.map(({ view }) => view.version));
    const first = Math.min(...shown.map(({ at }) => at));
    // The version of a view shows when it was made; of anything else only the order of arrival is known.
    const before = sent.filter(({ view }, at) => begun <= at && (view ? view.version < version : at < first));
    for (const { text } of before) {
      result.texts += 1;
      if (text.includes(`"${card}"`)) result.early.push(`${place}, ${card}, was sent before it was shown`);
    }
    for (const { content } of ofRound.filter(({ upTo }) => upTo <= first)) {
      result.pages += 1;
      if (content.includes(face(card).name))
        result.early.push(`${place}, ${card}, was on the page before it was shown`);
    }
  }
  return result;
}

describe.concurrent.each(["MTHB9-2", "MSSP9-2"])("at %s", (table) => {
  it("no card is sent before it is shown", async () => {
    const { page, context } = await person(browser, floor, "about:blank");
    const watch = new Watch(page);
    await page.goto(`${floor.address}/table?table=${table}&sit=1`);
    await watch.during(wager(page).then(() => playOn(page)));
    const { early, texts, pages } = lookThrough(watch);
    expect(early).toEqual([]);
    expect(texts).toBeGreaterThan(10);
    expect(pages).toBeGreaterThan(10);
    await context.close();
  });
});
