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

/** A card comes from the shoe in its turn; `order` is `undefined` for a card that is there already. */
export function fromShoe(order: number | undefined) {
  return (element: HTMLElement): (() => void) | undefined => {
    const shoe = document.querySelector("[data-shoe]");
    if (order === undefined || shoe === null || prefersReducedMotion()) return undefined;
    const { x, y } = way(element, shoe);
    const flight = element.animate(
      [
        { transform: `translate(${x}px, ${y}px) rotate(-24deg)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { transform: "none", opacity: 1 },
      ],
      { duration: FLIGHT_MILLISECONDS, delay: order * DEAL_STEP_MILLISECONDS, easing: EASE, fill: "backwards" },
    );
    return () => flight.cancel();
  };
}

/** Chips come from the rack, or from the Dealer where the house pays them. */
export function chipsFrom(selector: string | undefined, delay = 0) {
  return (element: HTMLElement): (() => void) | undefined => {
    const source = selector === undefined ? null : document.querySelector(selector);
    if (source === null || prefersReducedMotion()) return undefined;
    const { x, y } = way(element, source);
    const flight = element.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, opacity: 0.4 },
        { transform: "none", opacity: 1 },
      ],
      {
        duration: 240,
        delay,
        easing: EASE,
        fill: "backwards",
      },
    );
    return () => flight.cancel();
  };
}

/** Chips move to the house or to their Player and disappear. */
export function chipsTo(selector: string, delay: number, fresh: boolean) {
  return (element: HTMLElement): (() => void) | undefined => {
    const goal = element.closest("[data-seat]")?.querySelector(selector) ?? document.querySelector(selector);
    if (goal === null) return undefined;
    const { x, y } = way(element, goal);
    const still = prefersReducedMotion() || !fresh;
    const gone = { transform: `translate(${x}px, ${y}px) scale(0.7)`, opacity: 0 };
    const flight = element.animate([{ transform: "none", opacity: 1 }, { ...gone, opacity: 1, offset: 0.85 }, gone], {
      duration: still ? 0 : 350,
      delay: still ? 0 : delay,
      easing: "cubic-bezier(0.5, 0, 0.3, 1)",
      fill: "forwards",
    });
    return () => flight.cancel();
  };
}

/** Ends every animation at once, for Players who click ahead. */
export function clickThrough(): void {
  for (const animation of document.getAnimations()) {
    if (
      !(animation instanceof CSSTransition) &&
      animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY
    ) {
      animation.finish();
    }
  }
}
