/**
 * When to give up the socket, and when to try it again. Some proxies refuse sockets while they let everything else through: sockets
 * end without a word, and HTTP answers. Where HTTP does not answer either, the server or the network is gone, and sockets stay best.
 */
import { backoff } from "./backoff";
import type { Closing } from "./line";

export interface Tries {
  /** Sockets in a row that ended. */
  readonly ended: number;
  /** Sockets in a row that ended without a single message. */
  readonly mute: number;
  /** Those of them that ended while HTTP answered. */
  readonly refused: number;
}

export const NO_TRIES: Tries = { ended: 0, mute: 0, refused: 0 };

/** So many mute sockets are no accident. */
const MUTE_SOCKETS = 2;
/** A socket that lasted so long worked; one that is closed right after its greeting is a failure as well. */
const STEADY_MS = 10_000;
const TRY_AGAIN_LATER = 1013;
const POLICY_VIOLATION = 1008;
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 300_000;

export interface Ending {
  readonly spoke: boolean;
  /** In milliseconds, from the greeting on. */
  readonly lasted: number;
  readonly httpAnswers: boolean;
  readonly closed?: Closing | undefined;
}

export function socketEnded(tries: Tries, how: Ending): Tries {
  const before = how.lasted >= STEADY_MS ? 0 : tries.ended;
  if (how.spoke) return { ...NO_TRIES, ended: before + weight(how.closed?.code) };
  return { ended: tries.ended + 1, mute: tries.mute + 1, refused: how.httpAnswers ? tries.refused + 1 : 0 };
}

/** A server that asks us to stay away for a while is believed: such an end counts like several. */
function weight(code: number | undefined): number {
  if (code === POLICY_VIOLATION) return 5;
  return code === TRY_AGAIN_LATER ? 3 : 1;
}

/** Whether the same messages should be asked for over HTTP. */
export const wantsHttp = (tries: Tries): boolean => tries.mute >= MUTE_SOCKETS;

/** How long until the next socket: soon while nothing works; seldom where HTTP does and sockets do not. */
export function retryAfter(tries: Tries, httpAnswers: boolean, random: () => number = Math.random): number {
  if (!httpAnswers) return backoff(Math.max(0, tries.ended - 1), random);
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, tries.refused - 1));
}
