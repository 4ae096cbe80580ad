// Repeats the shuffle in the browser: the commitment, the mixed salt, and the whole deck from seed and salts. It needs
// only what the server has published.

export interface Opened {
  table: string;
  round: number;
  seed: string;
  salts: readonly { player: string; salt: string }[];
}

export interface Made {
  commitment: string;
  salt: string;
  deck: string[];
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

export async function make(opened: Opened): Promise<Made> {
  const seed = bytes(opened.seed);
  const commitment = await digest([
    text("megalink.shuffle.commitment.1"),
    text(opened.table),
    eight(opened.round),
    seed,
  ]);
  const salts = opened.salts.flatMap(({ player, salt }) => [text(player), text(salt)]);
  const salt = await digest([text("megalink.shuffle.salts.1"), commitment, ...salts]);
  const random = chacha(await digest([text("megalink.shuffle.key.1"), seed, salt]));
  return { commitment: hex(commitment), salt: hex(salt), deck: deck(random) };
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
