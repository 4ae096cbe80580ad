// What a page asks for again and again.
import { untrack } from "svelte";

/** Does some work, and again after a pause, as long as the page is looked at; returns how to stop. It is never done twice
 * at once, however long an answer takes, and what fails is done again after the pause. */
export function poll(work: () => Promise<unknown>, milliseconds: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const repeat = async (): Promise<void> => {
    timer = undefined;
    await work().catch(() => undefined);
    if (!stopped) timer = setTimeout(next, milliseconds);
  };
  // A page that nobody looks at waits, and asks as soon as somebody does.
  const next = (): void => {
    if (!document.hidden) void repeat();
  };
  const shown = (): void => {
    if (document.hidden || timer === undefined) return;
    clearTimeout(timer);
    void repeat();
  };
  document.addEventListener("visibilitychange", shown);
  // An effect that polls must not begin anew with each answer.
  untrack(() => void repeat());
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", shown);
  };
}
