// An award's way over the desk: entered, verified, approved, paid, each by somebody else.
import type { Schemas } from "../../lib/api";

export type OnDesk = Schemas["AwardOnDesk"];

export const STATIONS = ["entered", "verified", "approved", "paid"] as const;

/** How many stations an award has passed; an award that was rejected passes none any more. */
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

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Every line to sign, with who did; rulings and rejections stand beside them. */
export function signatureLines(award: Pick<OnDesk, "signatures"> & { state: string }): SignatureLine[] {
  const signed = (step: string) => award.signatures.findLast((signature) => signature.step === step);
  const wanted = WANTED.map(({ step, words, office }) => {
    const by = signed(step);
    return { step: words, person: by?.person, office: by?.office ?? office };
  });
  const others = award.signatures
    .filter((signature) => !WANTED.some(({ step }) => step === signature.step))
    .map(({ step, person, office }, at) => ({ step: `${capital(step)}${at === 0 ? "" : ", second"}`, person, office }));
  // On an award that is rejected nobody signs any more.
  return [...(award.state === "rejected" ? wanted.filter(({ person }) => person !== undefined) : wanted), ...others];
}

/** A movement or a cause in words: `reset_by_house` as "Reset by house". */
export const inWords = (name: string): string => capital(name.replaceAll("_", " "));

/** The award to show: the one asked for, else the first that waits, else the latest. */
export function chosen(
  desk: Pick<Schemas["DeskView"], "queue" | "done">,
  number: number | undefined,
): OnDesk | undefined {
  const all = [...desk.queue, ...desk.done];
  return all.find(({ award }) => award.number === number) ?? all[0];
}
