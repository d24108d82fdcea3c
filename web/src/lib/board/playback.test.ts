import { expect, it } from "vitest";
import { timed, type Pace } from "./playback.svelte";

const pace: Pace<string> = {
  isShown: (event) => event !== "hidden",
  isStep: (event) => event.startsWith("step"),
  gap: 100,
  longest: 250,
  linger: 0,
};

it("lets steps wait for each other, and the rest come along", () => {
  const found = timed(["step 1", "score", "hidden", "step 2", "score", "step 3", "step 4"], pace);
  expect(found.map(({ event, at }) => [event, at])).toEqual([
    ["step 1", 0],
    ["score", 0],
    ["step 2", 100],
    ["score", 100],
    ["step 3", 200],
    ["step 4", 250],
  ]);
});

it("starts at once, whatever comes first", () => {
  expect(timed(["score", "step 1"], pace).map(({ at }) => at)).toEqual([0, 100]);
});

it("does not film a jump", () => {
  expect(timed(Array<string>(25).fill("step"), pace)).toEqual([]);
});
