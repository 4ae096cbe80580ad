// Short messages to the person: refusals with their clause, and what was done.
import { Refused } from "./api";

export interface Notice {
  id: number;
  kind: "refusal" | "done";
  text: string;
  clause: string | undefined;
  /** Where to do what the notice asks for. */
  link?: NoticeLink | undefined;
}

export interface NoticeLink {
  words: string;
  address: string;
}

/** Where a refusal sends the person, by its reason. */
const LINKS: Record<string, NoticeLink> = {
  NotEnoughChips: { words: "Record a buy-in", address: "/pit#players" },
};

const SHOWN_MILLISECONDS = 7000;

class Notices {
  list = $state<Notice[]>([]);
  #next = 0;

  show(text: string, kind: Notice["kind"] = "done", clause?: string, link?: NoticeLink): void {
    this.#next += 1;
    const id = this.#next;
    this.list.push({ id, kind, text, clause, link });
    setTimeout(() => this.dismiss(id), SHOWN_MILLISECONDS);
  }

  /** Shows why something was not done. */
  refuse(error: unknown): void {
    if (error instanceof Refused) {
      const { clause, reason } = error.problem;
      this.show(error.message, "refusal", clause ?? undefined, LINKS[reason]);
    } else this.show(error instanceof Error ? error.message : String(error), "refusal");
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();

/** Does something, and shows why where it fails. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    notices.refuse(error);
    return undefined;
  }
}
