import { describe, expect, it } from "vitest";
import type { Schemas } from "../../src/lib/api";
import { handWords, inWords } from "../../src/lib/words";
import { chosen, inHand, type OnDesk, passed, signatureLines, signedCommand, turn } from "../../src/pages/desk/award";

const signature = (step: OnDesk["signatures"][number]["step"], person: string) => ({
  step,
  by: { person, office: "pit-manager" as const },
});
const onDesk = (number: number) => ({ award: { number } }) as OnDesk;

describe("the lines to sign", () => {
  it("wait for three people at first", () => {
    expect(signatureLines({ state: "entered", signatures: [] }).map(({ step, person }) => [step, person])).toEqual([
      ["Verified", undefined],
      ["Approved", undefined],
      ["Paid", undefined],
    ]);
  });
  it("show who signed, beside those who have not", () => {
    const lines = signatureLines({ state: "verified", signatures: [signature("verified", "Grace")] });
    expect(lines[0]).toEqual({ step: "Verified", person: "Grace", office: "Pit Manager" });
    expect(lines[1]?.person).toBeUndefined();
  });
  it("show the later signature where a step was signed again", () => {
    const lines = signatureLines({
      state: "verified",
      signatures: [signature("verified", "Grace"), signature("verified", "Marcus")],
    });
    expect(lines[0]?.person).toBe("Marcus");
  });
  it("wait for nobody once the award is rejected", () => {
    const signatures = [signature("verified", "Grace"), signature("rejected", "Siti"), signature("rejected", "Raj")];
    expect(signatureLines({ state: "rejected", signatures }).map(({ step, person }) => [step, person])).toEqual([
      ["Verified", "Grace"],
      ["Rejected", "Siti"],
      ["Rejected, second", "Raj"],
    ]);
  });
});

it("an award passes its stations one by one", () => {
  expect(["entered", "verified", "approved", "paid", "rejected", "replaced"].map(passed)).toEqual([1, 2, 3, 4, 0, 0]);
});

it("the queue says which award is paid first, until that is over or a ruling has released this one", () => {
  const none = { waits_for: null, released: null, replaced_by: null };
  const by = { person: "Grace", office: "pit-manager" as const };
  expect(turn(none)).toBeUndefined();
  expect(turn({ ...none, waits_for: { award: 4, clause: "MTHB9 3.14", sentence: "" } })).toBe("after No. 4");
  expect(turn({ ...none, released: { words: "disputed", by: { first: by, second: by } } })).toBe("released");
  expect(turn({ ...none, replaced_by: 6 })).toBe("now No. 6");
});

it("the award asked for is in hand, else the first that waits, else the latest", () => {
  const desk = { queue: [onDesk(4), onDesk(5)], done: [onDesk(3)] };
  expect(chosen(desk, 3)?.award.number).toBe(3);
  expect(chosen(desk, 99)?.award.number).toBe(4);
  expect(chosen({ queue: [], done: desk.done }, undefined)?.award.number).toBe(3);
  expect(chosen({ queue: [], done: [] }, undefined)).toBeUndefined();
});

it("what is in hand stays in hand, whatever comes before it, and on another desk the first is taken", () => {
  const desk = (link: string, ...queue: number[]) => ({ link: { link }, queue: queue.map(onDesk), done: [] });
  const first = inHand(undefined, desk("Megalink", 4, 5), undefined);
  expect(first).toBe(4);
  expect(inHand(desk("Megalink", 4, 5), desk("Megalink", 3, 4, 5), first)).toBe(4);
  expect(inHand(desk("Megalink", 4), desk("Megalink v6", 2, 4), first)).toBe(2);
  expect(inHand(undefined, desk("Megalink", 4, 5), 5)).toBe(5);
});

it("what is signed names its award", () => {
  const custody = { camera: "camera 4", seal: "S-00417", deck_in_order: true, held_by: "Security" };
  const filled = { cards: true, deck: 52, reference: " Cage, folder 12 ", custody, means: "credits" as const };
  const signed = (command: Schemas["DeskCommand"]) =>
    signedCommand({ command, label: "", effect: "", office: "dealer", you_may: true, clause: null }, filled);
  const checklist = { cards_checked: true, deck_cards: 52, custody };
  const unchecked = { cards_checked: false, deck_cards: 0 };
  expect(signed({ do: "verify", award: 4, checklist: unchecked })).toEqual({ do: "verify", award: 4, checklist });
  expect(signed({ do: "record-due-diligence", award: 4, reference: "record" })).toEqual({
    do: "record-due-diligence",
    award: 4,
    reference: "Cage, folder 12",
  });
  expect(signed({ do: "approve", award: 4 })).toEqual({ do: "approve", award: 4 });
  expect(signed({ do: "pay", award: 4 })).toEqual({ do: "pay", award: 4, means: "credits" });
});

it("movements and hands have words", () => {
  expect(inWords("reset_by_house")).toBe("Reset by house");
  expect(handWords("straight-flush")).toBe("Straight flush");
});
