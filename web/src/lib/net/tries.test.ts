import { describe, expect, it } from "vitest";
import { NO_TRIES, retryAfter, socketEnded, wantsHttp, type Ending, type Tries } from "./tries";

const ended = (times: number, how: Ending, from = NO_TRIES): Tries =>
  times ? ended(times - 1, how, socketEnded(from, how)) : from;
const MUTE = { spoke: false, lasted: 0, httpAnswers: false };
const REFUSED = { spoke: false, lasted: 0, httpAnswers: true };
const LOST = { spoke: true, lasted: 60_000, httpAnswers: false };
const BRIEF = { spoke: true, lasted: 500, httpAnswers: false };
const longest = (): number => 1;

describe("wantsHttp", () => {
  it("takes one mute socket for an accident, and two for a rule", () => {
    expect(wantsHttp(NO_TRIES)).toBe(false);
    expect(wantsHttp(ended(1, MUTE))).toBe(false);
    expect(wantsHttp(ended(2, MUTE))).toBe(true);
  });
  it("keeps to sockets that work and break", () => {
    expect(wantsHttp(ended(20, LOST))).toBe(false);
    expect(wantsHttp(socketEnded(ended(1, MUTE), LOST))).toBe(false);
    expect(wantsHttp(ended(1, MUTE, ended(5, LOST)))).toBe(false);
  });
});

describe("retryAfter", () => {
  it("comes back soon after a loss, and later the longer nothing works", () => {
    const waits = [1, 2, 3, 9].map((times) => retryAfter(ended(times, MUTE), false, longest));
    expect(waits).toEqual([700, 1_200, 2_200, 15_200]);
  });
  it("starts anew when a socket has worked", () => {
    expect(retryAfter(socketEnded(ended(9, MUTE), LOST), false, longest)).toBe(700);
  });
  it("stays away longer and longer from a server that greets and hangs up", () => {
    const waits = [1, 2, 3, 9].map((times) => retryAfter(ended(times, BRIEF), false, longest));
    expect(waits).toEqual([700, 1_200, 2_200, 15_200]);
  });
  it("believes a server that asks to come back later", () => {
    const after = (code: number): number =>
      retryAfter(socketEnded(NO_TRIES, { ...LOST, closed: { code, reason: "" } }), false, longest);
    expect([1012, 1013, 1008].map(after)).toEqual([700, 2_200, 8_200]);
  });
  it("tries a refused socket now and then, ever more seldom, but never gives it up", () => {
    const waits = [1, 2, 3, 9].map((times) => retryAfter(ended(times, REFUSED), true));
    expect(waits).toEqual([15_000, 30_000, 60_000, 300_000]);
  });
  it("hurries when HTTP stops answering, too", () => {
    expect(retryAfter(ended(2, REFUSED), false, longest)).toBeLessThan(2_000);
    expect(retryAfter(ended(1, REFUSED, ended(1, MUTE, ended(3, REFUSED))), true)).toBe(15_000);
  });
});
