import { describe, expect, it } from "vitest";
import { placesOf, turned } from "./places";

const STACKS = [{ shape: "V3" as const, rows: ["X.", "XX"], honors: [4, 4], pays: 4 }];
const places = placesOf(["skip", "V3o0@f3", "V3o1@f2", "V3o2@f3", "V3o0@a1"], STACKS);

describe("places", () => {
  it("are the launches on offer, with the honor of the top tile", () => {
    expect(places.map(({ action }) => action)).toEqual(["V3o0@f3", "V3o1@f2", "V3o2@f3", "V3o0@a1"]);
    expect(places[0]).toMatchObject({ honor: 4, orientation: 0 });
    expect(places[0]?.pools.toSorted()).toEqual(["f3", "f4", "g3"]);
  });
  it("turn to another orientation over the same pools, in both directions, and come round again", () => {
    const [first, second, third, far] = places;
    if (!first || !second || !third || !far) throw new Error("four places were offered");
    expect(turned(places, first)).toBe(second);
    expect(turned(places, second)).toBe(third);
    expect(turned(places, first, -1)).toBe(third);
    expect(turned(places, third)).toBe(first);
  });
});
