// A real floor for a test: the program itself, on a free port, with a log of its own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Account {
  name: string;
  office: string;
  password: string;
}

export const PROGRAM = process.env.MEGALINK ?? resolve(import.meta.dirname, "../../../target/debug/megalink");

/** The library that moves the clock of a program, where this machine has one. */
export const FAKETIME = (() => {
  try {
    return execFileSync("faketime", ["-f", "+0s", "printenv", "LD_PRELOAD"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
})();

// People at a table take their time; a test does not.
const QUICK = {
  MEGALINK_FLOOR__PACE__BEFORE_BETS_MS: "100",
  MEGALINK_FLOOR__PACE__BETS_MS_MIN: "2000",
  MEGALINK_FLOOR__PACE__BETS_MS_MAX: "6000",
  MEGALINK_FLOOR__PACE__DEAL_MS: "50",
  MEGALINK_FLOOR__PACE__EXPOSE_MS: "50",
  MEGALINK_FLOOR__PACE__SHOW_MS: "200",
  MEGALINK_FLOOR__PACE__SETTLE_MS: "50",
  MEGALINK_FLOOR__PACE__NEXT_ROUND_MS: "2500",
  MEGALINK_FLOOR__PACE__WITHDRAW_MS: "1000",
  MEGALINK_FLOOR__PACE__THINK_MS: "100",
  // All browsers of a test come from one address.
  MEGALINK_LIMITS__REQUESTS_BURST: "5000",
  MEGALINK_LIMITS__REQUESTS_PER_SECOND: "1000",
  MEGALINK_LOG__FILTER: "warn",
};

export class Floor {
  #process: ChildProcess | undefined;
  #folder = mkdtempSync(join(tmpdir(), "megalink-"));
  #said = "";

  private constructor(
    readonly address: string,
    private readonly settings: Record<string, string>,
    private readonly kind: "serve" | "practice" = "serve",
  ) {}

  /** Starts a practice floor. */
  static async practice(): Promise<Floor> {
    const floor = new Floor(`http://localhost:${await freePort()}`, QUICK, "practice");
    await floor.start();
    return floor;
  }

  /** Starts a demonstration floor, quick unless `settings` say otherwise, at an address of this machine. */
  static async start(settings: Record<string, string> = {}, host = "localhost", now?: string): Promise<Floor> {
    const floor = new Floor(`http://${host}:${await freePort(host)}`, { ...QUICK, ...settings });
    await floor.start(now);
    return floor;
  }

  /** Starts a house of real money with its first four people and nothing else. */
  static real(settings: Record<string, string> = {}, host?: string, now?: string): Promise<Floor> {
    const real = { MEGALINK_FLOOR__DEMONSTRATION: "false", MEGALINK_FLOOR__HOUSE: "Pier 9" };
    return Floor.start({ ...real, ...settings }, host, now);
  }

  /** Starts the program on the log that is there; with `now`, at another time (UTC): its clock is moved from outside. */
  async start(now?: string): Promise<void> {
    const listen = this.address.replace("localhost", "127.0.0.1").replace("http://", "");
    const moved = now === undefined ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: `@${now}`, DONT_FAKE_MONOTONIC: "1" };
    this.#process = spawn(PROGRAM, [this.kind, "--listen", listen, "--data", this.#folder], {
      env: { ...process.env, TZ: "UTC", ...moved, ...this.settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.#said += data.toString();
      });
    }
    await until(`the floor to be ready; it said:\n${this.#said}`, async () => {
      const answer = await fetch(`${this.address}/readyz`).catch(() => undefined);
      return answer?.ok === true;
    });
  }

  /** Pulls the plug. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null) return;
    const gone = new Promise((done) => running.once("exit", done));
    running.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A file of the house's folder. */
  file(name: string): string {
    return readFileSync(join(this.#folder, name), "utf8");
  }

  /** Who may sign in, from the note that the first start leaves. */
  accounts(): Account[] {
    const note = readFileSync(join(this.#folder, "sign-in.txt"), "utf8");
    return note
      .split("\n")
      .map((line) => line.split(/ {2,}/))
      .filter((columns) => columns.length === 3)
      .map(([name = "", office = "", password = ""]) => ({ name, office, password }));
  }

  account(office: string, which = 0): Account {
    const found = this.accounts().filter((account) => account.office === office)[which];
    if (found === undefined) throw new Error(`nobody signs in as ${office} number ${which}`);
    return found;
  }

  /** Signs somebody in as a program does. */
  async signIn(account: Account): Promise<Caller> {
    const begun = await ask(this.address, undefined, "/api/session", {
      name: account.name,
      password: account.password,
    });
    return new Caller(this.address, (begun as { token: string }).token, account);
  }

  async guest(): Promise<Caller> {
    const begun = (await ask(this.address, undefined, "/api/session/guest", {})) as {
      token: string;
      who: { name: string };
    };
    return new Caller(this.address, begun.token, { name: begun.who.name, office: "", password: "" });
  }
}

/** Somebody who uses the API as a program does, to set a scene. */
export class Caller {
  constructor(
    readonly address: string,
    private token: string,
    readonly account: Account,
  ) {}

  /** Repeats the password, for payments and adjustments; the session gets a new token. */
  async stepUp(): Promise<Caller> {
    const begun = await this.send("/api/session/step-up", { password: this.account.password });
    this.token = begun.token;
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a scene is set by hand-written JSON.
  async send(path: string, body: unknown): Promise<any> {
    return ask(this.address, this.token, path, body);
  }

  // biome-ignore lint/suspicious/noExplicitAny: what is looked at is picked by hand.
  async get(path: string): Promise<any> {
    return ask(this.address, this.token, path, undefined);
  }
}

async function ask(address: string, token: string | undefined, path: string, body: unknown): Promise<unknown> {
  const headers: Record<string, string> = { "X-Megalink": "1", "Idempotency-Key": crypto.randomUUID() };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(address + path, {
    method: body === undefined ? "GET" : "POST",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Waits until something holds. */
export async function until(what: string, holds: () => Promise<boolean>, milliseconds = 90_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function freePort(host = "localhost"): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, host === "localhost" ? "127.0.0.1" : host, done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
