// A choice that cannot be undone is armed first, and done when it is chosen again or confirmed with Enter.
import { type Choice, fullLabel, isSame } from "../../lib/choices";
import type { DealerDesk } from "./desk.svelte";

export class Confirmation {
  armed = $state.raw<Choice | undefined>(undefined);

  constructor(readonly desk: DealerDesk) {}

  get title(): string {
    return this.armed === undefined ? "" : fullLabel(this.armed);
  }

  isArmed(choice: Choice): boolean {
    return this.armed !== undefined && isSame(this.armed, choice);
  }

  /** Does a choice, or arms it where it needs a confirmation. */
  async choose(choice: Choice): Promise<void> {
    const { desk } = this;
    if (choice.confirm === true && !this.isArmed(choice)) {
      this.armed = choice;
      return;
    }
    const done = await desk.send(choice.command);
    if (done && choice.command.do === "decide") desk.selected = undefined;
  }
}
