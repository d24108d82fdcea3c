/** The review of a game: which decisions to ask for next, what they add up to, and its curve as geometry. */
import { spread, type Box } from "./curve";
import type { GameReview, Judged, ReviewAccount } from "$lib/wire";

/** How many decisions the server judges at a time; fewer at first, so that something is there soon. */
export const BATCH = 12;
export const FIRST_BATCH = 3;
export const MOST_SHOWN = 3;
export const PARTS = ["deal", "draws", "own", "others", "remainder"] as const satisfies (keyof ReviewAccount)[];

/** The decisions that are not judged yet, a few at a time. */
export function batches(review: GameReview, known: ReadonlySet<number>): number[][] {
  const plies = review.decisions.map(({ ply }) => ply).filter((ply) => !known.has(ply));
  const first = plies.splice(0, known.size ? BATCH : FIRST_BATCH);
  const others = Array.from({ length: Math.ceil(plies.length / BATCH) }, (_, index) =>
    plies.slice(index * BATCH, (index + 1) * BATCH),
  );
  return first.length ? [first, ...others] : others;
}

/** The mistakes that cost most, the costliest first. */
export function costliest(judged: readonly Judged[]): Judged[] {
  const mistakes = judged.filter(({ verdict }) => verdict === "mistake");
  return mistakes.sort((a, b) => b.cost - a.cost || a.ply - b.ply).slice(0, MOST_SHOWN);
}

export interface Errors {
  /** Decisions in which there was something to decide. */
  decisions: number;
  mistakes: number;
  /** What mistakes cost on average, over these decisions. */
  cost: number;
}

export function errorsOf(judged: readonly Judged[], seat: number): Errors {
  const own = judged.filter((one) => one.seat === seat && one.verdict !== "forced" && one.verdict !== "equal");
  const costs = own.filter(({ verdict }) => verdict === "mistake").map(({ cost }) => cost);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  return { decisions: own.length, mistakes: costs.length, cost: own.length ? total / own.length : 0 };
}

export const percent = (share: number): string => String(Math.round(100 * share));
export function signed(share: number): string {
  const rounded = Math.round(100 * share);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}

export interface Piece {
  part: (typeof PARTS)[number];
  amount: number;
  /** In percent of the bar's width. */
  left: number;
  width: number;
}

/** The parts of a seat's result side by side: gains to the right of the middle, losses to the left. */
export function piecesOf(account: ReviewAccount, widest: number): Piece[] {
  let [right, left] = [50, 50];
  return PARTS.map((part) => {
    const amount = account[part];
    const width = (50 * Math.abs(amount)) / Math.max(widest, 1e-9);
    const from = amount >= 0 ? right : left - width;
    if (amount >= 0) right += width;
    else left -= width;
    return { part, amount, left: from, width };
  });
}

/** The longest half of any bar. */
export function widestOf(accounts: readonly ReviewAccount[]): number {
  const halves = accounts.flatMap((account) => {
    const amounts = PARTS.map((part) => account[part]);
    const gains = amounts.filter((amount) => amount > 0).reduce((sum, amount) => sum + amount, 0);
    const losses = amounts.filter((amount) => amount < 0).reduce((sum, amount) => sum - amount, 0);
    return [gains, losses];
  });
  return Math.max(...halves);
}

export interface ChanceLine {
  seat: number;
  path: string;
  end: number;
  label: number;
}

/** Each seat's chance to win, 0 at the bottom of the box and 1 at its top. */
export function chanceLines(review: GameReview, box: Box, distance: number): ChanceLine[] {
  const [right, bottom] = [box.width - box.right, box.height - box.bottom];
  const x = (ply: number): number => round(box.left + ((right - box.left) * ply) / Math.max(1, review.plies));
  const y = (chance: number): number => round(bottom - (bottom - box.top) * chance);
  const last = review.curve.at(-1);
  const ends = review.accounts.map((_, seat) => y(last?.win[seat] ?? 0));
  const labels = spread(ends, distance, box.top, bottom);
  return review.accounts.map((_, seat) => ({
    seat,
    path: `M${review.curve.map(({ ply, win }) => `${x(ply)} ${y(win[seat] ?? 0)}`).join("L")}`,
    end: ends[seat] ?? 0,
    label: labels[seat] ?? 0,
  }));
}

const round = (value: number): number => Math.round(value * 10) / 10;
