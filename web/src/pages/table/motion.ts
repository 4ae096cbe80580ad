// Animations: cards and chips move from where they were to where they go. None with reduced motion.
import { prefersReducedMotion } from "../../lib/settings.svelte";
import { DEAL_STEP_MILLISECONDS, FLIGHT_MILLISECONDS } from "./deal";

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

const middle = (element: Element): { x: number; y: number } => {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

/** How far a seat is rotated: movements inside it use its own axes. */
function turned(element: Element): number {
  const seat = element.closest<HTMLElement>("[data-turn]");
  return (Number(seat?.dataset.turn ?? 0) * Math.PI) / 180;
}

/** The distance from another element to this one, on this one's own axes. */
function way(element: Element, from: Element): { x: number; y: number } {
  const [start, end] = [middle(from), middle(element)];
  const [x, y, angle] = [start.x - end.x, start.y - end.y, -turned(element)];
  return { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
}

/** What starts from another element, before the next frame. All ways are measured first: to start a movement between two
 * measurements would have the page laid out anew for each card of a deal. */
const starting: { element: HTMLElement; from: Element; start: (way: { x: number; y: number }) => void }[] = [];

function startAll(): void {
  const all = starting.splice(0);
  const ways = all.map(({ element, from }) => way(element, from));
  for (const [at, { start }] of all.entries()) start(ways[at] ?? { x: 0, y: 0 });
}

/** Moves an element from another one; returns how to stop. */
function startFrom(
  element: HTMLElement,
  from: Element,
  move: (way: { x: number; y: number }) => [Keyframe[], KeyframeAnimationOptions],
): () => void {
  let flight: Animation | undefined;
  let stopped = false;
  if (starting.length === 0) queueMicrotask(startAll);
  starting.push({
    element,
    from,
    start: (way) => {
      if (!stopped) flight = element.animate(...move(way));
    },
  });
  return () => {
    stopped = true;
    flight?.cancel();
  };
}

/** A card comes from the shoe in its turn; `order` is `undefined` for a card that is there already. */
export function fromShoe(order: number | undefined) {
  return (element: HTMLElement): (() => void) | undefined => {
    const shoe = document.querySelector("[data-shoe]");
    if (order === undefined || shoe === null || prefersReducedMotion()) return undefined;
    return startFrom(element, shoe, ({ x, y }) => [
      [
        { transform: `translate(${x}px, ${y}px) rotate(-24deg)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { transform: "none", opacity: 1 },
      ],
      { duration: FLIGHT_MILLISECONDS, delay: order * DEAL_STEP_MILLISECONDS, easing: EASE, fill: "backwards" },
    ]);
  };
}

/** Chips come from the rack, or from the Dealer where the house pays them. */
export function chipsFrom(selector: string | undefined, delay = 0) {
  return (element: HTMLElement): (() => void) | undefined => {
    const source = selector === undefined ? null : document.querySelector(selector);
    if (source === null || prefersReducedMotion()) return undefined;
    return startFrom(element, source, ({ x, y }) => [
      [
        { transform: `translate(${x}px, ${y}px)`, opacity: 0.4 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 240, delay, easing: EASE, fill: "backwards" },
    ]);
  };
}

/** Chips move to the house or to their Player and disappear. */
export function chipsTo(selector: string, delay: number, fresh: boolean) {
  return (element: HTMLElement): (() => void) | undefined => {
    const goal = element.closest("[data-seat]")?.querySelector(selector) ?? document.querySelector(selector);
    if (goal === null) return undefined;
    const still = prefersReducedMotion() || !fresh;
    return startFrom(element, goal, ({ x, y }) => {
      const gone = { transform: `translate(${x}px, ${y}px) scale(0.7)`, opacity: 0 };
      return [
        [{ transform: "none", opacity: 1 }, { ...gone, opacity: 1, offset: 0.85 }, gone],
        {
          duration: still ? 0 : 350,
          delay: still ? 0 : delay,
          easing: "cubic-bezier(0.5, 0, 0.3, 1)",
          fill: "forwards",
        },
      ];
    });
  };
}

/** What takes longer is no movement of cards or chips, but a line that runs out. */
const MOVEMENT_MILLISECONDS_MAX = 1000;

/** Ends every movement at once, for Players who click ahead. */
export function clickThrough(): void {
  for (const animation of document.getAnimations()) {
    const { iterations, duration } = animation.effect?.getTiming() ?? {};
    const isMovement = iterations === 1 && Number(duration) <= MOVEMENT_MILLISECONDS_MAX;
    if (isMovement && !(animation instanceof CSSTransition)) animation.finish();
  }
}
