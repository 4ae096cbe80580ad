// Short messages to the person: refusals with their clause, and what was done.
import { Refused } from "./api";

export interface Notice {
  id: number;
  kind: "refusal" | "done";
  text: string;
  clause: string | undefined;
}

const SHOWN_MILLISECONDS = 7000;

class Notices {
  list = $state<Notice[]>([]);
  #next = 0;

  show(text: string, kind: Notice["kind"] = "done", clause?: string): void {
    this.#next += 1;
    const id = this.#next;
    this.list.push({ id, kind, text, clause });
    setTimeout(() => this.dismiss(id), SHOWN_MILLISECONDS);
  }

  /** Shows why something was not done. */
  refuse(error: unknown): void {
    if (error instanceof Refused) this.show(error.message, "refusal", error.problem.clause ?? undefined);
    else this.show(error instanceof Error ? error.message : String(error), "refusal");
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
