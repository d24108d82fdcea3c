/** A curve of scores as geometry: where lines, marks and labels go in a box of so many pixels. */
import type { Scorebook } from "$lib/wire";

export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export interface Line {
  seat: number;
  path: string;
  /** Where the line ends, and where its label goes: labels keep their distance from each other. */
  end: { x: number; y: number };
  label: number;
}
export interface Curve {
  lines: Line[];
  ticks: { score: number; y: number }[];
  rounds: { round: string; x: number }[];
  x(ply: number): number;
  y(score: number): number;
}

const MOST_TICKS = 6;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** Round numbers from below the lowest score to above the highest; 0 is always among them. */
export function ticksOf(lowest: number, highest: number): number[] {
  const [from, to] = [Math.min(0, lowest), Math.max(1, highest)];
  const step = STEPS.find((each) => (to - from) / each < MOST_TICKS) ?? Math.ceil((to - from) / MOST_TICKS);
  const first = Math.floor(from / step);
  const last = Math.ceil(to / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The wanted places moved apart as little as needed, in the same order, between two limits. */
export function spread(wanted: readonly number[], distance: number, lowest: number, highest: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = wanted.map(() => 0);
  let next = lowest;
  for (const index of order) {
    places[index] = Math.max(next, wanted[index] ?? 0);
    next = (places[index] ?? 0) + distance;
  }
  let most = highest;
  for (const index of order.reverse()) {
    places[index] = Math.min(most, places[index] ?? 0);
    most = (places[index] ?? 0) - distance;
  }
  return places;
}

export function curveOf(scorebook: Scorebook, box: Box, distance: number): Curve {
  const all = scorebook.curve.flatMap((point) => point.scores);
  const ticks = ticksOf(Math.min(...all), Math.max(...all));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const [right, bottom] = [box.width - box.right, box.height - box.bottom];
  const x = (ply: number): number => round(box.left + ((right - box.left) * ply) / Math.max(1, scorebook.plies));
  const y = (score: number): number => round(bottom - ((bottom - box.top) * (score - low)) / (high - low));
  const ends = scorebook.scores.map((score) => y(score));
  const labels = spread(ends, distance, box.top, bottom);
  const lines = scorebook.scores.map((_, seat) => ({
    seat,
    path: pathOf(scorebook.curve.map(({ ply, scores }) => [x(ply), y(scores[seat] ?? 0)])),
    end: { x: x(scorebook.plies), y: ends[seat] ?? 0 },
    label: labels[seat] ?? 0,
  }));
  return {
    lines,
    ticks: ticks.map((score) => ({ score, y: y(score) })),
    rounds: scorebook.rounds.map(({ round: name, ply }) => ({ round: name, x: x(ply) })),
    x,
    y,
  };
}

/** A score stays until it changes. */
function pathOf(points: (readonly [number, number])[]): string {
  const [[x, y] = [0, 0], ...rest] = points;
  return `M${x} ${y}${rest.map(([toX, toY]) => `H${toX}V${toY}`).join("")}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
