// What a Player's page is sent never holds a card before its time: neither the feed, nor any answer, nor the page itself.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { face } from "../../src/lib/cards";
import { openBrowser, person } from "./browser";
import { Floor } from "./floor";
import { playOn, wager } from "./play";

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

interface Seen {
  text: string;
  content: string;
}

interface View {
  round: number;
  dealer: (string | null)[];
  community: (string | null)[];
  seats: { position: number; yours: boolean; cards: (string | null)[] }[];
}

/** Every card of the view that this Player does not hold, by where it lies. */
function others(view: View): Map<string, string | null> {
  const found = new Map<string, string | null>();
  view.dealer.forEach((card, at) => found.set(`dealer ${at}`, card));
  view.community.forEach((card, at) => found.set(`community ${at}`, card));
  for (const seat of view.seats.filter((seat) => !seat.yours)) {
    seat.cards.forEach((card, at) => found.set(`position ${seat.position} ${at}`, card));
  }
  return found;
}

describe.concurrent.each(["MTHB9-2", "MSSP9-2"])("at %s", (table) => {
  it("no card is sent before it is shown", async () => {
    const { page, context } = await person(browser, floor, "about:blank");
    const seen: Seen[] = [];
    const note = async (text: string) => seen.push({ text, content: await page.content().catch(() => "") });
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => void note(String(payload))));
    page.on("response", async (response) => {
      if (response.url().includes("/api/")) void note(await response.text().catch(() => ""));
    });
    await page.goto(`${floor.address}/table?table=${table}&sit=1`);
    await wager(page);
    await playOn(page);
    const frames = seen.flatMap(({ text }, at) => {
      const message = text.startsWith('{"stream":"table/') ? JSON.parse(text) : undefined;
      return message?.table === undefined ? [] : [{ at, view: message.table as View }];
    });
    const last = frames.at(-1)?.view;
    if (last === undefined) throw new Error("the page heard nothing of its table");
    const played = frames.filter(({ view }) => view.round === last.round);
    let checked = 0;
    for (const [place, card] of others(last)) {
      if (card === null) continue;
      const shown = played.find(({ view }) => others(view).get(place) === card);
      if (shown === undefined) throw new Error(`${place} was never shown`);
      const first = played[0]?.at ?? 0;
      for (const { text, content } of seen.slice(first, shown.at)) {
        expect(text).not.toContain(`"${card}"`);
        expect(content).not.toContain(face(card).name);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(10);
    await context.close();
  });
});
