import { describe, expect, it } from "vitest";
import type { View } from "./view";
import { ahead, directionOf, nearest, sideAt, SIDES, spotOf, touching, turnOf } from "./geometry";

const seen = (seat: number | null): Pick<View, "seat" | "seats"> => ({
  seat,
  seats: (["south", "west", "north", "east"] as const).map((side) => ({ side }) as View["seats"][number]),
});

describe("the lake seen from a seat", () => {
  it("has the viewer at the bottom", () => {
    for (const seat of [0, 1, 2, 3]) {
      const view = seen(seat);
      expect(directionOf(view.seats[seat]!.side, turnOf(view))).toBe("bottom");
    }
    expect(turnOf(seen(null))).toBe(0);
  });

  it("passes turns clockwise on every screen", () => {
    const turn = turnOf(seen(1));
    expect(directionOf("north", turn)).toBe("left");
    expect(directionOf("east", turn)).toBe("top");
  });

  it("turns places as it turns sides", () => {
    for (const turn of [0, 1, 2, 3]) {
      const north = spotOf([0, 1], turn);
      const step = { top: [0, -100], right: [100, 0], bottom: [0, 100], left: [-100, 0] }[directionOf("north", turn)];
      expect([north.x + 0, north.y + 0]).toEqual(step);
      for (const side of SIDES) expect(sideAt(directionOf(side, turn), turn)).toBe(side);
    }
  });
});

describe("neighbors", () => {
  const lake = [{ tile: 0, rotation: 2, sides: "KBRW", platform: false, x: 0, y: 0 }];
  it("show the side that touches", () => {
    expect(touching(lake, [0, -1], "north")).toEqual({ color: "R", platform: false });
    expect(touching(lake, [1, 0], "west")).toEqual({ color: "B", platform: false });
    expect(touching(lake, [1, 0], "north")).toBeNull();
  });
});

describe("finding places", () => {
  const cells = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const;
  it("takes the one within reach", () => {
    expect(nearest(cells, 0, { x: 110, y: 20 })).toEqual([1, 0]);
    expect(nearest(cells, 0, { x: 300, y: 0 })).toBeNull();
  });
  it("follows the arrows on the screen", () => {
    expect(ahead(cells, 0, [-1, 0], "right")).toEqual([1, 0]);
    expect(ahead(cells, 2, [-1, 0], "left")).toEqual([1, 0]);
    expect(ahead(cells, 0, [1, 0], "right")).toEqual([1, 0]);
  });
});
