// The drill as a learner meets it: each kind answered by hand in a real browser, with the clause after each answer.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chipFace } from "../../src/lib/money";
import { checkAccessible, openBrowser, person } from "./browser";
import { Floor, PROGRAM } from "./floor";

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

describe.concurrent("the drill", () => {
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

  it("lets a Dealer who has never seen it take a first exercise", async () => {
    const { page, context, errors } = await person(browser, floor, "/");
    await page.getByRole("link", { name: "Drill" }).click();
    const fields = page.locator("fieldset");
    await fields.first().waitFor();
    // Whatever comes first is answered by what the page offers: the first choice of each question, five cards where it asks for five.
    const count = await fields.count();
    for (let at = 0; at < count; at += 1) {
      const radio = fields.nth(at).getByRole("radio");
      if ((await radio.count()) > 0) await radio.first().check();
      else for (let card = 0; card < 5; card += 1) await fields.nth(at).getByRole("checkbox").nth(card).check();
    }
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Next exercise" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("practises an examination, which certifies nobody", async () => {
    const { page, context, errors } = await person(browser, floor, "/drill");
    await page.getByRole("button", { name: "Examination" }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByText(/^Exercise 1 of/).waitFor();
    const next = page.getByRole("button", { name: "Next", exact: true });
    while (await next.isVisible()) await next.click();
    // Nothing is answered: it asks first, and the examination goes on where that was a slip.
    const handIn = page.getByRole("button", { name: "Hand in", exact: true });
    const asked = page.getByRole("dialog", { name: "Hand in" });
    await handIn.click();
    await asked.getByText(/^[1-9]\d* open\. Hand in all the same\?/).waitFor();
    await asked.getByRole("button", { name: "Cancel" }).click();
    await handIn.click();
    await asked.getByRole("button", { name: "Hand in all the same" }).click();
    await page.getByRole("heading", { name: "Not passed" }).waitFor();
    expect(await page.getByRole("button", { name: "Save the certificate" }).count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("runs a course from a file, and names the line of a mistake", async () => {
    const { page, context, errors } = await person(browser, floor, "/drill");
    await page.getByRole("button", { name: "Course" }).click();
    const file = page.getByLabel("Course file");
    const course = (more: string) => ({
      name: "course.toml",
      mimeType: "text/plain",
      buffer: Buffer.from(
        `title = "Low Ace"\nbook = "MTHB9"\n[[exercise]]\nkind = "read-the-hand"\nstory = ["Look twice."]\n${more}cards = "4d 5h"\ncommunity = "Ah 2s 3c Kd Kc"\ndealer = "Ks Qs"\n`,
      ),
    });
    await file.setInputFiles(course('answer = "Straight"\n'));
    await page.getByText("line 6, answer: a file has no answers").waitFor();
    await file.setInputFiles(course(""));
    await page.getByRole("heading", { name: "Low Ace" }).waitFor();
    await page.getByText("Look twice.").waitFor();
    const fields = page.locator("fieldset");
    for (const card of [0, 1, 2, 3, 4]) await fields.nth(0).getByRole("checkbox").nth(card).check();
    await fields.nth(1).getByRole("radio", { name: "Straight", exact: true }).check();
    await fields.nth(2).getByRole("radio", { name: "Ann" }).check();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("All right.").waitFor();
    await checkAccessible(page);
    expect(errors).toEqual([]);
    await context.close();
  });
});

/** SHA-256 over parts, each with its length before it, as the house's program makes digests. */
function digest(parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

/** The right answers of an examination: only who has the house's keys can find its seed. */
function answersByKey(row: { number: string; candidate: string; set: number }): Given[][] {
  const vault = "megalink.vault.1";
  const key = digest([vault, "key", Buffer.from(floor.file("signing.key").trim(), "hex")]);
  const set = Buffer.alloc(8);
  set.writeBigUInt64BE(BigInt(row.set));
  const secret = digest([vault, "secret", key, "examination", row.number, row.candidate, set]);
  const seed = secret.subarray(0, 8).toString("hex");
  const said = execFileSync(PROGRAM, ["school", "paper", BOOK.id, "trainee", seed], { encoding: "utf8" });
  return (JSON.parse(said) as { answers: Given[][] }).answers;
}

it("a trainer examines a Dealer, whose certificate the page and the program verify", async () => {
  const [trainer, dealer] = [floor.account("Pit Supervisor"), floor.account("Dealer")];
  const office = await person(browser, floor, "/class", trainer);
  await office.page.getByLabel("Candidate").fill(dealer.name);
  await office.page.getByLabel("Rulebook").selectOption(BOOK.id);
  await office.page.getByRole("button", { name: "Set an examination" }).click();
  await office.page.getByRole("cell", { name: "Not begun" }).waitFor();
  const { page, context, errors } = await person(browser, floor, `/drill?book=${BOOK.citation}`, dealer);
  await page.getByRole("button", { name: "Examination" }).click();
  await page.getByRole("heading", { name: "Set for you" }).waitFor();
  await page.getByRole("listitem").getByRole("button", { name: "Begin" }).click();
  await page.getByText(/^Exercise 1 of/).waitFor();
  const supervisor = await floor.signIn(trainer);
  const answers = answersByKey((await supervisor.get("/api/school/examinations")).examinations.at(-1));
  for (const [at, given] of answers.entries()) {
    await page.getByText(`Exercise ${at + 1} of ${answers.length}`).waitFor();
    const fields = page.locator("fieldset");
    for (const [place, one] of given.entries()) await enter(fields.nth(place), one);
    await page.getByRole("button", { name: at + 1 < answers.length ? "Next" : "Hand in", exact: true }).click();
  }
  await page.getByRole("heading", { name: "Passed" }).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the certificate" }).first().click();
  const download = await downloading;
  const folder = mkdtempSync(join(tmpdir(), "megalink-certificate-"));
  try {
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    expect(execFileSync(PROGRAM, ["school", "verify", file], { encoding: "utf8" })).toContain(
      `All is well: ${dealer.name} passed`,
    );
    await page.getByLabel("Verify a certificate").setInputFiles(file);
    await page.getByText(`Genuine: ${dealer.name}, trainee`).waitFor();
    const forged = readFileSync(file, "utf8").replace(`"candidate": "${dealer.name}"`, '"candidate": "Mallory"');
    await page.getByLabel("Verify a certificate").setInputFiles({
      name: "forged.json",
      mimeType: "application/json",
      buffer: Buffer.from(forged),
    });
    await page.getByText("Not genuine.").waitFor();
    writeFileSync(file, forged);
    expect(() => execFileSync(PROGRAM, ["school", "verify", file], { encoding: "utf8" })).toThrow();
    // With the answers, as the register exports them, the program makes the paper again and marks it again.
    const register = await supervisor.get("/api/school/examinations");
    writeFileSync(file, JSON.stringify(register.examinations.at(-1)));
    expect(execFileSync(PROGRAM, ["school", "verify", file], { encoding: "utf8" })).toContain("marked again");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await office.page.reload();
  await office.page.getByRole("cell", { name: "Passed" }).waitFor();
  await checkAccessible(office.page);
  expect([...errors, ...office.errors]).toEqual([]);
  await context.close();
  await office.context.close();
});

it("a trainer sees what a Dealer has answered, and what is weak", async () => {
  const [trainer, dealer] = [floor.account("Pit Supervisor"), floor.account("Dealer")];
  const { page, context, errors } = await person(
    browser,
    floor,
    `/drill?book=${BOOK.citation}&kind=power-failure&seed=3`,
    dealer,
  );
  const fields = page.locator("fieldset");
  await fields.first().waitFor();
  const answers = await rightAnswers(page, "power-failure", 3);
  // Every answer is right but the first.
  for (const [at, given] of answers.entries())
    await enter(fields.nth(at), at === 0 ? { one: 1 - Number(given.one) } : given);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Next exercise" }).waitFor();
  await page.getByText("Your record").click();
  await page.getByText("Kept by the house; your trainers see it.").waitFor();
  const office = await person(browser, floor, "/class", trainer);
  await office.page.getByRole("button", { name: dealer.name }).click();
  await office.page.getByText("Power failure").waitFor();
  await office.page.getByRole("heading", { name: "What the class gets wrong most" }).waitFor();
  expect([...errors, ...office.errors]).toEqual([]);
  await context.close();
  await office.context.close();
});

it("a Player trains decisions in either language, and is told what they are worth", async () => {
  const { page, context, errors } = await person(browser, floor, "/train?book=MSSP9&seed=4");
  const choice = page.getByRole("button", { name: /Fold/ });
  await choice.click();
  await page.getByText(/^(Right|Not the best choice)\./).waitFor();
  expect(await page.getByText("Antes").count()).toBe(2);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".choice:enabled") !== null);
  await page.keyboard.press("1");
  await page.getByRole("button", { name: "Next", exact: true }).waitFor();
  await page.getByText("/ 2").waitFor();
  await checkAccessible(page);
  await page.getByRole("button", { name: "Lessons" }).click();
  await page.getByRole("rowheader", { name: "Bet with a pair with a card of your own" }).waitFor();
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("heading", { name: "第 1 课" }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
