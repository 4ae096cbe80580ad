// Commands that move money, people or settings need the password again. The server says so; the page asks for it and
// sends the command again.
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

  /** Sends the password, and the code where there is one; fails where it is wrong. */
  async repeat(password: string, code?: string): Promise<void> {
    await session.stepUp(password, code);
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

/** Does something that may need the password again. Returns `undefined` where the password is not given. */
export async function withPassword<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.reason !== "StepUpNeeded") throw error;
  }
  return (await stepUp.ask()) ? await work() : undefined;
}

/** The same, and shows what was done or why it was refused. Returns whether it was done. */
export async function withSignature<T>(work: () => Promise<T>, done?: string): Promise<boolean> {
  try {
    const answer = await withPassword(work);
    if (answer !== undefined && done !== undefined) notices.show(done);
    return answer !== undefined;
  } catch (error) {
    notices.refuse(error);
    return false;
  }
}
