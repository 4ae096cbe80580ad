// The keys of the console. A letter only marks a choice that cannot be undone; Enter confirms it.
import { about, type Choice, type CommandName } from "../../lib/choices";
import { openingAreas } from "../../lib/game";
import type { DealerDesk } from "./desk.svelte";

const DECISIONS: Record<string, string> = { f: "fold", w: "wager", c: "check" };

/** Whether a key belongs to an open dialog, to a field or to the browser. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return true;
  return event.target instanceof Element && event.target.matches("input, select, textarea");
}

/** Whether Enter is pressed on a control of its own. */
export const isPressedOn = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && event.target instanceof Element && event.target.matches("button, a, summary");

/** Takes a key and returns whether it was used. A key held down counts once. */
export function pressed(desk: DealerDesk, key: string, shift: boolean, repeat: boolean): boolean {
  if (key === "Escape") return goBack(desk);
  if (repeat) return key === "Enter";
  if (desk.view === undefined) return false;
  return desk.keys.mustWait ? done(desk.keys.add(() => act(desk, key, shift))) : act(desk, key, shift);
}

function act(desk: DealerDesk, key: string, shift: boolean): boolean {
  if (key === "Enter") return enter(desk, shift);
  if (desk.enteringCards) return enterCard(desk, key);
  if (key === "Backspace" && desk.work === "pay") return done(desk.paying.advance(-1));
  if (/^[1-9]$/.test(key)) return choosePosition(desk, Number(key));
  return letter(desk, key.toLowerCase());
}

const done = (_: unknown): true => true;

function goBack(desk: DealerDesk): boolean {
  desk.keys.clear();
  if (desk.confirmation.armed !== undefined) desk.confirmation.armed = undefined;
  else if (desk.cards.rest !== "") desk.cards.rest = "";
  else if (desk.cards.queue.length > 0) desk.cards.queue = [];
  else if (desk.area !== undefined) desk.area = undefined;
  else if (desk.selected !== undefined) desk.selected = undefined;
  else return false;
  return true;
}

function enter(desk: DealerDesk, shift: boolean): boolean {
  if (desk.confirmation.armed !== undefined) return done(desk.confirmation.choose(desk.confirmation.armed));
  switch (desk.work) {
    case "deal":
      return done(shift && desk.cards.queue.length === 0 ? desk.cards.dealRest() : desk.cards.send());
    case "read":
      return done(desk.cards.send());
    case "pay":
      return done(desk.paying.advance(shift ? desk.paying.steps.length : 1));
    case "show":
      return does(desk, "show-hand");
    case "misdeal":
      return does(desk, "reconstruct");
    case "power":
      return does(desk, "resume-play");
    case "step":
      // An automatic table needs no key.
      return desk.next === undefined || desk.view?.staffing === "automatic"
        ? false
        : done(desk.confirmation.choose(desk.next));
    default:
      return false;
  }
}

function enterCard(desk: DealerDesk, key: string): boolean {
  if (key === "Backspace") return done(desk.cards.undo());
  // D is a suit only after a rank.
  const declines = key.toLowerCase() === "d" && desk.cards.rest === "" && desk.view?.stage.at === "showing";
  return declines ? does(desk, "decline-comparison") : desk.cards.type(key);
}

function choosePosition(desk: DealerDesk, position: number): boolean {
  if (!desk.view?.seats.some((seat) => seat.position === position)) return false;
  desk.confirmation.armed = undefined;
  desk.area = undefined;
  desk.selected = position;
  return true;
}

function letter(desk: DealerDesk, key: string): boolean {
  const stage = desk.view?.stage.at;
  if (desk.work === "decide") {
    if (key === "n") return does(desk, "report-absent");
    const choice = desk.decisions.find(
      ({ command }) => command.do === "decide" && command.position === desk.turn && command.decision === DECISIONS[key],
    );
    return mark(desk, choice);
  }
  if (desk.work === "show" && key === "d") return does(desk, "decline-comparison");
  if (desk.work === "misdeal" && key === "g") return does(desk, "give-up-reconstruction");
  const seat = desk.view?.seats.find((one) => one.position === desk.selected);
  if (seat === undefined || (stage !== "bets-open" && stage !== "before-bets")) return false;
  if (key === "p" && seat.holder == null) return focusOn("player");
  const area = (desk.view === undefined ? [] : openingAreas(desk.view)).find((one) => one.startsWith(key));
  if (area === undefined || seat.holder == null || stage !== "bets-open") return false;
  desk.area = area;
  return true;
}

/** Does a choice at the position whose turn it is, or marks it where it needs a confirmation. */
function does(desk: DealerDesk, name: CommandName): boolean {
  const ofTurn = ({ command }: Choice): boolean => [undefined, desk.turn].includes(about(command).position);
  return mark(
    desk,
    desk.view?.choices.find((choice) => choice.command.do === name && ofTurn(choice)),
  );
}

function mark(desk: DealerDesk, choice: Choice | undefined): boolean {
  // Pressing the same letter twice does not confirm.
  if (choice === undefined || desk.confirmation.isArmed(choice)) return choice !== undefined;
  return done(desk.confirmation.choose(choice));
}

function focusOn(id: string): boolean {
  document.getElementById(id)?.focus();
  return true;
}
