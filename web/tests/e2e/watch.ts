// Records everything a page receives and what it shows, to be checked after the round.
import type { Page, Response } from "playwright-core";

export interface View {
  table: string;
  round: number;
  version: number;
  settlement: unknown;
  dealer: (string | null)[];
  community: (string | null)[];
  seats: { position: number; cards: (string | null)[] }[];
}

/** A text that the page received, with the view of the table in it, where there is one. */
interface Sent {
  text: string;
  view: View | undefined;
}

/** What the page showed, and how much it had received by then. */
interface Held {
  content: string;
  upTo: number;
}

export class Watch {
  readonly sent: Sent[] = [];
  readonly held: Held[] = [];
  #answers = new Set<Promise<void>>();

  constructor(private readonly page: Page) {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => this.#note(String(payload))));
    page.on("response", (response) => {
      if (!response.url().includes("/api/")) return;
      const answer: Promise<void> = this.#read(response).finally(() => this.#answers.delete(answer));
      this.#answers.add(answer);
    });
  }

  /** Keeps a copy of the page ten times a second while `work` is done, and once more after it. */
  async during(work: Promise<void>): Promise<void> {
    let working = true;
    const done = work.finally(() => {
      working = false;
    });
    const looking = async () => {
      while (working) {
        await this.#look();
        await new Promise((pause) => setTimeout(pause, 100));
      }
      await this.#look();
    };
    await Promise.all([done, looking()]);
  }

  async #look(): Promise<void> {
    const content = await this.page.content();
    // Answers that have come but are still being read may be on the page already.
    await Promise.all(this.#answers);
    this.held.push({ content, upTo: this.sent.length });
  }

  async #read(response: Response): Promise<void> {
    this.#note(await response.text().catch(() => ""));
  }

  #note(text: string): void {
    this.sent.push({ text, view: viewIn(text) });
  }
}

/** The view of a table that stands in a message of the feed, in the answer to a command, or is the answer. */
function viewIn(text: string): View | undefined {
  if (!text.startsWith("{")) return undefined;
  const message = JSON.parse(text);
  const view = typeof message.table === "object" ? message.table : message;
  return Array.isArray(view?.seats) && Array.isArray(view.dealer) ? view : undefined;
}

/** Every card of a view, by its place. */
export function cardsIn(view: View): Map<string, string | null> {
  const found = new Map<string, string | null>();
  view.dealer.forEach((card, at) => {
    found.set(`the Dealer's card ${at + 1}`, card);
  });
  view.community.forEach((card, at) => {
    found.set(`community card ${at + 1}`, card);
  });
  for (const { position, cards } of view.seats) {
    cards.forEach((card, at) => {
      found.set(`card ${at + 1} of position ${position}`, card);
    });
  }
  return found;
}
