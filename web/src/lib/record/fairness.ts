/**
 * Works every outcome of chance out again, in the browser, from the seed that was promised before the deal. The derivation is that of
 * the engine's `core/fairness.py`:
 *
 *     message  = JSON of [match, nonces, i, attempt], without spaces
 *     value    = HMAC-SHA256(key = seed, message), as a number, highest byte first
 *     position = value mod (sum of weights); a value in the incomplete last round of the division is thrown away, and attempt rises
 */

export interface Fairness {
  commitment: string;
  seed?: string | null;
  nonces?: string[];
  match?: string;
}

/** An outcome as it was written down, and what it was drawn from. */
export interface CheckedDraw {
  ply: number;
  number: number;
  weights: number[];
  outcomes: string[];
  written: string;
}

export type Verdict =
  | { kind: "fair"; draws: number }
  | { kind: "no-seed" }
  | { kind: "wrong-seed"; found: string }
  | { kind: "wrong-draw"; ply: number; written: string; due: string };

const RANGE = 1n << 256n;

export async function verify(fairness: Fairness, draws: readonly CheckedDraw[]): Promise<Verdict> {
  if (!fairness.seed) return { kind: "no-seed" };
  const seed = bytesOf(fairness.seed);
  const found = hex(await crypto.subtle.digest("SHA-256", seed));
  if (found !== fairness.commitment) return { kind: "wrong-seed", found };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const draw of draws) {
    const due = draw.outcomes[await pick(key, fairness, draw.number, draw.weights)] ?? "";
    if (due !== draw.written) return { kind: "wrong-draw", ply: draw.ply, written: draw.written, due };
  }
  return { kind: "fair", draws: draws.length };
}

/** The position of outcome number `index` in a list with these weights. */
export async function pick(
  key: CryptoKey,
  fairness: Fairness,
  index: number,
  weights: readonly number[],
): Promise<number> {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const limit = RANGE - (RANGE % total);
  const boundTo = asciiJson([fairness.match ?? "", fairness.nonces ?? []]).slice(0, -1);
  for (let attempt = 0; ; attempt++) {
    const message = new TextEncoder().encode(`${boundTo},${index},${attempt}]`);
    const value = BigInt(`0x${hex(await crypto.subtle.sign("HMAC", key, message))}`);
    if (value < limit) return positionOf(value % total, weights);
  }
}

function positionOf(value: bigint, weights: readonly number[]): number {
  let sum = 0n;
  for (const [position, weight] of weights.entries()) {
    sum += BigInt(weight);
    if (value < sum) return position;
  }
  throw new Error("weights have no sum");
}

/** JSON as Python writes it: everything beyond ASCII is escaped. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}
