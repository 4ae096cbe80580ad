// What moves money, people or settings takes a repeated password: it is asked for when the server says so, and then the
// same thing is asked again.
import { Refused } from "./api";
import { notices } from "./notices.svelte";
import { session } from "./session.svelte";

class StepUp {
  /** Whether the password is being asked for. */
  asking = $state(false);
  #answer: ((repeated: boolean) => void) | undefined;

  ask(): Promise<boolean> {
    this.#answer?.(false);
    this.asking = true;
    return new Promise((answer) => {
      this.#answer = answer;
    });
  }

  /** Repeats the password; refused where it is wrong. */
  async repeat(password: string): Promise<void> {
    await session.stepUp(password);
    this.#end(true);
  }

  giveUp(): void {
    this.#end(false);
  }

  #end(repeated: boolean): void {
    this.asking = false;
    this.#answer?.(repeated);
    this.#answer = undefined;
  }
}

export const stepUp = new StepUp();

/** Does something that may take a repeated password. Nothing comes of it where the password is not given. */
export async function withPassword<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.reason !== "StepUpNeeded") throw error;
  }
  return (await stepUp.ask()) ? await work() : undefined;
}

/** The same, and tells what was done or why it was refused. Whether it was done. */
export async function signedFor<T>(work: () => Promise<T>, done?: string): Promise<boolean> {
  try {
    const answer = await withPassword(work);
    if (answer !== undefined && done !== undefined) notices.show(done);
    return answer !== undefined;
  } catch (error) {
    notices.refuse(error);
    return false;
  }
}
