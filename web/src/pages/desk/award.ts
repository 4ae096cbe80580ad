// The steps of an award: entered, verified, approved, paid, each by another person.
import type { Schemas } from "../../lib/api";
import { inWords } from "../../lib/words";

export type OnDesk = Schemas["AwardOnDesk"];

export const STATIONS = ["entered", "verified", "approved", "paid"] as const;

/** How many steps an award has passed; none where it was rejected. */
export function passed(state: string): number {
  return (STATIONS as readonly string[]).indexOf(state) + 1;
}

export interface SignatureLine {
  step: string;
  person: string | undefined;
  office: string;
}

const WANTED: readonly { step: string; words: string; office: string }[] = [
  { step: "verified", words: "Verified", office: "a Pit Supervisor" },
  { step: "approved", words: "Approved", office: "a Pit Manager" },
  { step: "paid", words: "Paid", office: "a third person" },
];

/** The lines to sign, with who has signed; rulings and rejections after them. */
export function signatureLines(award: Pick<OnDesk, "signatures"> & { state: string }): SignatureLine[] {
  const signed = (step: string) => award.signatures.findLast((signature) => signature.step === step);
  const wanted = WANTED.map(({ step, words, office }) => {
    const by = signed(step);
    return { step: words, person: by?.person, office: by?.office ?? office };
  });
  const others = award.signatures
    .filter((signature) => !WANTED.some(({ step }) => step === signature.step))
    .map(({ step, person, office }, at) => ({ step: `${inWords(step)}${at === 0 ? "" : ", second"}`, person, office }));
  // A rejected award needs no more signatures.
  return [...(award.state === "rejected" ? wanted.filter(({ person }) => person !== undefined) : wanted), ...others];
}

/** What is filled in before an award is verified or its record is kept. */
export interface Filled {
  cards: boolean;
  deck: number | undefined;
  reference: string;
}

/** What is signed for an award. It is made when it is signed, before a password is asked for: what comes onto the desk
 * meanwhile is not signed by it. */
export function deskForm(does: string, award: number, filled: Filled): Schemas["DeskForm"] {
  switch (does) {
    case "verify":
      return { do: "verify", award, cards_checked: filled.cards, deck_cards: filled.deck ?? 0 };
    case "record_due_diligence":
      return { do: "record_due_diligence", award, reference: filled.reference.trim() };
    case "approve":
      return { do: "approve", award };
    default:
      return { do: "pay", award };
  }
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
