// What a new house does before its first round: people, a link, tables, chips.
import type { Schemas } from "../../lib/api";

type Proposals = readonly Pick<Schemas["ProposalView"], "proposal" | "expired">[];

export interface Step {
  /** The part of the pit where it is done. */
  part: "staff" | "links" | "tables" | "players";
  words: string;
  how: string;
  state: string;
  done: boolean;
}

/** The steps in their order, each with how far it has come. */
export function beginning(
  house: Pick<Schemas["HouseView"], "staff" | "players_count" | "money"> | undefined,
  lobby: Pick<Schemas["Lobby"], "links" | "tables"> | undefined,
  proposals: Proposals,
): Step[] {
  const deal = house?.staff.filter((one) => one.department === "table-games" && one.office !== "gaming-shift-manager");
  const count = (found: number | undefined, kind?: Schemas["Proposal"]["kind"]) => {
    const done = found !== undefined && found > 0;
    const waits = proposals.some(({ proposal, expired }) => proposal.kind === kind && !expired);
    return { done, state: done ? String(found) : waits ? "waits for a second signature" : "none yet" };
  };
  const bought = house?.money === "real" ? "record what they buy in" : "grant them credits or chips";
  return [
    {
      part: "staff",
      words: "People",
      how: "Appoint Dealers and supervisors. Somebody of another department confirms, and each of the two gives out one half of the invitation.",
      ...count(deal?.length, "appoint"),
    },
    {
      part: "links",
      words: "A link",
      how: "The jackpot that tables share: its rulebooks, its opening meter. Accounting signs it with a Pit Manager.",
      ...count(lobby?.links.length, "open-link"),
    },
    {
      part: "tables",
      words: "Tables",
      how: "Each with its rulebook, limits and link. “Dealt by hand” and “run by the staff” for a table with a Dealer.",
      ...count(lobby?.tables.length, "open-table"),
    },
    {
      part: "players",
      words: "Players and chips",
      how: `Register Players and ${bought}, here or at the table on the Dealer's console.`,
      ...count(house?.players_count ?? undefined),
    },
  ];
}
