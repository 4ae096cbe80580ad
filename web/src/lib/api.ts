// The floor's API. Its types are generated from docs/openapi.json, so page and server agree on every field.
import { refusalText, say } from "./language.svelte";
import { withCurrency } from "./money";
import type { components, paths } from "./openapi";

export type Schemas = components["schemas"];
export type TableView = Schemas["TableNow"];
export type SeatView = Schemas["SeatView"];
export type LinkView = Schemas["LinkView"];
export type EventView = Schemas["EventView"];
export type TableCommand = Schemas["TableCommand"];
export type Problem = Schemas["Problem"];

type Method = "get" | "post" | "delete";
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, infer _> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : undefined;
type Answer<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 204)]> : never;
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : undefined;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : undefined;

export interface RequestOptions<B, Q> {
  path?: Record<string, string | number>;
  query?: Q;
  body?: B;
  /** The command's own id: sent again with the same id, it is done once. */
  key?: string;
  signal?: AbortSignal;
}

/** The server refused, with a reason, a clause and a sentence to read out. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    /** Seconds to wait before a retry, where the server says so. */
    readonly retryAfter?: number,
  ) {
    super(refusalText(problem));
  }
}

/** The server could not be reached. It may have received the request, so retry with the same key. */
export class Unreachable extends Error {
  constructor(words: string = say("connection.unreachable")) {
    super(words);
  }
}

/** A command was sent several times and never answered. */
export class Unanswered extends Unreachable {
  constructor() {
    super(say("connection.unanswered"));
  }
}

/** A random UUID. On a page that came by plain HTTP from another machine `crypto.randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function address(template: string, path: Record<string, string | number> = {}, query: object = {}): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The fields that hold a sentence for people. A command that a page sends back unchanged has none of them. */
const SENTENCES: readonly string[] = ["sentence", "label", "effect", "detail"];

/** What the server sent; the amounts in its sentences say what money they are, as all amounts of a page do. */
export const readSent = (text: string): unknown =>
  JSON.parse(text, (name, value) =>
    typeof value === "string" && SENTENCES.includes(name) ? withCurrency(value) : value,
  );

/** A connection on which nothing comes for so long is lost. */
export const SILENT_MILLISECONDS = 12_000;

/** How long a count of the lab, or a report about much of the log, may take. */
const LONG_MILLISECONDS = 5 * 60_000;

/** What counts hands or reads much of the log. All else is answered at once, or refused because it cannot be. */
const LONG =
  /^\/api\/(lab|drill|train|school|reports|statistics|audit|practice\/theatre)\b|\/(analysis|advice|readings|sheet|draft|statistics)$/;

/** Does something with the network, which may end at any byte and may also just be silent. */
export async function received<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
  limit = SILENT_MILLISECONDS,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, limit);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await work(ending.signal);
  } catch (error) {
    throw signal?.aborted || error instanceof Refused ? error : new Unreachable();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Sends a request and reads its answer. */
function exchange<T>(
  method: Method,
  template: string,
  options: RequestOptions<unknown, unknown>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const limit = LONG.test(template) ? LONG_MILLISECONDS : SILENT_MILLISECONDS;
  const at = address(template, options.path, options.query ?? {});
  return received(async (signal) => read(await answered(method, at, { ...options, signal })), options.signal, limit);
}

async function request<T>(method: Method, template: string, options: RequestOptions<unknown, unknown>): Promise<T> {
  const read = async (response: Response) => (response.status === 204 ? undefined : await response.text());
  const text = await exchange(method, template, options, read);
  return (text === undefined ? undefined : readSent(text)) as T;
}

/** The answer to a request that was granted. */
async function answered(method: Method, at: string, options: RequestOptions<unknown, unknown>): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method !== "get") headers["X-Megalink"] = "1";
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.key !== undefined) headers["Idempotency-Key"] = options.key;
  const response = await fetch(at, {
    method: method.toUpperCase(),
    headers,
    body: options.body === undefined ? null : JSON.stringify(options.body),
    signal: options.signal ?? null,
  });
  if (response.ok) return response;
  if (response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
    const wait = Number(response.headers.get("Retry-After"));
    const problem = readSent(await response.text()) as Problem;
    throw new Refused(problem, wait > 0 ? wait : undefined);
  }
  throw new Unreachable();
}

