// The link's own feed: its meter moves and its awards are signed while this table stands still.
import type { LinkView } from "../../lib/api";
import { feed } from "../../lib/feed.svelte";
import { money } from "../../lib/money";
import { notices } from "../../lib/notices.svelte";
import { type Award, awardState } from "./results";
import type { Sitting } from "./sitting.svelte";
import { say } from "./words";

export class LinkWatch {
  view = $state.raw<LinkView | undefined>(undefined);

  constructor(readonly sitting: Sitting) {}

  follow(name: string): () => void {
    return feed.follow(`link/${name}`, ({ link }) => {
      if (link != null) this.#changed(link);
    });
  }

  /** The awards of a round at this table, as far as the link still lists them. */
  awardsOf(round: number, positions: ReadonlySet<number>): Award[] {
    const all = new Map(
      [...(this.view?.last_awards ?? []), ...(this.view?.pending ?? [])].map((one) => [one.number, one]),
    );
    return [...all.values()].filter(
      (award) => award.table === this.sitting.name && award.round === round && positions.has(award.position),
    );
  }

  #changed(link: LinkView): void {
    this.view = link;
    const { results, balance } = this.sitting;
    const now = new Map([...link.last_awards, ...link.pending].map((award) => [award.number, award]));
    const moved = (results.ending?.awards ?? []).flatMap((before) => {
      const after = now.get(before.number);
      return after === undefined || after.state === before.state ? [] : [after];
    });
    if (moved.length > 0) {
      results.awardsChanged(moved);
      for (const award of moved) {
        const words =
          award.state === "paid"
            ? say.awardPaid(award.number, money(award.amount))
            : say.awardMoved(award.number, awardState(award.state));
        notices.show(words);
      }
      void balance.load();
      void this.sitting.refresh();
    }
    void results.restore();
  }
}
