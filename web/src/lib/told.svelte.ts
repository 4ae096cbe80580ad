// What a Player must be told wherever they are: measures of the staff against them, with the reason.
import { type EventView, get } from "./api";
import { feed } from "./feed.svelte";
import { say } from "./language.svelte";
import { eventText } from "./spoken";

/** The measures, and whether each stays until the Player has read it. */
const MEASURES: readonly EventView["kind"][] = [
  "player-prohibited",
  "action-stopped",
  "player-restricted",
  "player-warned",
];
const LIFTED: readonly EventView["kind"][] = ["player-readmitted", "restriction-lifted"];

export interface Measure {
  kind: EventView["kind"];
  /** The entry that says so; a prohibition that an earlier page received is known by its reason only. */
  event: EventView | undefined;
  reason: string | undefined;
  clause: string | undefined;
}

/** What is decided about a Player, in the language of the page. */
export function measuredText({ event, reason }: Measure): string {
  if (event !== undefined) return eventText(event);
  const because = reason === undefined ? "" : ` ${say("told.because", { reason })}`;
  return `${say("told.prohibited")}${because}`;
}

/** The measures against one Player after some events, the newest last. */
export function measuresAfter(known: readonly Measure[], events: readonly EventView[], player: string): Measure[] {
  let measures = [...known];
  for (const event of events) {
    const { kind, data } = event;
    if (data.player !== player) continue;
    if (LIFTED.includes(kind)) measures = [];
    if (!MEASURES.includes(kind)) continue;
    // The house and the table both say that a Player is prohibited: it is told once.
    measures = measures.filter((one) => one.kind !== kind);
    measures.push({ kind, event, reason: undefined, clause: data.clause ?? undefined });
  }
  return measures;
}

class Told {
  list = $state.raw<Measure[]>([]);

  /** Tells a Player what concerns them; returns how to stop. */
  follow(player: string): () => void {
    feed.onevents = (events) => {
      this.list = measuresAfter(this.list, events, player);
    };
    void this.#load();
    return () => {
      feed.onevents = () => undefined;
      this.list = [];
    };
  }

  // A prohibition stands although the event was received by an earlier page.
  async #load(): Promise<void> {
    const play = await get("/api/me/play").catch(() => undefined);
    if (!play?.prohibited || this.list.length > 0) return;
    const reason = play.prohibited_because ?? undefined;
    this.list = [{ kind: "player-prohibited", event: undefined, reason, clause: undefined }];
  }

  read(measure: Measure): void {
    this.list = this.list.filter((one) => one !== measure);
  }
}

export const told = new Told();
