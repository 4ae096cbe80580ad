// Chips or credits: what a wager that the Dealer enters is proposed in.
import type { Schemas, TableView } from "../../lib/api";
import { about, choicesFor } from "../../lib/choices";
import type { Area } from "../../lib/game";

type Means = Schemas["Means"];
type View = Pick<TableView, "choices" | "seats" | "dealing">;

/** What the table takes on an area of a position now. */
export function acceptedMeans(view: View, position: number, area: Area): Means[] {
  const wagers = choicesFor(view.choices, "place-wager", position).filter(
    ({ command }) => about(command).area === area,
  );
  return [...new Set(wagers.flatMap(({ command }) => (command.do === "place-wager" ? [command.means] : [])))];
}

/** What the table accepts; where it accepts both, what the Player's other wagers are in; else what is usual there. */
export function proposedMeans(view: View, position: number, area: Area, player: string): Means {
  const accepted = acceptedMeans(view, position, area);
  const [only] = accepted;
  if (accepted.length === 1 && only !== undefined) return only;
  const wagers = view.seats.flatMap(({ areas }) => areas.flatMap((one) => one.wagers));
  const other = wagers.find(({ owner }) => owner === player);
  return other?.means ?? (view.dealing === "live" ? "chips" : "credits");
}
