// A Straight flush is shared by two Players: each award is verified, approved and paid, by a person of its own each time.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible, openBrowser, type Person, person } from "./browser";
import { type Account, type Caller, Floor } from "./floor";
import { annAndBob, at, playUntil, staff, TWO_STRAIGHT_FLUSHES } from "./scenes";

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

/** Somebody at the desk, in a browser of their own. */
interface Signer extends Person {
  account: Account;
}

async function signer(account: Account): Promise<Signer> {
  return { ...(await person(browser, floor, "/desk?link=Megalink", account)), account };
}

/** Signs what comes next on the desk, with the password where it is asked for. */
async function sign({ page, account }: Signer, button: string): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/links/Megalink/commands"));
  await page.getByRole("button", { name: button }).click();
  // What an earlier signature left on the page says nothing of this one: the floor's answer does.
  const answer = await answered;
  if (answer.status() !== 403) return expect(answer.status()).toBe(200);
  expect((await answer.json()).reason).toBe("StepUpNeeded");
  const again = page.getByRole("dialog", { name: "Confirm your password" });
  await again.getByLabel("Password").fill(account.password);
  await again.getByRole("button", { name: "Sign", exact: true }).click();
  await again.waitFor({ state: "hidden" });
}

const queued = (page: Page, award: number) =>
  page.getByRole("region", { name: "Awards" }).getByRole("button", { name: new RegExp(`No\\. ${award}\\b`) });

/** Takes an award in hand and waits until the desk shows it at a station. */
async function take(page: Page, award: number, state: string): Promise<void> {
  await queued(page, award).click();
  await queued(page, award).getByRole("img", { name: state }).waitFor();
  await page.getByRole("article", { name: `Slip of award ${award}` }).waitFor();
}

async function verify(signer: Signer, award: number): Promise<void> {
  const { page } = signer;
  await take(page, award, "entered");
  await page.getByLabel("The winning cards are the hand claimed").check();
  await page.getByLabel("Different cards in the deck").fill("52");
  await page.getByLabel("The rest of the deck is put in order and checked").check();
  await page.getByLabel("Camera and time of the recording").fill("camera 4, 21:07");
  await page.getByLabel("Number of the seal").fill(`S-${award}`);
  await page.getByLabel("Who holds the sealed cards").fill("Joseph Tay, Security");
  await sign(signer, "Sign as verified");
  await queued(page, award).getByRole("img", { name: "verified" }).waitFor();
}

/** Signs an award on to its next station. */
async function sendOn(signer: Signer, award: number, button: string, to: "approved" | "paid"): Promise<void> {
  await take(signer.page, award, to === "paid" ? "approved" : "verified");
  await sign(signer, button);
  await queued(signer.page, award).getByRole("img", { name: to }).waitFor();
}

/** An award of this size wants the winner's identity on record before it is paid. */
async function putOnRecord(signer: Signer, award: number): Promise<void> {
  await signer.page.getByLabel("Where the record is kept").fill(`Cage, folder ${award}`);
  await sign(signer, "Record it");
  await signer.page.getByText(`Cage, folder ${award}`).waitFor();
}

/** Nobody signs an award twice: the desk does not offer it, and the floor refuses it. */
async function refusedTwice({ page, context }: Signer, award: number, act: string): Promise<void> {
  await page.getByText("You cannot sign this").waitFor();
  const answer = await context.request.post("/api/links/Megalink/commands", {
    headers: { "X-Megalink": "1", "Idempotency-Key": crypto.randomUUID() },
    data: { do: act, award },
  });
  expect(answer.status()).toBe(409);
  expect((await answer.json()).reason).toBe("SignedBefore");
}

const everyCent = (page: Page) => page.getByRole("button", { name: "Every cent accounted for: no difference" });
const signSays = (page: Page, state: string) => page.locator(`[data-testid=sign][data-state=${state}]`).waitFor();

/** What a Player holds in credits, in cents; the books are finer. */
async function holds(manager: Caller, player: string): Promise<number> {
  const { accounts } = await manager.get("/api/accounts");
  const own = accounts.find(({ account }: { account: string }) => account === `wallet/${player}`);
  return own.holds.cents;
}

it("is verified, approved and paid by different people, while the sign shows it", async () => {
  const callers = await staff(floor);
  const { manager, dealer } = callers;
  const wall = await person(browser, floor, "/sign?link=Megalink");
  await signSays(wall.page, "open");
  await annAndBob(manager, dealer, "Winners");
  await playUntil(dealer, "Winners", "settling", TWO_STRAIGHT_FLUSHES);
  await at(dealer, "Winners", { do: "settle" });
  await signSays(wall.page, "pending");
  // The wall shines on the hand and the amount that were just entered.
  const shines = wall.page.getByTestId("celebration");
  await shines.filter({ hasText: /Straight flush.*P\$[\d,]+\.\d\d/ }).waitFor();
  await wall.page.getByText("2 awards are waiting to be paid").waitFor();

  const [supervisor, first, second] = await Promise.all([
    signer(callers.supervisor.account),
    signer(manager.account),
    signer(callers.second.account),
  ]);
  await everyCent(first.page).waitFor();
  const amounts = (await manager.get("/api/links/Megalink/desk")).queue.map(
    ({ award }: { award: { amount: number } }) => award.amount,
  );
  expect(amounts).toHaveLength(2);
  expect(amounts[0]).toBe(amounts[1]);
  const before = await holds(manager, "Ann");

  // Who verifies one award approves or pays the other.
  const turns = [
    [supervisor, first, second],
    [first, second, supervisor],
  ] as const;
  // They share, so the cards of both are checked before either is approved.
  for (const [at, [verifier]] of turns.entries()) {
    const award = at + 1;
    await verify(verifier, award);
    await verifier.page.getByText("You cannot sign this").waitFor();
  }
  for (const [at, [, approver, payer]] of turns.entries()) {
    const award = at + 1;
    if (award === 2) {
      await take(first.page, award, "verified");
      await refusedTwice(first, award, "approve");
    }
    await sendOn(approver, award, "Approve for payment", "approved");
    await putOnRecord(approver, award);
    await refusedTwice(approver, award, "pay");
    await sendOn(payer, award, "Sign as paid", "paid");
    await signSays(wall.page, award === 1 ? "pending" : "open");
  }
  await checkAccessible(second.page);

  const slip = second.page.getByRole("article", { name: "Slip of award 2" });
  for (const { account } of [supervisor, first, second]) await slip.getByText(account.name).first().waitFor();
  await slip.getByText("paid", { exact: true }).waitFor();
  await wall.page.getByText("Straight flush").first().waitFor();
  expect((await holds(manager, "Ann")) - before).toBe(amounts[0]);
  await second.page.reload();
  await everyCent(second.page).waitFor();
  for (const { errors } of [wall, supervisor, first, second]) expect(errors).toEqual([]);
});
