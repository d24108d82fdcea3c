import { describe, expect, it } from "vitest";
import { isDone, loadTour } from "./tour";

const step = (ply: number, event: string, player: number) => ({
  ply,
  actor: player,
  action: "x",
  events: [{ event, player }],
});

describe("isDone", () => {
  const wanted = { text: "t", until: "tile_placed" };
  it("waits for the learner's own deed", () => {
    expect(isDone(wanted, [step(3, "tile_placed", 1)], 0, 0)).toBe(false);
    expect(isDone(wanted, [step(3, "tile_placed", 0)], 0, 0)).toBe(true);
  });
  it("does not count what was done before", () => {
    expect(isDone(wanted, [step(3, "tile_placed", 0)], 4, 0)).toBe(false);
  });
  it("leaves a step without a deed to the button", () => {
    expect(isDone({ text: "t" }, [step(3, "tile_placed", 0)], 0, 0)).toBe(false);
  });
});

const texts = import.meta.glob<Record<string, string>>("../boards/*/messages/en/learn.json", {
  eager: true,
  import: "default",
});
const games = Object.keys(import.meta.glob("../boards/*/tour.ts")).map((path) => path.split("/").at(-2) ?? "");

describe.each(games)("the tour of %s", (game) => {
  it("has a text for every step, and no text twice", async () => {
    const tour = await loadTour(game);
    const keys = tour?.steps.map((one) => one.text) ?? [];
    expect(keys.length).toBeGreaterThan(5);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => !(key in (texts[`../boards/${game}/messages/en/learn.json`] ?? {})))).toEqual([]);
  });
});
