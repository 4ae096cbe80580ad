// Repeats the shuffle in the browser: the commitments, the links of the Players' chains, the mixed salt, and the whole
// deck from seed and salts. It needs only what the server has published.

/** What a Player adds: the salt's hash is the anchor that was committed to. */
export interface Salted {
  player: string;
  anchor: string;
  salt?: string | null;
}

export interface Opened {
  table: string;
  round: number;
  seed: string;
  salts: readonly Salted[];
  /** The seeds drawn before and not used, because salts were withheld. */
  discarded: readonly { seed: string; salts: readonly Salted[] }[];
}

export interface Made {
  commitment: string;
  /** The commitments of the seeds that were not used. */
  discarded: string[];
  salt: string;
  deck: string[];
  /** What is wrong with the salts. */
  wrong: string[];
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

export function bytes(hex: string): Uint8Array {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(hex)) throw new Error("these are no hexadecimal digits");
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

export const hex = (data: Uint8Array): string =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

function eight(value: number): Uint8Array {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, BigInt(value));
  return data;
}

/** SHA-256 over the parts, each after its length in eight bytes. */
async function digest(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + 8 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(eight(part.length), at);
    whole.set(part, at + 8);
    at += 8 + part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** The link after a salt in a Player's chain at a table. */
export async function link(table: string, player: string, salt: string): Promise<string> {
  return hex(await digest([text("megalink.shuffle.chain.2"), text(table), text(player), bytes(salt)]));
}

const commit = (table: string, round: number, seed: string): Promise<Uint8Array> =>
  digest([text("megalink.shuffle.commitment.1"), text(table), eight(round), bytes(seed)]);

/** Names in the order of their bytes, as the floor sorts them. */
function byName(one: Salted, other: Salted): number {
  const [left, right] = [hex(text(one.player)), hex(text(other.player))];
  return left < right ? -1 : Number(left > right);
}

export async function make(opened: Opened): Promise<Made> {
  const commitment = await commit(opened.table, opened.round, opened.seed);
  const salts = opened.salts
    .toSorted(byName)
    .flatMap(({ player, salt }) => (salt == null ? [] : [text(player), bytes(salt)]));
  const salt = await digest([text("megalink.shuffle.salts.2"), commitment, ...salts]);
  const random = chacha(await digest([text("megalink.shuffle.key.1"), bytes(opened.seed), salt]));
  const discarded = await Promise.all(opened.discarded.map(({ seed }) => commit(opened.table, opened.round, seed)));
  const draws = [...opened.discarded.map((draw) => draw.salts), opened.salts];
  const wrong = await wrongLinks(opened.table, draws);
  return { commitment: hex(commitment), discarded: discarded.map(hex), salt: hex(salt), deck: deck(random), wrong };
}

/** What is wrong with the salts of each draw, the one that counts last. */
async function wrongLinks(table: string, draws: readonly (readonly Salted[])[]): Promise<string[]> {
  const wrong: string[] = [];
  let before: string | undefined;
  for (const [at, salts] of draws.entries()) {
    for (const { player, anchor, salt } of salts) {
      if (salt != null && (await link(table, player, salt)) !== anchor)
        wrong.push(`${player} opened another salt than was committed to.`);
      if (salt == null && at === draws.length - 1) wrong.push(`${player} did not open a salt.`);
    }
    const from = JSON.stringify(salts.map(({ player, anchor }) => [player, anchor]));
    if (before !== undefined && before !== from) wrong.push("The chains do not go on from the salts opened before.");
    before = JSON.stringify(salts.flatMap(({ player, salt }) => (salt == null ? [] : [[player, salt]])));
  }
  return wrong;
}

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const WORDS = 2 ** 32;

/** Fisher-Yates, from the first place on. */
function deck(random: () => number): string[] {
  const cards = Array.from({ length: 52 }, (_, index) => cardOf(index));
  for (let place = 0; place < 51; place += 1) {
    const drawn = place + below(52 - place, random);
    [cards[place], cards[drawn]] = [cards[drawn] as string, cards[place] as string];
  }
  return cards;
}

const cardOf = (index: number): string => `${RANKS.charAt(index >> 2)}${SUITS.charAt(index & 3)}`;

/** A number below a bound, all equally likely: words that would favour some are rejected. */
function below(bound: number, random: () => number): number {
  for (;;) {
    const product = BigInt(random()) * BigInt(bound);
    const low = Number(product % BigInt(WORDS));
    if (bound <= low || low >= WORDS % bound) return Number(product >> 32n);
  }
}

/** The words of ChaCha20 under a key, with the nonce zero. */
function chacha(seed: Uint8Array): () => number {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.length);
  const state = new Uint32Array(16);
  state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  for (let word = 0; word < 8; word += 1) state[4 + word] = view.getUint32(4 * word, true);
  let block = new Uint32Array(0);
  let at = 0;
  return () => {
    if (at === block.length) {
      block = chachaBlock(state);
      state[12] = (state[12] as number) + 1;
      at = 0;
    }
    at += 1;
    return block[at - 1] as number;
  };
}

function chachaBlock(state: Uint32Array): Uint32Array<ArrayBuffer> {
  const mixed = new Uint32Array(state);
  for (let round = 0; round < 10; round += 1) {
    for (let column = 0; column < 4; column += 1) quarter(mixed, column, 4 + column, 8 + column, 12 + column);
    for (let turn = 0; turn < 4; turn += 1) {
      quarter(mixed, turn, 4 + ((turn + 1) % 4), 8 + ((turn + 2) % 4), 12 + ((turn + 3) % 4));
    }
  }
  return mixed.map((word, at) => word + (state[at] as number));
}

function quarter(words: Uint32Array, a: number, b: number, c: number, d: number): void {
  const mix = (into: number, from: number, turned: number, by: number): void => {
    words[into] = (words[into] as number) + (words[from] as number);
    const crossed = (words[turned] as number) ^ (words[into] as number);
    words[turned] = (crossed << by) | (crossed >>> (32 - by));
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}
