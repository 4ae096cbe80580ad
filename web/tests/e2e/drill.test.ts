// The drill as a learner meets it: each kind answered by hand in a real browser, with the clause after each answer.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chipFace } from "../../src/lib/money";
import { checkAccessible, openBrowser, person } from "./browser";
import { Floor } from "./floor";

const BOOK = { id: "megalink-holdem-v9", citation: "MTHB9" };
const KINDS = [
  "read-the-hand",
  "pay-the-table",
  "what-comes-next",
  "something-is-wrong",
  "jackpot",
  "limits",
  "power-failure",
] as const;

interface Question {
  form: { form: string; options?: unknown[] };
}
type Given = Record<string, unknown>;

let floor: Floor;
let browser: Browser;

beforeAll(async () => {
  floor = await Floor.start();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await floor?.stop();
});

/** An answer of the right form, most likely wrong. */
function guess({ form }: Question): Given {
  const forms: Record<string, Given> = {
    one: { one: 0 },
    several: { several: [] },
    order: { order: form.options?.map((_, at) => at) },
    amount: { amount: 1 },
    wager: { wager: { does: "take", amount: 1 } },
    chips: { chips: [{ denomination: 1, count: 1 }] },
  };
  const found = forms[form.form];
  if (found === undefined) throw new Error(`no such form: ${form.form}`);
  return found;
}

/** The right answers to an exercise, as the server names them when it marks. */
async function rightAnswers(page: Page, kind: string, seed: number): Promise<Given[]> {
  const exercise = await (
    await page.request.get(`/api/drill/exercise?rulebook=${BOOK.id}&kind=${kind}&seed=${seed}`)
  ).json();
  const answers = (exercise.questions as Question[]).map(guess);
  const marked = await page.request.post("/api/drill/mark", {
    headers: { "X-Megalink": "1" },
    data: { rulebook: BOOK.id, kind, seed, answers },
  });
  return ((await marked.json()).questions as { answer: Given }[]).map(({ answer }) => answer);
}

const amount = (cents: number): string => (cents / 100).toFixed(2);

/** Enters an answer as a person does. */
async function enter(field: Locator, given: Given): Promise<void> {
  const [form, value] = Object.entries(given)[0] ?? [];
  if (form === "one")
    await field
      .getByRole("radio")
      .nth(value as number)
      .check();
  if (form === "several" || form === "order") {
    for (const at of value as number[]) await field.getByRole("checkbox").nth(at).check();
  }
  if (form === "amount") await field.getByRole("textbox").fill(amount(value as number));
  if (form === "wager") {
    const { does, amount: cents } = value as { does: string; amount: number };
    const label = { take: "Take", pay: "Pay", return: "Leave" }[does] ?? does;
    await field.getByRole("radio", { name: label }).check();
    await field.getByRole("textbox").fill(amount(cents));
  }
  if (form === "chips") {
    for (const { denomination, count } of value as { denomination: number; count: number }[]) {
      for (let chip = 0; chip < count; chip += 1)
        await field.getByRole("button", { name: `Add a chip of ${chipFace(denomination)}`, exact: true }).click();
    }
  }
}

describe("the drill", () => {
  for (const kind of KINDS) {
    it(`trains ${kind}: right answers are marked right, with their clauses`, async () => {
      const { page, context, errors } = await person(
        browser,
        floor,
        `/drill?book=${BOOK.citation}&kind=${kind}&seed=11`,
      );
      const answers = await rightAnswers(page, kind, 11);
      const fields = page.locator("fieldset");
      await fields.first().waitFor();
      expect(await fields.count()).toBe(answers.length);
      for (const [at, given] of answers.entries()) await enter(fields.nth(at), given);
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("All right.").waitFor();
      expect(await page.getByText("✓ Right.").count()).toBe(answers.length);
      expect(
        await fields
          .first()
          .getByRole("link", { name: /^MTHB9 / })
          .count(),
      ).toBeGreaterThan(0);
      await page.getByText("Streak 1").waitFor();
      await checkAccessible(page);
      // Enter goes on to another exercise.
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Check" }).waitFor();
      expect(errors).toEqual([]);
      await context.close();
    });
  }

  it("shows a beginner an exercise at once, and what was wrong with its clause", async () => {
    const { page, context, errors } = await person(browser, floor, "/drill");
    await page.getByRole("heading", { name: "Read the hand" }).waitFor();
    await page.getByRole("button", { name: "Power failure" }).click();
    await page.getByRole("heading", { name: "Power failure" }).waitFor();
    const fields = page.locator("fieldset");
    const count = await fields.count();
    for (let at = 0; at < count; at += 1) await fields.nth(at).getByRole("radio").last().check();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Next exercise" }).waitFor();
    expect(await page.getByRole("link", { name: /5\.16/ }).count()).toBeGreaterThan(0);
    // The record stays in this browser.
    await page.reload();
    await page.getByText("Your record").click();
    await page.getByRole("rowheader", { name: "Power failure" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("examines, and certifies nobody who hands in nothing", async () => {
    const { page, context, errors } = await person(browser, floor, "/drill");
    await page.getByRole("button", { name: "Examination" }).click();
    await page.getByLabel("Your name, as the certificate will say").fill("Ann");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByText(/^Exercise 1 of/).waitFor();
    const next = page.getByRole("button", { name: "Next", exact: true });
    while (await next.isVisible()) await next.click();
    await page.getByRole("button", { name: "Hand in" }).click();
    await page.getByRole("heading", { name: "Not passed" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
