// The steps of an award: entered, verified, approved, paid, each by another person.
import type { Schemas } from "../../lib/api";
import type { DeskChoice } from "../../lib/choices";
import { postName } from "../../lib/offices";
import { inWords } from "../../lib/words";

export type OnDesk = Schemas["AwardOnDesk"];

export const STATIONS = ["entered", "verified", "approved", "paid"] as const;

/** How many steps an award has passed; none where it was rejected or replaced. */
export function passed(state: string): number {
  return (STATIONS as readonly string[]).indexOf(state) + 1;
}

export interface SignatureLine {
  step: string;
  person: string | undefined;
  office: string;
}

type Signed = OnDesk["signatures"][number];

const WANTED: readonly { step: Signed["step"]; words: string; office: string }[] = [
  { step: "verified", words: "Verified", office: "a Pit Supervisor" },
  { step: "approved", words: "Approved", office: "a Pit Manager" },
  { step: "paid", words: "Paid", office: "a third person" },
];

/** The lines to sign, with who has signed; rulings and rejections after them. */
export function signatureLines(award: Pick<OnDesk, "signatures"> & { state: string }): SignatureLine[] {
  const signed = (step: Signed["step"]) => award.signatures.findLast((signature) => signature.step === step);
  const wanted = WANTED.map(({ step, words, office }) => {
    const by = signed(step)?.by;
    return { step: words, person: by?.person, office: by === undefined ? office : postName(by) };
  });
  const others = award.signatures
    .filter((signature) => !WANTED.some(({ step }) => step === signature.step))
    .map(({ step, by }, at) => ({
      step: `${inWords(step)}${at === 0 ? "" : ", second"}`,
      person: by.person,
      office: postName(by),
    }));
  // An award that was rejected or replaced needs no more signatures.
  const over = award.state === "rejected" || award.state === "replaced";
  return [...(over ? wanted.filter(({ person }) => person !== undefined) : wanted), ...others];
}

/** What a row of the queue says beside the state: which award is paid first, or that a ruling released this one. */
export function turn({ waits_for, released, replaced_by }: Turn): string | undefined {
  if (waits_for != null) return `after No. ${waits_for.award}`;
  if (replaced_by != null) return `now No. ${replaced_by}`;
  return released != null ? "released" : undefined;
}

type Turn = Pick<OnDesk, "waits_for" | "released" | "replaced_by">;

/** What an award that needs nothing more is called. */
export const OVER: Partial<Record<Schemas["AwardView"]["state"], string>> = {
  paid: "Paid",
  rejected: "Rejected",
  replaced: "Replaced",
};

/** What is filled in before an award is verified or its record is kept. */
export interface Filled {
  cards: boolean;
  deck: number | undefined;
  reference: string;
  custody: Schemas["Custody"];
  means: Schemas["PaidBy"] | undefined;
}

/** The command to sign, with what was filled in. It is made before the password is asked for, so that an award chosen
 * meanwhile is not signed by mistake. */
export function signedCommand({ command }: DeskChoice, filled: Filled): Schemas["DeskCommand"] {
  if (command.do === "verify") {
    const checklist = { cards_checked: filled.cards, deck_cards: filled.deck ?? 0, custody: filled.custody };
    return { ...command, checklist };
  }
  if (command.do === "pay") return filled.means === undefined ? command : { ...command, means: filled.means };
  return command.do === "record-due-diligence" ? { ...command, reference: filled.reference.trim() } : command;
}

/** The award to keep chosen when the desk is loaded again: the same one, where it is still there. */
export function inHand(before: Seen | undefined, seen: Seen, number: number | undefined): number | undefined {
  const same = before === undefined || before.link.link === seen.link.link;
  return chosen(seen, same ? number : undefined)?.award.number;
}

type Seen = Pick<Schemas["DeskView"], "queue" | "done"> & { link: { link: string } };

/** The award to show: the requested one, else the first that is waiting, else the latest. */
export function chosen(
  desk: Pick<Schemas["DeskView"], "queue" | "done">,
  number: number | undefined,
): OnDesk | undefined {
  const all = [...desk.queue, ...desk.done];
  return all.find(({ award }) => award.number === number) ?? all[0];
}