export function get<P extends PathsWith<"get">>(
  path: P,
  options: RequestOptions<never, Query<Operation<P, "get">>> = {},
): Promise<Answer<Operation<P, "get">>> {
  return request("get", path, options);
}

/** An answer to the byte, as for a file whose digest is signed. */
export function getFile<P extends PathsWith<"get">>(
  path: P,
  options: RequestOptions<never, Query<Operation<P, "get">>> = {},
): Promise<Blob> {
  return exchange("get", path, options, (response) => response.blob());
}

export function post<P extends PathsWith<"post">>(
  path: P,
  options: RequestOptions<Body<Operation<P, "post">>, Query<Operation<P, "post">>> = {},
): Promise<Answer<Operation<P, "post">>> {
  return request("post", path, options);
}

export function remove<P extends PathsWith<"delete">>(path: P): Promise<Answer<Operation<P, "delete">>> {
  return request("delete", path, {});
}

/** How long to wait before the next attempt. */
export const backoff = (attempt: number): number => Math.min(250 * 2 ** attempt, 4000);

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const ATTEMPTS_MAX = 7;

/** A command is not sent again after this time. */
const ATTEMPTS_MILLISECONDS = 30_000;

/** A command given again within this time repeats the unanswered one; later it is a new command. */
const UNANSWERED_MILLISECONDS = 10 * 60 * 1000;

/** The keys of unanswered commands, by stream and body. */
const unanswered = new Map<string, { stream: string; key: string; until: number }>();

/** From here on a command given again is a new one: for one stream, or for all. */
export function forgetUnanswered(stream?: string): void {
  for (const [form, { stream: sentTo }] of unanswered) {
    if (stream === undefined || stream === sentTo) unanswered.delete(form);
  }
}

/** Whether the floor has decided on the command. A request for a password, a wait or a server error is no decision: an
 * earlier attempt may have arrived. */
const isAnswer = ({ problem: { status, reason } }: Refused): boolean =>
  status < 500 && status !== 401 && status !== 429 && reason !== "StepUpNeeded";

/** The key to send a command with: the key of the same command before it, where that was not answered. */
function keyOf(form: string): string {
  const before = unanswered.get(form);
  unanswered.delete(form);
  return before !== undefined && Date.now() < before.until ? before.key : newKey();
}

/** Sends a command until it is answered, each time with the same key. */
async function retryWithSameKey<T>(stream: string, body: object, give: (key: string) => Promise<T>): Promise<T> {
  const form = `${stream} ${JSON.stringify(body)}`;
  const key = keyOf(form);
  const keep = (): void => void unanswered.set(form, { stream, key, until: Date.now() + UNANSWERED_MILLISECONDS });
  const began = Date.now();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && Date.now() - began < ATTEMPTS_MILLISECONDS; attempt += 1) {
    try {
      return await give(key);
    } catch (error) {
      if (!(error instanceof Unreachable)) {
        if (!(error instanceof Refused && isAnswer(error))) keep();
        throw error;
      }
      if (attempt < ATTEMPTS_MAX) await pause(backoff(attempt - 1));
    }
  }
  keep();
  throw new Unanswered();
}

/** Sends a command to a table. */
export function command(table: string, body: TableCommand): Promise<Schemas["Done"]> {
  return retryWithSameKey(`table/${table}`, body, (key) =>
    post("/api/tables/{table}/commands", { path: { table }, body, key }),
  );
}

/** Sends a command to the jackpot desk of a link. */
export function commandDesk(link: string, body: Schemas["DeskCommand"]): Promise<Schemas["Done"]> {
  return retryWithSameKey(`link/${link}`, body, (key) =>
    post("/api/links/{link}/commands", { path: { link }, body, key }),
  );
}

/** Sends a command to the house. */
export function commandHouse(body: Schemas["HouseCommand"]): Promise<Schemas["Done"]> {
  return retryWithSameKey("house", body, (key) => post("/api/house/commands", { body, key }));
}
