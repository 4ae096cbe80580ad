// Short messages to the person: refusals with their clause, which stay until they are dismissed, and what was done.
import { Refused } from "./api";

export interface Notice {
  id: number;
  kind: "refusal" | "done";
  text: string;
  clause: string | undefined;
}

/** How long it is shown that something was done. */
const SHOWN_MILLISECONDS = 7000;

class Notices {
  list = $state<Notice[]>([]);
  #next = 0;

  show(text: string, kind: Notice["kind"] = "done", clause?: string): void {
    this.#next += 1;
    const id = this.#next;
    // The same thing is said once.
    this.list = this.list.filter((notice) => notice.text !== text || notice.kind !== kind);
    this.list.push({ id, kind, text, clause });
    if (kind === "done") setTimeout(() => this.dismiss(id), SHOWN_MILLISECONDS);
  }

  /** Shows why something was not done, and what that was where it is no longer in sight. */
  refuse(error: unknown, about?: string): void {
    const message = error instanceof Error ? error.message : String(error);
    const text = about === undefined ? message : `${about}: ${message}`;
    const clause = error instanceof Refused ? error.problem.clause : undefined;
    this.show(text, "refusal", clause ?? undefined);
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
