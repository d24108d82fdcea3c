import { describe, expect, it } from "vitest";
import { Refusal } from "$lib/net/api";
import type { Profile } from "$lib/wire";
import { learnFigures } from "./figures";

const profile = (pending: number): Profile => ({ name: "Ada", since_ms: 0, games: 0, figures: [], pending });
const tooMany = new Refusal({ type: "problem", code: "rate-limited", message: "later", retry_after: 3.5 }, 429);
const offline = new Refusal({ type: "problem", code: "offline", message: "the server cannot be reached" }, 0);

/** What is shown and how long the page waits, for these answers. */
async function told(...answers: (Profile | Refusal)[]): Promise<{ shown: number[]; waits: number[]; left: number }> {
  const [shown, waits]: [number[], number[]] = [[], []];
  const ask = (): Promise<Profile> => {
    const next = answers.shift();
    return next instanceof Refusal ? Promise.reject(next) : Promise.resolve(next as Profile);
  };
  await learnFigures(
    ask,
    (found) => shown.push(found.pending),
    () => answers.length > 0,
    (ms) => Promise.resolve(void waits.push(ms)),
  );
  return { shown, waits, left: answers.length };
}

describe("learnFigures", () => {
  it("shows every answer at once and asks until all games are counted", async () => {
    expect(await told(profile(25), profile(5), profile(0), profile(0))).toEqual({
      shown: [25, 5, 0],
      waits: [],
      left: 1,
    });
  });
  it("waits as long as the server asks for", async () => {
    expect(await told(profile(5), tooMany, tooMany, profile(0))).toEqual({
      shown: [5, 0],
      waits: [3_500, 3_500],
      left: 0,
    });
  });
  it("passes on every other problem", async () => {
    await expect(told(profile(5), offline, profile(0))).rejects.toBe(offline);
  });
  it("stops when nobody looks any more", async () => {
    expect((await told(profile(5))).shown).toEqual([5]);
  });
});
