import { describe, expect, it } from "vitest";
import { seatToShow } from "./hotseat";

const acting =
  (...seats: number[]) =>
  (seat: number) =>
    seats.includes(seat);

describe("seatToShow", () => {
  it("is nobody's for a spectator", () => expect(seatToShow(null, [], [], acting(0))).toBeNull());
  it("is my own seat, whoever acts", () => expect(seatToShow(null, [1], [1], acting(0))).toBe(1));
  it("goes to the next of us who may act", () => expect(seatToShow(0, [0, 1], [0, 1], acting(1))).toBe(1));
  it("stays while the present one may still act", () => expect(seatToShow(0, [0, 1], [0, 1], acting(0, 1))).toBe(0));
  it("stays while a bot thinks", () => expect(seatToShow(1, [0, 1], [0, 1], acting(2))).toBe(1));
  it("shows my seat while a bot plays it", () => expect(seatToShow(null, [], [2], acting(0))).toBe(2));
});
