/** Lanterns stay apart for everybody: by shape and letter always, and by color under the common forms of color blindness. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COLORS, LANTERN_SHAPES, type Color } from "./lanterns";

type Triple = [number, number, number];

const css = readFileSync(join(import.meta.dirname, "../styles/palette.css"), "utf8");
const definitions = readFileSync(join(import.meta.dirname, "definitions.svg"), "utf8");

/** Machado, Oliveira and Fernandes 2009, complete forms, for linear light. */
const FORMS: Record<string, [Triple, Triple, Triple]> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}; // prettier-ignore

function linear(color: Color): Triple {
  const hex = new RegExp(`--lantern-${color}: #(\\w{6})`).exec(css)?.[1] ?? "";
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(2), channel(4)];
}

const times = (rows: readonly Triple[], [a, b, c]: Triple): Triple =>
  rows.map(([x, y, z]) => Math.min(1, Math.max(0, x * a + y * b + z * c))) as Triple;

/** CIELAB of linear sRGB, white D65. */
function lab(rgb: Triple): Triple {
  const [x, y, z] = [
    (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047,
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2],
    (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883,
  ].map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)) as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe("lanterns", () => {
  it("have a shape and a pattern each of their own", () => {
    expect(new Set(COLORS.map((color) => LANTERN_SHAPES[color].outline)).size).toBe(COLORS.length);
    const patterns = COLORS.map(
      (color) => new RegExp(`id="lampion-pattern-${color}".*?</pattern>`).exec(definitions)?.[0],
    );
    expect(new Set(patterns.map((pattern) => /d="([^"]+)"/.exec(pattern ?? "")?.[1])).size).toBe(COLORS.length);
  });

  // 15 is what a person tells apart at a glance, side by side; shape and letter do the rest.
  it.each(Object.keys(FORMS))("can be told apart by colour with %s sight", (form) => {
    const seen = new Map(COLORS.map((color) => [color, lab(times(FORMS[form] ?? [], linear(color)))]));
    const close: string[] = [];
    for (const [index, a] of COLORS.entries()) {
      for (const b of COLORS.slice(index + 1)) {
        const apart = distance(seen.get(a) as Triple, seen.get(b) as Triple);
        if (apart < 15) close.push(`${a}${b} ${apart.toFixed(1)}`);
      }
    }
    expect(close).toEqual([]);
  });
});
