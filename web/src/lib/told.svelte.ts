// What a Player must be told wherever they are: measures of the staff against them, with the reason.
import { type EventView, get } from "./api";
import { feed } from "./feed.svelte";

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
  sentence: string;
  clause: string | undefined;
}

/** The measures against one Player after some events, the newest last. */
export function measuresAfter(known: readonly Measure[], events: readonly EventView[], player: string): Measure[] {
  let measures = [...known];
  for (const { kind, sentence, data } of events) {
    if (data.player !== player) continue;
    if (LIFTED.includes(kind)) measures = [];
    if (!MEASURES.includes(kind)) continue;
    // The house and the table both say that a Player is prohibited: it is told once.
    measures = measures.filter((one) => one.kind !== kind);
    measures.push({ kind, sentence, clause: data.clause ?? undefined });
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
    void this.#load(player);
    return () => {
      feed.onevents = () => undefined;
      this.list = [];
    };
  }

  // A prohibition stands although the event was received by an earlier page.
  async #load(player: string): Promise<void> {
    const play = await get("/api/me/play").catch(() => undefined);
    if (!play?.prohibited || this.list.length > 0) return;
    const because = play.prohibited_because == null ? "" : ` The reason: ${play.prohibited_because}.`;
    const sentence = `${player} is prohibited from play.${because}`;
    this.list = [{ kind: "player-prohibited", sentence, clause: undefined }];
  }

  read(measure: Measure): void {
    this.list = this.list.filter((one) => one !== measure);
  }
}

export const told = new Told();
