import { expect, it } from "vitest";
import type { Exercise } from "$lib/wire";
import { PracticeList } from "./practice.svelte";

const exercise = (id: string, due_ms: number, more: Partial<Exercise> = {}): Exercise => ({
  id,
  game: "some_game",
  players: 2,
  seat: 0,
  ply: 10,
  cost: 0.1,
  interval: 0.02,
  is_exact: false,
  kept_ms: 0,
  due_ms,
  answers: 0,
  suspended: false,
  ...more,
});

function list(): PracticeList {
  const found = new PracticeList();
  const exercises = [exercise("a", 1), exercise("b", 2), exercise("s", 2, { suspended: true }), exercise("c", 30)];
  found.set({ exercises, due: 2, now_ms: 10, most: 200 });
  return found;
}

it("knows what is due by the time of the server", () => {
  const found = list();
  expect(found.due.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(found.upcoming?.id).toBe("c");
  expect(new PracticeList().next()).toBeNull();
});

it("goes from one to the next, and to what was skipped when begun again", () => {
  const found = list();
  expect(found.first()).toBe("a");
  expect(found.skip("a")).toBe("b");
  expect(found.next("b")).toBeNull();
  expect(found.first()).toBe("a");
});

it("forgets what was answered until it is due", () => {
  const found = list();
  found.answered({ grade: "good", exercise: exercise("a", 40, { answers: 1 }), due: 1, now_ms: 12 });
  expect(found.exercises.map(({ id }) => id)).toEqual(["b", "s", "c", "a"]);
  expect(found.next("a")).toBe("b");
  found.removed("b");
  expect(found.next()).toBeNull();
});
