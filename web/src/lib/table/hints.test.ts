import { describe, expect, it } from "vitest";
import type { Found, Task } from "../../engine";
import { Refusal } from "$lib/net/api";
import { findHint, seatToAdvise, type Question } from "./hints";
import type { Hint } from "$lib/wire";

const task = { game: "some_game" } as Task;
const hint: Hint = { ply: 4, moves: [], events: [], sentence: "" };
const refusal = new Refusal({ type: "problem", code: "not-to-act", message: "this seat is not to act here" }, 409);

/** A server that answers everything and remembers what it was asked to put into words. */
function asked(): Question & { words: unknown[] } {
  const words: unknown[] = [];
  return { words, task: () => Promise.resolve(task), told: (best) => (words.push(best), Promise.resolve(hint)) };
}

describe("findHint", () => {
  const found: Found = {
    actions: [9, 4, 7, 1],
    visits: [50, 30, 15, 5],
    values: [1.0001, 0.5, -0.2, 0],
    iterations: 99,
  };

  it("has the best three moves of this browser put into words", async () => {
    const question = asked();
    expect(await findHint(question, () => Promise.resolve(found))).toBe(hint);
    const best = [
      { action: 9, visits: 50, value: 1 },
      { action: 4, visits: 30, value: 0.5 },
      { action: 7, visits: 15, value: 0 },
    ];
    expect(question.words).toEqual([{ found: best, tries: 100 }]);
  });
  it("asks the server where a browser has no worker", async () => {
    const question = asked();
    expect(await findHint(question)).toBe(hint);
    expect(question.words).toEqual([{}]);
  });
  it("takes a refusal for an answer", async () => {
    const question = { ...asked(), task: () => Promise.reject(refusal) };
    await expect(findHint(question, () => Promise.resolve(found))).rejects.toBe(refusal);
    expect(question.words).toEqual([]);
  });
});

describe("seatToAdvise", () => {
  it("is the seat looked through, if it is to act", () => expect(seatToAdvise([0, 2], 2, 0)).toBe(2));
  it("is the seat that acted next, if another one is looked through", () => expect(seatToAdvise([0, 2], 1, 2)).toBe(2));
  it("is a seat that was to act, if chance or nothing came next", () => {
    expect(seatToAdvise([1], null, "c")).toBe(1);
    expect(seatToAdvise([1], null, undefined)).toBe(1);
  });
  it("is nobody where chance decides and when the game is over", () => expect(seatToAdvise([], 0, "c")).toBeNull());
});
