// A choice that cannot be undone is armed first, and done when it is chosen again or confirmed with Enter.
import type { DealerDesk } from "./desk.svelte";
import { type Choice, commandOf, needsConfirmation, title } from "./procedure";

export class Confirmation {
  armed = $state.raw<Choice | undefined>(undefined);

  constructor(readonly desk: DealerDesk) {}

  get title(): string {
    return this.armed === undefined ? "" : title(this.armed, this.desk.view?.stage.name);
  }

  isArmed(choice: Choice): boolean {
    const { armed } = this;
    return (
      armed !== undefined &&
      armed.does === choice.does &&
      armed.position === choice.position &&
      armed.decision === choice.decision &&
      armed.player === choice.player
    );
  }

  /** Does a choice, or arms it where it needs a confirmation. */
  async choose(choice: Choice): Promise<void> {
    const { desk } = this;
    if (needsConfirmation(choice, desk.view) && !this.isArmed(choice)) {
      this.armed = choice;
      return;
    }
    const body = commandOf(choice);
    if (body === undefined) return;
    const done = await desk.send(body);
    if (done && choice.does === "decide") desk.selected = undefined;
  }
}
