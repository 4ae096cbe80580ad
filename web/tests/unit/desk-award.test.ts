import { describe, expect, it } from "vitest";
import { handWords } from "../../src/lib/hands";
import { chosen, inWords, type OnDesk, passed, signatureLines } from "../../src/pages/desk/award";

const signature = (step: string, person: string) => ({ step, person, office: "Pit Manager" });
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
  expect(["entered", "verified", "approved", "paid", "rejected"].map(passed)).toEqual([1, 2, 3, 4, 0]);
});

it("the award asked for is in hand, else the first that waits, else the latest", () => {
  const desk = { queue: [onDesk(4), onDesk(5)], done: [onDesk(3)] };
  expect(chosen(desk, 3)?.award.number).toBe(3);
  expect(chosen(desk, 99)?.award.number).toBe(4);
  expect(chosen({ queue: [], done: desk.done }, undefined)?.award.number).toBe(3);
  expect(chosen({ queue: [], done: [] }, undefined)).toBeUndefined();
});

it("movements and hands are told in words", () => {
  expect(inWords("reset_by_house")).toBe("Reset by house");
  expect(handWords("straight-flush")).toBe("Straight flush");
});
