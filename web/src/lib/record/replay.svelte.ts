/** A record and its positions as a seat sees them, fetched in pieces as the reader walks through it. */
import { api } from "$lib/net/api";
import { verify, type CheckedDraw, type Fairness, type Verdict } from "./fairness";
import type { Position, Step } from "$lib/wire";

export interface GameRecord {
  format: string;
  game: string;
  players: number;
  names: string[];
  fairness?: Fairness | null;
  log: [number | "c", string][];
  scores?: number[] | null;
  winners?: number[] | null;
  /** Seats that lost by a clock or a resignation, and what places that made. */
  decided?: { places: number[]; late?: number[]; resigned?: number[] } | null;
  /** How many entries come from a finished game, from which this one goes on. */
  continued?: { ply: number } | null;
  [more: string]: unknown;
}

const CHUNK = 40;

/** A file that is none of our records gets a sentence instead of a stack trace. */
export function parseRecord(text: string): GameRecord | null {
  try {
    const value = JSON.parse(text) as Partial<GameRecord>;
    const isRecord =
      value.format?.startsWith("lampion-record/") && typeof value.game === "string" && Array.isArray(value.log);
    return isRecord ? (value as GameRecord) : null;
  } catch {
    return null;
  }
}

export class Replay {
  seat = $state<number | null>(null);
  ply = $state(0);
  positions = $state.raw<Record<string, Position>>({});
  private asked = new Set<string>();

  constructor(readonly record: GameRecord) {}

  get plies(): number {
    return this.record.log.length;
  }

  /** The first entry of this game: those before it come from the one that it continues, whose seed was another. */
  get firstPly(): number {
    return this.record.continued?.ply ?? 0;
  }

  get position(): Position | null {
    return this.positions[this.key(this.ply)] ?? null;
  }

  /** The seats that may act in the present position. */
  get actors(): number[] {
    return (this.position?.view.actors ?? []) as number[];
  }

  /** There is a result, or the seed is known, as no running game's is. */
  get hasEnded(): boolean {
    return Boolean(this.record.scores || this.record.fairness?.seed);
  }

  /** The steps that have been fetched, for the log. */
  get steps(): Step[] {
    const found: Step[] = [];
    for (let ply = 1; ply <= this.plies; ply++) {
      const step = this.positions[this.key(ply)]?.step;
      if (step) found.push(step);
    }
    return found;
  }

  go(ply: number): void {
    this.ply = Math.max(0, Math.min(this.plies, ply));
  }

  /** Fetches what the present ply needs, and what comes next. */
  async load(): Promise<void> {
    await this.fetchChunk(this.ply);
    await this.fetchChunk(this.ply + CHUNK / 2);
  }

  async verify(): Promise<Verdict> {
    const draws: CheckedDraw[] = [];
    for (let start = 0; start <= this.plies; start += CHUNK) {
      const { positions } = await api.replay({ record: this.record, seat: null, start, count: CHUNK, draws: true });
      for (const { ply, draw } of positions) {
        const written = this.record.log[ply - 1]?.[1];
        if (draw && written !== undefined && ply > this.firstPly) draws.push({ ply, ...draw, written });
      }
    }
    const chances = this.record.log.slice(this.firstPly).filter(([actor]) => actor === "c").length;
    if (draws.length !== chances) throw new Error(`${draws.length} of ${chances} draws could be read`);
    return verify(this.record.fairness ?? { commitment: "" }, draws);
  }

  private key(ply: number): string {
    return `${this.seat ?? "all"}:${ply}`;
  }

  private async fetchChunk(ply: number): Promise<void> {
    const start = Math.floor(Math.min(ply, this.plies) / CHUNK) * CHUNK;
    const { seat } = this;
    const name = `${seat}:${start}`;
    if (this.asked.has(name)) return;
    this.asked.add(name);
    try {
      const { positions } = await api.replay({ record: this.record, seat, start, count: CHUNK });
      const fresh = Object.fromEntries(positions.map((position) => [`${seat ?? "all"}:${position.ply}`, position]));
      this.positions = { ...this.positions, ...fresh };
    } catch (error) {
      this.asked.delete(name);
      throw error;
    }
  }
}
